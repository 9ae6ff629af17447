/** Where in a session something went wrong (C10). */
export type SessionStage =
  | "connect"
  | "list-tools"
  | "list-prompts"
  | "list-resources"
  | "list-resource-templates"
  | "call"
  | "get-prompt"
  | "read-resource"
  | "list-skills"
  | "get-skill";

/**
 * What ended a wait: the caller's abort, the host closing the session, the deadline that progress restarts,
 * or the one that nothing restarts (C7b).
 */
export type WaitEnd = "abort" | "close" | "timeout" | "total-timeout";

/** A session or a call that did not work out. Never server text: that travels as `untrusted` on the caller's side. */
export interface SessionRefusal {
  readonly kind: "session";
  readonly reason: SessionReason;
  readonly serverId: string;
  readonly stage: SessionStage;
  /** JSON-RPC error code or HTTP status, when one is the reason. */
  readonly code?: number;
  /** Of `timeout` and `outcome-unknown`: what ended the wait. */
  readonly ended?: WaitEnd;
  /** Of a deadline: its length in milliseconds. */
  readonly limitMs?: number;
  /** Of `version-unsupported`: the revision that was asked for and is not there. */
  readonly revision?: string;
  /** Of an `http-status` 429 or 503: how long the server asks to be left alone. Milliseconds, at most 24 h. */
  readonly retryAfterMs?: number;
}

export const SESSION_REASONS = [
  /** The server lacks the pinned revision, or no common version exists. */
  "version-unsupported",
  /** It answered, but not with what the protocol says. */
  "invalid-response",
  "response-too-large",
  /** A response stream ended, was cut, or answered another id. */
  "response-lost",
  "timeout",
  /** Aborted or timed out when the server may already have acted (C8). */
  "outcome-unknown",
  "cancelled",
  "connection-closed",
  "session-expired",
  "http-status",
  "auth-required",
  "protocol-error",
  "input-required",
  "not-supported",
  /** A list repeated a cursor, or ran over pages, entries or bytes (K1). */
  "cursor-repeated",
  "list-limit",
  "closed",
] as const;

export type SessionReason = (typeof SESSION_REASONS)[number];
