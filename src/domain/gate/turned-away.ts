import type { GateReason } from "./gate-record.ts";

export type GateStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 417 | 429 | 431 | 501 | 503;

/** The whole answer to a request that goes no further. It has no body: there is nothing to say. */
export interface TurnedAway {
  readonly kind: "turned-away";
  readonly status: GateStatus;
  readonly reason: GateReason;
  readonly headers: Readonly<Record<string, string>>;
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

export function turnAway(
  status: GateStatus,
  reason: GateReason,
  { headers = NO_HEADERS }: { readonly headers?: Readonly<Record<string, string>> } = {},
): TurnedAway {
  return { kind: "turned-away", status, reason, headers };
}

/** The one method of a listener without sessions: there is no stream to get and none to delete (R8). */
export const NOT_POST: TurnedAway = turnAway(405, "method", { headers: { allow: "POST" } });
/** Seconds are enough for a call to end; who waits longer is told the same again. */
export const BUSY: TurnedAway = turnAway(503, "busy", { headers: { "retry-after": "1" } });
export const CALLER_BUSY: TurnedAway = turnAway(503, "caller-busy", { headers: { "retry-after": "1" } });
export const BODY_TOO_LARGE: TurnedAway = turnAway(413, "body-too-large");
export const HEAD_TOO_LARGE: TurnedAway = turnAway(431, "head-too-large");
export const REQUEST_TIMEOUT: TurnedAway = turnAway(408, "request-timeout");
export const MALFORMED_REQUEST: TurnedAway = turnAway(400, "malformed-request");
export const EXPECTATION_FAILED: TurnedAway = turnAway(417, "malformed-request");
