import type { EgressFailure, EgressReason } from "../egress/refusal.ts";
import type { StdioDetail, StdioReason } from "../launch/refusal.ts";
import type { AuthReason } from "../oauth/refusal.ts";
import type { Refusal } from "../refusal.ts";
import type { SessionReason } from "../session/refusal.ts";

/**
 * All that a failure is judged by: closed words and numbers. No name, no text of anybody's, so that none can decide
 * what is tried again.
 */
export type FailureEvidence =
  | {
      readonly kind: "session";
      readonly reason: SessionReason;
      readonly code?: number;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: "network"; readonly reason: EgressFailure["reason"] }
  | { readonly kind: "egress"; readonly reason: EgressReason }
  | {
      readonly kind: "stdio";
      readonly reason: StdioReason;
      readonly detail?: StdioDetail;
      readonly exitCode?: number;
    }
  | { readonly kind: "auth"; readonly reason: AuthReason }
  /** The host's own rules, configuration, approvals or stores: nothing was started and nobody contacted. */
  | { readonly kind: "rule" }
  /** Thrown: a fault of the machine, or of who was asked to open. */
  | { readonly kind: "fault" };

export const FAULT: FailureEvidence = { kind: "fault" };

/** Takes from a refusal what may decide. What no carrier says is a rule of the host's own, whatever kinds are to come. */
export function evidenceOf(refusal: Refusal): FailureEvidence {
  if (refusal.kind === "session") {
    const { kind, reason, code, retryAfterMs } = refusal;
    return {
      kind,
      reason,
      ...(code !== undefined && { code }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
  if (refusal.kind === "stdio") {
    const { kind, reason, detail, exitCode } = refusal;
    return {
      kind,
      reason,
      ...(detail !== undefined && { detail }),
      ...(exitCode !== undefined && { exitCode }),
    };
  }
  if (refusal.kind === "auth") return { kind: refusal.kind, reason: refusal.reason };
  if (refusal.kind === "network") return { kind: refusal.kind, reason: refusal.reason };
  if (refusal.kind === "egress") return { kind: refusal.kind, reason: refusal.reason };
  // It ends a connection only where a server asked for what was never declared, or without end.
  if (refusal.kind === "elicitation") return { kind: "session", reason: "protocol-error" };
  return { kind: "rule" };
}

/** Whether a connection ended because this host ended it. That is no failure, and nothing follows from it. */
export function endedHere(evidence: FailureEvidence): boolean {
  switch (evidence.kind) {
    case "session":
      return evidence.reason === "closed" || evidence.reason === "cancelled";
    case "egress":
      return evidence.reason === "closed";
    case "stdio":
      return evidence.reason === "cancelled";
    case "network":
    case "auth":
    case "rule":
    case "fault":
      break;
  }
  return false;
}
