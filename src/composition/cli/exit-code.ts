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

/** The code of a refusal that ended a command. Total over kinds and reasons: one table, which is why the file is long. */
export function exitCodeOf(refusal: Refusal): ExitCode {
  switch (refusal.kind) {
    case "source":
    case "definition":
    case "blocked":
    case "overlay":
    case "home":
      return usage;
    case "call":
      return CALL[refusal.reason];
    case "result":
      return RESULT[refusal.reason];
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
    // The server was reached, and what it asked in the middle of this very call could not be answered.
    case "elicitation":
      return toolFailed;
    case "served-catalog":
      return unexpected;
    case "stdio":
      return STDIO[refusal.reason];
    case "skill":
      return SKILL[refusal.reason];
    case "auth":
      return AUTH[refusal.reason];
    case "token":
      return refusal.reason === "keys-unavailable" ? unreachable : denied;
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
  "program-hidden": usage,
  "env-key-not-defined": usage,
  "changed-meanwhile": denied,
  "no-sign-in": usage,
  closed: unexpected,
};

const CALL: Codes<"call"> = {
  "unknown-tool": usage,
  "tool-held": denied,
  "invalid-arguments": usage,
  "headers-not-allowed": denied,
};

/** Where the tool was called, that is done; what is missing is a place for its answer. */
const RESULT: Codes<"result"> = {
  "too-large": unexpected,
  "not-kept": unexpected,
  "reference-malformed": usage,
  "reference-unknown": usage,
};

const HTTP_ADMISSION: Codes<"http-admission"> = {
  "sse-transport": denied,
  "websocket-transport": denied,
  disabled: usage,
  "unset-variable": usage,
  "sign-in-unavailable": signIn,
  "headers-helper-unavailable": denied,
  "authenticator-mismatch": unexpected,
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

/** What does not verify was refused by our own rule; what makes no sense is as good as no answer. */
const SKILL: Codes<"skill"> = {
  unavailable: usage,
  "uri-refused": usage,
  "entry-refused": denied,
  "other-skill": unreachable,
  "entry-foreign": unexpected,
  "entry-stale": unexpected,
  "manifest-dynamic": denied,
  "file-unlisted": usage,
  "contents-malformed": unreachable,
  "size-mismatch": denied,
  "digest-mismatch": denied,
  "frontmatter-mismatch": denied,
};

/** A sign-in, its renewal, or a headers helper. */
const AUTH: Codes<"auth"> = {
  "sign-in-required": signIn,
  "step-up-required": signIn,
  "step-up-limit": signIn,
  rejected: signIn,
  "resource-metadata-missing": unreachable,
  "resource-metadata-invalid": unreachable,
  "resource-mismatch": denied,
  "resource-metadata-origin": denied,
  "authorization-server-missing": unreachable,
  "server-metadata-missing": unreachable,
  "server-metadata-invalid": unreachable,
  "issuer-mismatch": denied,
  "issuer-not-pinned": denied,
  "endpoint-insecure": denied,
  "pkce-unsupported": denied,
  "registration-unavailable": usage,
  "registration-failed": usage,
  "registration-redirect-mismatch": denied,
  "invalid-client": usage,
  "redirect-mismatch": denied,
  "state-mismatch": denied,
  "issuer-missing": denied,
  "authorization-denied": denied,
  "authorization-failed": unreachable,
  "code-missing": signIn,
  "sign-in-timeout": signIn,
  "sign-in-cancelled": signIn,
  "callback-port-taken": usage,
  "pending-missing": signIn,
  "pending-expired": signIn,
  "pending-used": signIn,
  "token-response-invalid": unreachable,
  "token-refused": signIn,
  "grant-refused": signIn,
  "refresh-impossible": signIn,
  "helper-not-allowed": denied,
  "helper-untrusted": denied,
  "helper-failed": unreachable,
  "helper-timeout": unreachable,
  "helper-output-too-large": usage,
  "helper-output-invalid": usage,
  "helper-header-refused": usage,
  "lock-timeout": unexpected,
  "store-failed": unexpected,
  "store-unavailable": unexpected,
  "settings-invalid": usage,
  unreachable: unreachable,
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
