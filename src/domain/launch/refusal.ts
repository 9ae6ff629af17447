/** X7, closed. */
export const STDIO_REASONS = [
  "definition-identity",
  "activation",
  "authority",
  "cwd",
  "environment",
  "invalid-input",
  "start",
  "early-exit",
  "send",
  "cancelled",
  "cleanup",
  "receive-limit",
  "receive-invalid",
] as const;

export type StdioReason = (typeof STDIO_REASONS)[number];

/** Which of the checks behind a reason failed. Closed; the reasons that use a word are named beside it. */
export const STDIO_DETAILS = [
  // definition-identity
  "other-subject",
  "other-record",
  // activation
  "pending",
  "stale",
  "rejected",
  "revoked",
  "untrusted",
  // authority
  "not-listed",
  "not-approved",
  "no-launch-facts",
  "executable-missing",
  "arguments-not-listed",
  "not-absolute",
  "not-canonical",
  "not-a-file",
  "not-executable",
  "other-executable",
  "shell",
  "batch-file",
  "generation-changed",
  "executable-changed",
  // authority, cwd
  "cwd-changed",
  // authority, cwd, environment
  "nul",
  "leftover-template",
  // authority, cwd, start
  "not-found",
  // cwd
  "bad-root",
  "parent-segment",
  "home-shorthand",
  "not-a-folder",
  "not-enterable",
  "outside-root",
  "symlink-escape",
  // environment
  "invalid-key",
  "duplicate-key",
  "not-allowed",
  "code-changing",
  "function-value",
  // invalid-input
  "not-stdio",
  "unset-variable",
  "not-serialisable",
  // start
  "not-permitted",
  "too-large",
  "no-resources",
  "bad-format",
  "other-fault",
  // early-exit
  "exited",
  "signalled",
  // send
  "not-started",
  "closed",
  "pipe-broken",
  // cancelled
  "by-request",
  "by-close",
  // cleanup
  "survivors",
  // receive-limit
  "frame",
  "flood",
  // receive-invalid
  "junk-lines",
] as const;

export type StdioDetail = (typeof STDIO_DETAILS)[number];

export interface StdioRefusal {
  readonly kind: "stdio";
  readonly reason: StdioReason;
  /** A closed word on which of the checks behind the reason failed. */
  readonly detail?: StdioDetail;
  /** The environment key, when one is the reason (keys are not secret; values never appear). */
  readonly key?: string;
  /** The child's exit code, with `early-exit`. */
  readonly exitCode?: number;
}

export function stdioRefusal(
  reason: StdioReason,
  detail: StdioDetail,
  extra: { readonly key?: string; readonly exitCode?: number } = {},
): StdioRefusal {
  return { kind: "stdio", reason, detail, ...extra };
}
