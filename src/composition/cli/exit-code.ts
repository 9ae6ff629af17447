import type { Refusal } from "../../domain/refusal.ts";

/** M5, closed. A process that a signal ended has no code of these: it ends by that signal. */
export const EXIT_CODES = {
  done: 0,
  unexpected: 1,
  /** Usage or configuration: what was written has to change. */
  usage: 2,
  signIn: 3,
  unreachable: 4,
  toolFailed: 5,
  /** Approval, policy or authority said no: a person has to decide. */
  denied: 6,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

const { done, unexpected, usage, signIn, unreachable, toolFailed, denied } = EXIT_CODES;

/** The code of a refusal that ended a command. Total over kinds and reasons. */
export function exitCodeOf(refusal: Refusal): ExitCode {
  switch (refusal.kind) {
    case "source":
    case "definition":
    case "blocked":
    case "overlay":
    case "home":
    case "call":
      return usage;
    case "activation":
    case "activation-decision":
      return denied;
    case "store":
      return STORE[refusal.reason];
    case "host":
      return HOST[refusal.reason];
    case "http-admission":
      return HTTP_ADMISSION[refusal.reason];
    case "egress":
      return EGRESS[refusal.reason];
    case "network":
      return unreachable;
    case "stdio":
      return STDIO[refusal.reason];
    case "session":
      break;
  }
  return sessionCode(refusal);
}

type ReasonOf<Kind extends Refusal["kind"]> = Extract<Refusal, { readonly kind: Kind }>["reason"];
type Codes<Kind extends Refusal["kind"]> = Readonly<Record<ReasonOf<Kind>, ExitCode>>;

const STORE: Codes<"store"> = {
  "store-failed": unexpected,
  "store-corrupt": usage,
  "store-too-new": usage,
  "store-insecure": denied,
  "store-full": unexpected,
  "lock-timeout": unexpected,
  "workspace-missing": usage,
};

const HOST: Codes<"host"> = {
  "unknown-server": usage,
  unresolved: usage,
  disabled: usage,
  "unset-variable": usage,
  "no-workspace": usage,
  "executable-not-found": usage,
  "cwd-not-found": usage,
  "needs-allow-env": denied,
  "needs-allow-shell": denied,
  "env-key-not-defined": usage,
  "changed-meanwhile": denied,
  closed: unexpected,
};

const HTTP_ADMISSION: Codes<"http-admission"> = {
  "sse-transport": denied,
  "websocket-transport": denied,
  disabled: usage,
  "unset-variable": usage,
  "sign-in-unavailable": signIn,
  "headers-helper-unavailable": denied,
  "reserved-header": usage,
  "invalid-header-name": usage,
  "invalid-header-value": usage,
  "duplicate-header": usage,
  "too-many-headers": usage,
};

const EGRESS: Codes<"egress"> = {
  "unsupported-scheme": usage,
  "insecure-scheme": denied,
  userinfo: denied,
  "invalid-url": usage,
  "private-address": denied,
  "metadata-address": denied,
  unresolvable: unreachable,
  redirect: denied,
  "endpoint-mismatch": denied,
  "response-too-large": unreachable,
  timeout: unreachable,
  closed: unexpected,
};

const STDIO: Codes<"stdio"> = {
  "definition-identity": denied,
  activation: denied,
  authority: denied,
  cwd: denied,
  environment: denied,
  "invalid-input": usage,
  start: unreachable,
  "early-exit": unreachable,
  send: unreachable,
  cancelled: unexpected,
  cleanup: unexpected,
  "receive-limit": unreachable,
  "receive-invalid": unreachable,
};

function sessionCode({ reason, stage, ended }: Extract<Refusal, { readonly kind: "session" }>): ExitCode {
  switch (reason) {
    case "auth-required":
      return signIn;
    case "cancelled":
    case "closed":
      return unexpected;
    case "outcome-unknown":
      return ended === "abort" ? unexpected : unreachable;
    // The server was reached and said no to this very call.
    case "protocol-error":
    case "input-required":
      return stage === "call" ? toolFailed : unreachable;
    case "version-unsupported":
    case "invalid-response":
    case "response-too-large":
    case "response-lost":
    case "timeout":
    case "connection-closed":
    case "session-expired":
    case "http-status":
    case "not-supported":
    case "cursor-repeated":
    case "list-limit":
      break;
  }
  return unreachable;
}

/**
 * What several failures come to. First what nobody foresaw, then what a person has to decide, sign in to or
 * write differently; a server that may be back later comes last.
 */
const ORDER: readonly ExitCode[] = [unexpected, denied, signIn, usage, toolFailed, unreachable];

export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return ORDER.find((code) => codes.includes(code)) ?? done;
}
