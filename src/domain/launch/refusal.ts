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

export interface StdioRefusal {
  readonly kind: "stdio";
  readonly reason: StdioReason;
  /** A closed word on which of the checks behind the reason failed, such as `not-absolute`, `symlink-escape`. */
  readonly detail?: string;
  /** The environment key, when one is the reason (keys are not secret; values never appear). */
  readonly key?: string;
}
