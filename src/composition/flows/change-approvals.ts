import type {
  ActivationSubject,
  ApprovalAuthority,
  ApprovalDecision,
  ApprovalRecord,
} from "../../domain/activation/approval.ts";
import { activationSubject } from "../../domain/activation/subject.ts";
import { coveredFields } from "../../domain/definition/fingerprint.ts";
import type { ApprovalProposal } from "../../domain/host/approval-proposal.ts";
import { refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { decideServer } from "./decide-server.ts";
import type { Decided, DecisionPorts } from "./decide-server.ts";
import type { HostState } from "./host-state.ts";
import { proposeApproval } from "./propose-approval.ts";
import type { ApprovalTerms, ProposalContext } from "./propose-approval.ts";

type Subject = Pick<ApprovalProposal, "subject" | "covered" | "launch" | "missing">;

export interface ChangeContext extends DecisionPorts {
  readonly state: HostState;
  readonly signal: AbortSignal;
  readonly authority: ApprovalAuthority;
}

/**
 * Approves what is there now. With `seen`, only if that is what the person saw: a definition, an executable or
 * a folder that changed in between is refused and nothing is written.
 */
export async function approveServer(
  name: string,
  ask: { readonly terms: ApprovalTerms; readonly seen: ApprovalProposal | undefined },
  context: ChangeContext & Pick<ProposalContext, "finder" | "probe" | "workspaceFolder" | "userFolder">,
): Promise<Outcome<Decided, Refusal>> {
  const server = context.state.byName.get(name);
  if (server === undefined) return refuse({ kind: "host", reason: "unknown-server", serverId: name });
  const proposal = await proposeApproval(server, ask.terms, proposalContext(context));
  if (!proposal.ok) return proposal;
  if (ask.seen !== undefined && !isSame(ask.seen, proposal.value)) {
    return refuse({ kind: "host", reason: "changed-meanwhile", serverId: name });
  }
  return decide("approved", proposal.value, context);
}

/**
 * Rejects or revokes, whether or not there is something to approve: a definition that is broken or gone keeps
 * its records, and each of them is answered.
 */
export async function denyServer(
  name: string,
  decision: Exclude<ApprovalDecision, "approved">,
  context: ChangeContext,
): Promise<Outcome<Decided, Refusal>> {
  const subjects = subjectsToDeny(name, context.state);
  let last: Outcome<Decided, Refusal> = refuse({ kind: "host", reason: "unknown-server", serverId: name });
  for (const subject of subjects) {
    last = await decide(decision, subject, context);
    if (!last.ok) return last;
  }
  return last;
}

function subjectsToDeny(name: string, state: HostState): readonly Subject[] {
  const bare = { launch: undefined, missing: { envKeys: [], shell: false } };
  const server = state.byName.get(name);
  if (server !== undefined && server.status !== "unresolved") {
    const { definition } = server;
    const subject = activationSubject(definition, state.workspace);
    return [{ subject, covered: coveredFields(definition), ...bare }];
  }
  return state.snapshot.records
    .filter((record) => record.subject.serverId === name && isReachable(record, state))
    .map(({ subject, covered }) => ({ subject, covered, launch: bare.launch, missing: bare.missing }));
}

/** Records of other workspaces are theirs. */
function isReachable(record: ApprovalRecord, state: HostState): boolean {
  const { workspace } = record.subject;
  return workspace === undefined || workspace.repositoryIdentity === state.workspace?.repositoryIdentity;
}

function decide(
  decision: ApprovalDecision,
  subject: Subject,
  context: ChangeContext,
): Promise<Outcome<Decided, Refusal>> {
  const { authority, state } = context;
  return decideServer(subject, { decision, authority, workspace: state.workspace }, context);
}

export function proposalContext(
  context: Pick<ProposalContext, "finder" | "probe" | "workspaceFolder" | "userFolder"> & {
    readonly state: HostState;
  },
): ProposalContext {
  const { state, finder, probe, workspaceFolder, userFolder } = context;
  const { workspace, snapshot } = state;
  return { finder, probe, workspaceFolder, userFolder, workspace, records: snapshot.records };
}

function isSame(seen: ApprovalProposal, now: ApprovalProposal): boolean {
  return (
    sameSubject(seen.subject, now.subject) &&
    seen.launch?.executable === now.launch?.executable &&
    seen.launch?.cwd === now.launch?.cwd &&
    seen.launch?.shell === now.launch?.shell
  );
}

function sameSubject(one: ActivationSubject, other: ActivationSubject): boolean {
  return (
    one.securityIdentity === other.securityIdentity &&
    one.provenance.fingerprint === other.provenance.fingerprint &&
    one.workspace?.repositoryIdentity === other.workspace?.repositoryIdentity &&
    one.workspace?.generation === other.workspace?.generation
  );
}
