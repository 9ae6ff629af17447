import type {
  ActivationRefusal,
  ActivationStatus,
  ActivationSubject,
  ApprovalDecision,
  ApprovalRecord,
  ApprovalSnapshot,
  StalePart,
  Workspace,
} from "./approval.ts";
import { AUTHORITY_WEIGHT, approvalKey, recordsOf } from "./approval-records.ts";
import { differingBinding, differingParts, isWorkspaceBound } from "./subject.ts";

/**
 * Decides whether the definition behind `subject` may be used (A1–A4). Pure and synchronous; the order of the
 * records never matters. Anything but `approved` is a no.
 *
 * A source that is bound to a workspace is `untrusted` as long as that workspace is not trusted, whatever
 * the records say: the person has to look at the folder before its servers.
 */
export function matchActivation(
  subject: ActivationSubject,
  snapshot: ApprovalSnapshot,
  options: { readonly workspace?: Workspace },
): ActivationStatus {
  const bound = isWorkspaceBound(subject.source);
  if (bound && options.workspace?.trusted !== true) return { status: "untrusted" };

  const candidates = recordsOf(snapshot, subject.serverId).map((record) => ({
    record,
    differs: partsOf(record, subject, bound ? options.workspace : undefined),
  }));
  const matching = candidates.filter(({ differs }) => differs.length === 0).map(({ record }) => record);
  const winner = matching.toSorted(byWeight)[0];
  if (winner !== undefined) return statusOf(winner);

  const closest = candidates.toSorted(byCloseness)[0];
  if (closest === undefined) return { status: "pending" };
  return { status: "stale", differs: closest.differs, record: closest.record };
}

/** Turns a status into the refusal an admission answers with; `undefined` when the status admits (A3). */
export function activationRefusal(status: ActivationStatus, serverId: string): ActivationRefusal | undefined {
  if (status.status === "approved") return undefined;
  return { kind: "activation", reason: status.status, serverId };
}

interface Candidate {
  readonly record: ApprovalRecord;
  readonly differs: readonly StalePart[];
}

/** Differences to the subject and, where it is bound, to the workspace of now: both have to be none. */
function partsOf(
  record: ApprovalRecord,
  subject: ActivationSubject,
  workspace: Workspace | undefined,
): readonly StalePart[] {
  const parts = differingParts(record.subject, subject);
  if (workspace === undefined) return parts;
  const moved = differingBinding(record.subject.workspace, workspace, true);
  return [...new Set([...parts, ...moved])];
}

function statusOf(record: ApprovalRecord): ActivationStatus {
  if (record.decision === "approved") return { status: "approved", record };
  return { status: record.decision, authority: record.authority };
}

/**
 * Of two decisions with equal weight the one that denies wins. The key of a record makes that impossible in a
 * file of ours (A5); a snapshot that a host puts together itself must fail closed all the same.
 */
const SEVERITY: Readonly<Record<ApprovalDecision, number>> = { revoked: 2, rejected: 1, approved: 0 };

function byWeight(left: ApprovalRecord, right: ApprovalRecord): number {
  return (
    AUTHORITY_WEIGHT[right.authority] - AUTHORITY_WEIGHT[left.authority] ||
    SEVERITY[right.decision] - SEVERITY[left.decision] ||
    byRecency(left, right)
  );
}

function byCloseness(left: Candidate, right: Candidate): number {
  return left.differs.length - right.differs.length || byWeight(left.record, right.record);
}

function byRecency(left: ApprovalRecord, right: ApprovalRecord): number {
  if (left.decidedAtMs !== right.decidedAtMs) return right.decidedAtMs - left.decidedAtMs;
  // Last resort, so that no order of reading decides which record is shown as the closest.
  const [leftText, rightText] = [tieBreaker(left), tieBreaker(right)];
  return leftText < rightText ? -1 : leftText > rightText ? 1 : 0;
}

function tieBreaker(record: ApprovalRecord): string {
  return `${approvalKey(record)}${JSON.stringify(record)}`;
}
