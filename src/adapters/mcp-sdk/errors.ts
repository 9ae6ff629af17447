import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/client";

import type { SessionReason, SessionStage } from "../../domain/session/refusal.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import { CarrierError } from "./carrier.ts";
import { createServerWords, type ServerWords } from "./server-words.ts";

export interface FailureContext {
  readonly serverId: string;
  readonly stage: SessionStage;
  /** What ended the connection, once it has ended. */
  readonly closeFailure: PeerFailure | undefined;
  /** Default: cleaned and cut, with what has the format of a credential masked. */
  readonly words?: ServerWords | undefined;
}

/**
 * Translates what the official client or a carrier threw, by type and code, never by message text. Only a
 * JSON-RPC error's own words survive, as `untrusted`.
 */
export function translateError(error: unknown, context: FailureContext): PeerFailure {
  const carried = carrierFailure(error);
  if (carried !== undefined) return atStage(carried, context);
  if (error instanceof UnsupportedProtocolVersionError) return session("version-unsupported", context);
  if (error instanceof ProtocolError) {
    const { words = createServerWords([]) } = context;
    return {
      ...session("protocol-error", context, error.code),
      untrusted: { message: words(error.message), code: error.code },
    };
  }
  if (error instanceof UnauthorizedError) return session("auth-required", context);
  if (error instanceof SdkHttpError) return fromStatus(error.status, context);
  if (error instanceof SdkError) return fromCode(error, context);
  // The client throws bare errors for a missing connection; anything else breaks what it promises.
  return context.closeFailure === undefined
    ? session("protocol-error", context)
    : atStage(context.closeFailure, context);
}

/** Puts a carrier's failure where it happened: a carrier knows neither stage nor server id. */
export function atStage(
  failure: PeerFailure,
  context: Pick<FailureContext, "serverId" | "stage">,
): PeerFailure {
  if (failure.refusal.kind !== "session") return failure;
  const { serverId, stage } = context;
  return { ...failure, refusal: { ...failure.refusal, serverId, stage } };
}

export function session(
  reason: SessionReason,
  context: Pick<FailureContext, "serverId" | "stage">,
  code?: number,
): PeerFailure {
  const { serverId, stage } = context;
  return { refusal: { kind: "session", reason, serverId, stage, ...(code !== undefined && { code }) } };
}

/** The client wraps what stopped its probe; the typed failure is then its cause. */
function carrierFailure(error: unknown): PeerFailure | undefined {
  if (error instanceof CarrierError) return error.failure;
  if (error instanceof Error && error.cause instanceof CarrierError) return error.cause.failure;
  return undefined;
}

function fromStatus(status: number, context: FailureContext): PeerFailure {
  return session(status === 401 ? "auth-required" : "http-status", context, status);
}

function fromCode(error: SdkError, context: FailureContext): PeerFailure {
  switch (error.code) {
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.SendFailed:
    case SdkErrorCode.NotInitialized:
      return context.closeFailure === undefined
        ? session("connection-closed", context)
        : atStage(context.closeFailure, context);
    case SdkErrorCode.RequestTimeout:
      return session("timeout", context);
    case SdkErrorCode.CapabilityNotSupported:
    case SdkErrorCode.MethodNotSupportedByProtocolVersion:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.InputRequiredRoundsExceeded:
      return session("not-supported", context);
    case SdkErrorCode.EraNegotiationFailed:
      // With a cause the probe broke off; without one it was answered, and the answer was no.
      if (error.cause === undefined) return session("version-unsupported", context);
      return context.closeFailure === undefined
        ? session("connection-closed", context)
        : atStage(context.closeFailure, context);
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.ListPaginationExceeded:
      return session("invalid-response", context);
    case SdkErrorCode.AlreadyConnected:
    case SdkErrorCode.ClientHttpNotImplemented:
    case SdkErrorCode.ClientHttpAuthentication:
    case SdkErrorCode.ClientHttpForbidden:
    case SdkErrorCode.ClientHttpUnexpectedContent:
    case SdkErrorCode.ClientHttpFailedToOpenStream:
    case SdkErrorCode.ClientHttpFailedToTerminateSession:
      break;
  }
  // The rest tells of transports of the client's own, which are not used.
  return session("protocol-error", context);
}
