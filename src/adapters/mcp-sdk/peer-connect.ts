import type { Client } from "@modelcontextprotocol/client";

import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import { decodePeerIdentity } from "../../domain/session/identity.ts";
import { LEGACY_REVISIONS, MODERN_REVISION } from "../../domain/session/revisions.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PeerFailure, PeerIdentity, ProtocolSelection } from "../../ports/mcp-peer.ts";
import type { Carrier } from "./carrier.ts";
import { atStage, session, translateError } from "./errors.ts";
import { NEVER_MS } from "./sdk-client.ts";
import type { SdkTap } from "./sdk-tap.ts";

const CONNECT = "connect";

export interface HandshakeOptions {
  readonly serverId: string;
  readonly selection: ProtocolSelection;
  readonly clock: Clock;
  /** Over starting the carrier and the whole handshake. Milliseconds. */
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Connects and agrees on an era, within one deadline. The client's own connect may hang for ever (a server
 * silent at `notifications/initialized`) and ignores its signal while it probes, so it is raced, and what
 * is left of it ends with the carrier. Rejects only with `signal.reason`; the caller closes the carrier.
 */
export async function shakeHands(
  client: Client,
  wire: { readonly carrier: Carrier; readonly tap: SdkTap },
  options: HandshakeOptions,
): Promise<Outcome<PeerIdentity, PeerFailure>> {
  const context = { serverId: options.serverId, stage: CONNECT } as const;
  const end = await firstOf(client, wire.tap, options);
  switch (end.kind) {
    case "aborted":
      throw options.signal.reason;
    case "deadline": {
      const limitMs = options.connectTimeoutMs;
      return refuse({
        refusal: { kind: "session", reason: "timeout", ...context, ended: "timeout", limitMs },
      });
    }
    case "closed":
      return refuse(atStage(wire.carrier.closeFailure ?? session("connection-closed", context), context));
    case "failed":
      return refuse(connectFailure(end.error, wire, options));
    case "connected":
      break;
  }
  return readIdentity(client, wire.tap, options);
}

type ConnectEnd =
  | { readonly kind: "connected" | "deadline" | "aborted" | "closed" }
  | { readonly kind: "failed"; readonly error: unknown };

async function firstOf(client: Client, tap: SdkTap, options: HandshakeOptions): Promise<ConnectEnd> {
  const { clock, connectTimeoutMs, signal } = options;
  const over = new AbortController();
  const aborted = new Promise<ConnectEnd>((resolve) => {
    signal.addEventListener("abort", () => resolve({ kind: "aborted" }), { signal: over.signal });
  });
  try {
    return await Promise.race<ConnectEnd>([
      aborted,
      client.connect(tap.transport, { timeout: NEVER_MS }).then(
        () => ({ kind: "connected" }) as const,
        (error: unknown) => ({ kind: "failed", error }) as const,
      ),
      clock.wait(connectTimeoutMs, { signal: over.signal }).then(
        () => ({ kind: "deadline" }) as const,
        () => ({ kind: "deadline" }) as const, // Aborted below, when the race is over: nobody reads it.
      ),
      tap.lost.then(() => ({ kind: "closed" }) as const),
    ]);
  } finally {
    over.abort("over");
  }
}

function connectFailure(
  error: unknown,
  wire: { readonly carrier: Carrier; readonly tap: SdkTap },
  { serverId, selection }: HandshakeOptions,
): PeerFailure {
  const context = { serverId, stage: CONNECT } as const;
  const answered = wire.tap.handshake()?.["protocolVersion"];
  // The client throws a bare error for a revision it does not know; the raw answer says that this is it.
  if (typeof answered === "string" && !LEGACY_REVISIONS.includes(answered)) {
    return session("version-unsupported", context);
  }
  const { closeFailure, words } = wire.carrier;
  const failure = translateError(error, { ...context, words, closeFailure });
  const { refusal } = failure;
  return refusal.reason === "version-unsupported" && selection === MODERN_REVISION
    ? { ...failure, refusal: { ...refusal, revision: MODERN_REVISION } }
    : failure;
}

function readIdentity(
  client: Client,
  tap: SdkTap,
  options: HandshakeOptions,
): Outcome<PeerIdentity, PeerFailure> {
  const { serverId, clock } = options;
  const era = client.getProtocolEra();
  const protocolVersion = client.getNegotiatedProtocolVersion();
  const raw = tap.handshake();
  const invalid = refuse(session("invalid-response", { serverId, stage: CONNECT }));
  if (era === undefined || protocolVersion === undefined || raw === undefined) return invalid;
  // The client's probe lets a result pass that does not say its type (C3).
  if (era === "modern" && raw["resultType"] !== "complete") return invalid;
  return accept(decodePeerIdentity(raw, { era, protocolVersion, receivedAtMs: clock.nowMs() }));
}
