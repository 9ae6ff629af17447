import type { HeaderPair } from "../../domain/http/headers.ts";
import type { AdmittedTarget } from "../../domain/egress/target.ts";
import { parseRetryAfter } from "../../domain/failure/retry-after.ts";
import type { SessionReason, SessionStage } from "../../domain/session/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import { EgressError, type Egress, type EgressRequest, type EgressResponse } from "../../ports/egress.ts";
import { CarrierError } from "./carrier.ts";
import type { RateLimit } from "./message-rate.ts";
import type { HttpAuthentication } from "./http-authentication.ts";

export interface HttpLimits {
  /** One JSON body or one SSE event (H3). */
  readonly messageBytes: number;
  /** All that one call may bring, notifications and resumed streams included (H3). Not for subscriptions. */
  readonly callBytes: number;
  /** Of a 4xx: an error object is small, and a longer page of HTML is of no use. */
  readonly errorBodyBytes: number;
  /** What a server may still send after the answer before its stream is cut; lets the socket be used again. */
  readonly drainBytes: number;
  readonly drainMs: number;
  /** Openings of a call's broken stream in a row that bring nothing. */
  readonly resumeAttempts: number;
  /** From an expired session to the end of the new handshake. */
  readonly renewalMs: number;
  /** For ending the server's session at close. */
  readonly closeMs: number;
  /** Notifications and requests of the server; what comes over it is dropped. */
  readonly unasked: RateLimit;
}

export const HTTP_LIMITS: HttpLimits = {
  messageBytes: 8 * 1024 * 1024,
  callBytes: 64 * 1024 * 1024,
  errorBodyBytes: 64 * 1024,
  drainBytes: 64 * 1024,
  drainMs: 1_000,
  resumeAttempts: 5,
  renewalMs: 30_000,
  closeMs: 2_000,
  unasked: { burst: 1_000, perSecond: 200 },
};

/** What every request of one carrier shares. Holds secrets (`headers`): kept in private fields only. */
export interface HttpLink {
  readonly serverId: string;
  readonly target: AdmittedTarget;
  readonly headers: readonly HeaderPair[];
  readonly traceOrigins: ReadonlySet<string>;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly limits: HttpLimits;
  readonly authentication: HttpAuthentication;
  /** How long a tool call's response headers may take; absent: the egress' own default. Milliseconds. */
  readonly toolHeadersTimeoutMs?: number;
}

/** The cap on a call's own answer (H3, S4). */
export function answerLimitBytes(
  { limits }: HttpLink,
  call: { readonly receiveLimitBytes: number | undefined },
): number {
  return Math.max(limits.messageBytes, call.receiveLimitBytes ?? 0);
}

export function sessionError(
  link: HttpLink,
  reason: SessionReason,
  at: { readonly stage: SessionStage; readonly code?: number; readonly retryAfterMs?: number },
): CarrierError {
  return new CarrierError({ refusal: { kind: "session", reason, serverId: link.serverId, ...at } });
}

/** Of other statuses it means other things (RFC 9110 section 10.2.3; RFC 6585 section 4). */
const STATUSES_WITH_RETRY_AFTER: ReadonlySet<number> = new Set([429, 503]);

/** A status that is no answer, with how long the server asks to be left alone (V2). */
export function statusError(link: HttpLink, response: EgressResponse, stage: SessionStage): CarrierError {
  const { status: code } = response;
  const retryAfterMs = STATUSES_WITH_RETRY_AFTER.has(code)
    ? parseRetryAfter(response.header("retry-after"), link.clock.nowMs())
    : undefined;
  return sessionError(link, "http-status", {
    stage,
    code,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/**
 * One exchange as it stands, to the admitted target and nowhere else (H4); `authorizedExchange` is what a
 * carrier sends by. Rejects with a {@link CarrierError} only.
 */
export async function exchange(
  link: HttpLink,
  request: Omit<EgressRequest, "responseLimitBytes">,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const early = abortOf(signal);
  if (early !== undefined) throw early;
  let outcome;
  try {
    // The carrier counts by message, not by body: a stream may live for days.
    outcome = await link.egress.fetch(link.target, { ...request, responseLimitBytes: null }, { signal });
  } catch {
    throw abortOf(signal) ?? new CarrierError({ refusal: { kind: "network", reason: "other" } });
  }
  if (!outcome.ok) throw new CarrierError({ refusal: outcome.refusal });
  const aborted = abortOf(signal);
  if (aborted === undefined) {
    link.authentication.note(outcome.value);
    return outcome.value;
  }
  outcome.value.discard();
  throw aborted;
}

/**
 * Translates what reading a body threw. A cut is a lost answer (H3b); a bound or a closed egress keeps its
 * own reason.
 */
export function bodyError(
  link: HttpLink,
  error: unknown,
  at: { readonly stage: SessionStage; readonly signal: AbortSignal },
): CarrierError {
  if (error instanceof CarrierError) return error;
  if (error instanceof EgressError && error.refusal.kind === "egress") {
    return new CarrierError({ refusal: error.refusal });
  }
  return abortOf(at.signal) ?? sessionError(link, "response-lost", { stage: at.stage });
}

/** Every signal in this folder is aborted with a {@link CarrierError}. */
export function abortOf(signal: AbortSignal): CarrierError | undefined {
  return signal.aborted && signal.reason instanceof CarrierError ? signal.reason : undefined;
}
