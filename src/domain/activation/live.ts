import type { ActivationStatus, ApprovalRecord, ApprovedLaunchFacts } from "./approval.ts";
import { differingParts } from "./subject.ts";

/** What becomes of a live connection after the world was read again. Reasons go to the audit log as they are. */
export type ConnectionDecision =
  | { readonly stay: true }
  | {
      readonly stay: false;
      readonly reason:
        | "removed"
        | "definition-changed"
        | "pending"
        | "stale"
        | "rejected"
        | "revoked"
        | "untrusted";
    };

/**
 * Decides whether a connection that was admitted under `admitted` may go on (A6b). It may only while the
 * definition of now is approved, and is the very one that was admitted: a changed definition that
 * somebody approved meanwhile needs a new connection, since the old one still runs the old command.
 *
 * @param now activation of the definition that has the name today; `undefined` when none has, or it is disabled.
 */
export function connectionMayStay(
  admitted: ApprovalRecord,
  now: ActivationStatus | undefined,
): ConnectionDecision {
  if (now === undefined) return { stay: false, reason: "removed" };
  if (now.status !== "approved") return { stay: false, reason: now.status };
  const same =
    now.record.subject.serverId === admitted.subject.serverId &&
    differingParts(admitted.subject, now.record.subject).length === 0 &&
    sameLaunch(admitted.launch, now.record.launch);
  return same ? { stay: true } : { stay: false, reason: "definition-changed" };
}

function sameLaunch(left: ApprovedLaunchFacts | undefined, right: ApprovedLaunchFacts | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.executable === right.executable &&
    left.cwd === right.cwd &&
    left.allowShell === right.allowShell &&
    sameKeys(left.envKeys, right.envKeys) &&
    sameKeys(left.codeChangingEnvKeys, right.codeChangingEnvKeys)
  );
}

function sameKeys(left: readonly string[], right: readonly string[]): boolean {
  const known = new Set(left);
  return known.size === new Set(right).size && right.every((key) => known.has(key));
}
