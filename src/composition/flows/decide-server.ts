import type {
  ApprovalAuthority,
  ApprovalDecision,
  ApprovalRecord,
  ApprovalSnapshot,
  Workspace,
} from "../../domain/activation/approval.ts";
import { decisionEvent } from "../../domain/activation/audit-event.ts";
import { decideApproval } from "../../domain/activation/decide.ts";
import type { ActivationDecisionRefusal } from "../../domain/activation/decide.ts";
import type { StoreRefusal } from "../../domain/activation/store-refusal.ts";
import type { ApprovalProposal } from "../../domain/host/approval-proposal.ts";
import type { HostRefusal } from "../../domain/host/refusal.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { ApprovalStore } from "../../ports/approval-store.ts";
import type { AuditSink } from "../../ports/audit-sink.ts";
import type { Clock } from "../../ports/clock.ts";

export interface DecisionPorts {
  readonly approvals: ApprovalStore;
  readonly audit: AuditSink;
  readonly clock: Clock;
}

export interface Decision {
  readonly decision: ApprovalDecision;
  readonly authority: ApprovalAuthority;
  readonly workspace: Workspace | undefined;
}

export interface Decided {
  readonly record: ApprovalRecord;
  readonly snapshot: ApprovalSnapshot;
}

/**
 * Writes a decision about what was proposed, then audits it. An approval that still lacks an allowance is
 * refused and writes nothing; a rejection or revocation needs none (A4, M4).
 */
export async function decideServer(
  proposal: Pick<ApprovalProposal, "subject" | "covered" | "launch" | "missing">,
  { decision, authority, workspace }: Decision,
  ports: DecisionPorts & { readonly signal: AbortSignal },
): Promise<Outcome<Decided, HostRefusal | ActivationDecisionRefusal | StoreRefusal>> {
  const { subject, covered, launch, missing } = proposal;
  const { serverId } = subject;
  if (decision === "approved" && missing.shell) {
    return refuse({ kind: "host", reason: "needs-allow-shell", serverId });
  }
  if (decision === "approved" && missing.envKeys.length > 0) {
    return refuse({ kind: "host", reason: "needs-allow-env", serverId, keys: missing.envKeys });
  }
  const decided = decideApproval({
    subject,
    authority,
    decision,
    covered,
    ...(launch === undefined
      ? {}
      : {
          launch: {
            executable: launch.executable,
            cwd: launch.cwd,
            envKeys: launch.envKeys,
            codeChangingEnvKeys: launch.codeChangingEnvKeys,
            allowShell: launch.shell,
          },
        }),
    ...(workspace === undefined ? {} : { workspace }),
    nowMs: ports.clock.nowMs(),
  });
  if (!decided.ok) return decided;
  const written = await ports.approvals.record(decided.value, { signal: ports.signal });
  if (!written.ok) return written;
  await ports.audit.append(decisionEvent(decided.value));
  return accept({ record: decided.value, snapshot: written.value });
}
