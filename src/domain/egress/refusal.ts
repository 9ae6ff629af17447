/** E9, closed. */
export const EGRESS_REASONS = [
  "unsupported-scheme",
  "insecure-scheme",
  "userinfo",
  "invalid-url",
  "private-address",
  "metadata-address",
  "unresolvable",
  "redirect",
  "endpoint-mismatch",
  "response-too-large",
  "timeout",
  "closed",
] as const;

export type EgressReason = (typeof EGRESS_REASONS)[number];

/** The policy said no, or a bound was met: never retried. Origins only, never a path or query. */
export interface EgressRefusal {
  readonly kind: "egress";
  readonly reason: EgressReason;
  /** Of a redirect: its status, where from and where to (origins), and whether they are the same. */
  readonly status?: number;
  readonly fromOrigin?: string;
  readonly toOrigin?: string;
}

/** The machine or the network failed: nothing was refused. Closed set of what undici and Node report. */
export interface EgressFailure {
  readonly kind: "network";
  readonly reason: "connection-refused" | "connection-reset" | "tls" | "unreachable" | "protocol" | "other";
}
