import type { EgressFailure, EgressReason } from "../egress/refusal.ts";
import type { StdioDetail, StdioReason } from "../launch/refusal.ts";
import type { AuthReason } from "../oauth/refusal.ts";
import type { SessionReason } from "../session/refusal.ts";
import type { FailureEvidence } from "./evidence.ts";

/** V2, by what helps: waiting, signing in, changing what was written, looking elsewhere, mending the server. */
export const FAILURE_CLASSES = ["transient", "auth", "config", "not-found", "protocol"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Why a failure is in its class. Closed. */
export const FAILURE_REASONS = [
  "unreachable",
  "timed-out",
  "lost",
  "child-ended",
  "server-busy",
  "server-error",
  "machine-busy",
  "issuer-unreachable",
  "authorization",
  "own-rule",
  "not-startable",
  "certificate",
  "ended-here",
  "fault",
  "endpoint-missing",
  "command-missing",
  "version",
  "broken-answer",
  "over-bound",
  "not-offered",
  "status",
  "outcome-unknown",
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export interface Classification {
  readonly class: FailureClass;
  readonly reason: FailureReason;
}

const is = (failureClass: FailureClass, reason: FailureReason): Classification => ({
  class: failureClass,
  reason,
});

/**
 * Says what kind of failure it is (V2). Only `transient` may be tried again by itself; what nobody foresaw is not. Never
 * judged by a text: a server could write one.
 */
export function classify(evidence: FailureEvidence): Classification {
  switch (evidence.kind) {
    case "session":
      return evidence.reason === "http-status" ? ofStatus(evidence.code) : SESSION[evidence.reason];
    case "network":
      return NETWORK[evidence.reason];
    case "egress":
      return EGRESS[evidence.reason];
    case "stdio":
      return ofChild(evidence);
    case "auth":
      return AUTH_EXCEPTIONS[evidence.reason] ?? is("auth", "authorization");
    // A policy that refused would refuse again: it is for a person to change.
    case "rule":
      return is("config", "own-rule");
    case "fault":
      return is("config", "fault");
  }
}

const SESSION: Readonly<Record<Exclude<SessionReason, "http-status">, Classification>> = {
  // A server is not updated while it is asked again.
  "version-unsupported": is("protocol", "version"),
  "invalid-response": is("protocol", "broken-answer"),
  "protocol-error": is("protocol", "broken-answer"),
  // It would be as large the next time.
  "response-too-large": is("protocol", "over-bound"),
  "cursor-repeated": is("protocol", "over-bound"),
  "list-limit": is("protocol", "over-bound"),
  "response-lost": is("transient", "lost"),
  "connection-closed": is("transient", "lost"),
  // Restarted servers forget sessions; a new connection makes a new one.
  "session-expired": is("transient", "lost"),
  timeout: is("transient", "timed-out"),
  // The server may have acted: no timer may lead to its acting twice (V3).
  "outcome-unknown": is("protocol", "outcome-unknown"),
  cancelled: is("config", "ended-here"),
  closed: is("config", "ended-here"),
  "auth-required": is("auth", "authorization"),
  "input-required": is("protocol", "not-offered"),
  "not-supported": is("protocol", "not-offered"),
};

const NETWORK: Readonly<Record<EgressFailure["reason"], Classification>> = {
  "connection-refused": is("transient", "unreachable"),
  "connection-reset": is("transient", "unreachable"),
  unreachable: is("transient", "unreachable"),
  // A certificate that is wrong stays wrong, and going on asking would train people to look away.
  tls: is("config", "certificate"),
  protocol: is("protocol", "broken-answer"),
  other: is("config", "fault"),
};

const OWN_RULE = is("config", "own-rule");

const EGRESS: Readonly<Record<EgressReason, Classification>> = {
  "unsupported-scheme": OWN_RULE,
  "insecure-scheme": OWN_RULE,
  userinfo: OWN_RULE,
  "invalid-url": OWN_RULE,
  "private-address": OWN_RULE,
  "metadata-address": OWN_RULE,
  "endpoint-mismatch": OWN_RULE,
  // The server asks for another URL: a person has to write it.
  redirect: OWN_RULE,
  // A name that resolves to nothing is mostly a machine that is offline.
  unresolvable: is("transient", "unreachable"),
  timeout: is("transient", "timed-out"),
  "response-too-large": is("protocol", "over-bound"),
  closed: is("config", "ended-here"),
};

/** Too early, too many and too slow: later may do. The rest of 5xx says so itself (RFC 9110 section 15.6). */
const BUSY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 503]);
const ERROR_STATUSES: ReadonlySet<number> = new Set([500, 502, 504]);
const MISSING_STATUSES: ReadonlySet<number> = new Set([404, 410]);

function ofStatus(status: number | undefined): Classification {
  if (status === undefined) return is("protocol", "status");
  if (BUSY_STATUSES.has(status)) return is("transient", "server-busy");
  if (ERROR_STATUSES.has(status)) return is("transient", "server-error");
  if (MISSING_STATUSES.has(status)) return is("not-found", "endpoint-missing");
  if (status === 401 || status === 403) return is("auth", "authorization");
  return is("protocol", "status");
}

const STDIO: Readonly<Record<Exclude<StdioReason, "start" | "early-exit">, Classification>> = {
  "definition-identity": OWN_RULE,
  activation: OWN_RULE,
  authority: OWN_RULE,
  cwd: OWN_RULE,
  environment: OWN_RULE,
  "invalid-input": OWN_RULE,
  send: is("transient", "lost"),
  cancelled: is("config", "ended-here"),
  // Something of it is still running: a second one beside it would not mend that.
  cleanup: is("config", "fault"),
  "receive-limit": is("protocol", "over-bound"),
  "receive-invalid": is("protocol", "broken-answer"),
};

/** What a shell, or `env`, says of a command that is not there, or that may not run (POSIX, exit status). */
const NOT_FOUND_EXIT = 127;
const NOT_EXECUTABLE_EXIT = 126;

function ofChild(child: {
  readonly reason: StdioReason;
  readonly detail?: StdioDetail;
  readonly exitCode?: number;
}): Classification {
  if (child.reason === "start") {
    if (child.detail === "not-found") return is("not-found", "command-missing");
    return child.detail === "no-resources" ? is("transient", "machine-busy") : is("config", "not-startable");
  }
  if (child.reason === "early-exit") {
    if (child.exitCode === NOT_FOUND_EXIT) return is("not-found", "command-missing");
    if (child.exitCode === NOT_EXECUTABLE_EXIT) return is("config", "not-startable");
    return is("transient", "child-ended");
  }
  return STDIO[child.reason];
}

/** What no sign-in would help; every other reason is for somebody to sign in, or to look into. */
const AUTH_EXCEPTIONS: Readonly<Partial<Record<AuthReason, Classification>>> = {
  "helper-not-allowed": OWN_RULE,
  "helper-untrusted": OWN_RULE,
  "settings-invalid": OWN_RULE,
  "store-failed": is("config", "fault"),
  "store-unavailable": is("config", "fault"),
  // Another process is refreshing: it ends.
  "lock-timeout": is("transient", "machine-busy"),
  // Nothing was refused: the issuer could not be asked.
  unreachable: is("transient", "issuer-unreachable"),
};
