import type { CoveredField } from "../definition/covered-field.ts";
import type { DefinitionSource } from "../definition/definition.ts";
import { type Outcome, accept, refuse } from "../outcome.ts";
import type {
  ActivationSubject,
  ApprovalAuthority,
  ApprovalDecision,
  ApprovalRecord,
  ApprovedLaunchFacts,
  Workspace,
} from "./approval.ts";
import { differingBinding, isWorkspaceBound } from "./subject.ts";

/**
 * An approval that was not given, so that nothing is to be written.
 *
 * - `untrusted`: the server is bound to a workspace that nobody trusted.
 * - `workspace-changed`: the workspace was replaced, or its trust withdrawn, since the subject was made.
 */
export interface ActivationDecisionRefusal {
  readonly kind: "activation-decision";
  readonly reason: "untrusted" | "workspace-changed";
  readonly serverId: string;
}

export interface ApprovalRequest {
  readonly subject: ActivationSubject;
  /** Who decides. `project` and `plugin` throw: what a workspace brings along never decides about itself (A4). */
  readonly authority: DefinitionSource;
  readonly decision: ApprovalDecision;
  /** What the approver saw, field by field. */
  readonly covered: readonly CoveredField[];
  /** What the approver fixed of a stdio launch (M2). Kept with an approval only. */
  readonly launch?: ApprovedLaunchFacts;
  /** The workspace of now. Needed to approve a `local`, `project` or `plugin` server. */
  readonly workspace?: Workspace;
  readonly nowMs: number;
}

/**
 * Makes the record of a decision (A4); writing it is the caller's next step. Approving inside an untrusted workspace
 * is refused; rejecting and revoking never are.
 *
 * @throws TypeError with code `authority-cannot-decide` for any authority but managed, user and local.
 */
export function decideApproval(request: ApprovalRequest): Outcome<ApprovalRecord, ActivationDecisionRefusal> {
  const authority = decidingAuthority(request.authority);
  const { subject, decision } = request;
  const record: ApprovalRecord = {
    decision,
    authority,
    subject,
    covered: request.covered,
    decidedAtMs: request.nowMs,
  };
  if (decision !== "approved") return accept(record);

  const reason = reasonNotToApprove(subject, request.workspace);
  if (reason !== undefined) {
    return refuse({ kind: "activation-decision", reason, serverId: subject.serverId });
  }
  return accept(request.launch === undefined ? record : { ...record, launch: sortedLaunch(request.launch) });
}

function decidingAuthority(authority: DefinitionSource): ApprovalAuthority {
  switch (authority) {
    case "managed":
    case "user":
    case "local":
      return authority;
    case "project":
    case "plugin":
    // A host in plain JavaScript can pass anything: everything else is refused the same way.
    // eslint-disable-next-line no-fallthrough
    default:
      throw Object.assign(new TypeError("only managed, user or local authority can decide an activation"), {
        code: "authority-cannot-decide",
      });
  }
}

function reasonNotToApprove(
  subject: ActivationSubject,
  workspace: Workspace | undefined,
): ActivationDecisionRefusal["reason"] | undefined {
  if (!isWorkspaceBound(subject.source)) return undefined;
  if (workspace?.trusted !== true) return "untrusted";
  return differingBinding(subject.workspace, workspace, true).length === 0 ? undefined : "workspace-changed";
}

function sortedLaunch(launch: ApprovedLaunchFacts): ApprovedLaunchFacts {
  return {
    ...launch,
    envKeys: launch.envKeys.toSorted(),
    codeChangingEnvKeys: launch.codeChangingEnvKeys.toSorted(),
  };
}
