import type { CallReason } from "../catalog/refusal.ts";
import { cleanText } from "../catalog/untrusted-text.ts";
import { isOwnRule } from "../host/own-rule.ts";
import type { Refusal } from "../refusal.ts";
import { describeRefusal } from "../refusal-text.ts";
import type { SessionReason, SessionRefusal } from "../session/refusal.ts";
import type { AgentOutcome, FailureStatus } from "./agent.ts";

/** A call that was not answered with a result, and what the server said to it: cleaned, cut and masked. */
export interface GatewayFailure {
  readonly refusal: Refusal;
  readonly untrusted?: { readonly message: string };
}

/**
 * Says to the client why its call has no result (R11), in the sentences a person at the command reads. A server's own words
 * stand apart, as content like a tool's, and only where it answered this very call with an error.
 */
export function gatewayFailure({ refusal, untrusted }: GatewayFailure): AgentOutcome {
  const message = describeRefusal(refusal);
  const words = cleanText(untrusted?.message ?? "").text;
  if (refusal.kind === "session" && refusal.reason === "protocol-error" && words !== "") {
    const content = [message, `The server says: ${words}`].map((text) => ({ type: "text", text }));
    return { status: "completed", isError: true, content };
  }
  return { status: statusOf(refusal), message };
}

/**
 * Whether the server itself may be gone: then it is looked at again. What a call was refused or answered with says
 * nothing of that.
 */
export function isServerInDoubt(refusal: Refusal): boolean {
  if (refusal.kind === "call" || refusal.kind === "result" || refusal.kind === "elicitation") return false;
  return refusal.kind !== "session" || !OF_THE_CALL.has(refusal.reason);
}

const OF_THE_CALL: ReadonlySet<SessionReason> = new Set([
  "cancelled",
  "invalid-response",
  "response-too-large",
  "protocol-error",
  "input-required",
  "not-supported",
]);

const CALL: Readonly<Record<CallReason, FailureStatus>> = {
  "unknown-tool": "unknown-tool",
  "tool-held": "denied",
  "invalid-arguments": "invalid-arguments",
  "headers-not-allowed": "denied",
};

function statusOf(refusal: Refusal): FailureStatus {
  switch (refusal.kind) {
    case "call":
      return CALL[refusal.reason];
    // Somebody has to sign in, and that is nobody at the other end.
    case "auth":
      return "permission-required";
    case "elicitation":
      return "input-required";
    case "session":
      return sessionStatus(refusal);
    default:
      return isOwnRule(refusal) ? "denied" : "failed";
  }
}

function sessionStatus({ reason, ended }: SessionRefusal): FailureStatus {
  if (reason === "auth-required") return "permission-required";
  if (reason === "input-required") return "input-required";
  return reason === "cancelled" || ended === "abort" ? "cancelled" : "failed";
}
