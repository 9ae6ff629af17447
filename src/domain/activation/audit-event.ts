import type { DefinitionSource } from "../definition/definition.ts";
import type { GateRecord } from "../gate/gate-record.ts";
import type { ActivationSubject, ApprovalDecision, ApprovalRecord, Workspace } from "./approval.ts";
import { bindingOf } from "./subject.ts";

/** Bytes of one line, its end included. The longest event that `encodeAuditEvent` makes stays below. */
export const AUDIT_LINE_LIMIT_BYTES = 4_096;

/** What happened (A6). Closed set. */
export const AUDIT_ACTIONS = [
  "approve",
  "reject",
  "revoke",
  "accept",
  "trust",
  "untrust",
  "admission-refused",
  "connection-closed",
  "sign-in",
  "sign-in-refused",
  "sign-out",
  /** A request to what is served was turned away. */
  "request-refused",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One line of the audit log. Never an endpoint, header, argument or token. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly atMs: number;
  readonly serverId?: string;
  readonly source?: DefinitionSource;
  readonly fingerprint?: string;
  readonly securityIdentity?: string;
  readonly repositoryIdentity?: string;
  readonly generation?: number;
  readonly authority?: "managed" | "user" | "local";
  /** `kind/reason` of the refusal, or the decision's own closed reason. */
  readonly reason?: string;
}

const ACTION_OF: Readonly<Record<ApprovalDecision, AuditAction>> = {
  approved: "approve",
  rejected: "reject",
  revoked: "revoke",
};

/** The event of a decision that was written. */
export function decisionEvent(record: ApprovalRecord): AuditEvent {
  return {
    action: ACTION_OF[record.decision],
    atMs: record.decidedAtMs,
    ...identities(record.subject),
    authority: record.authority,
  };
}

/** The event of a server that was not let in, with the refusal's closed words and nothing else of it. */
export function admissionRefusedEvent(
  subject: ActivationSubject,
  refusal: { readonly kind: string; readonly reason: string },
  atMs: number,
): AuditEvent {
  return {
    action: "admission-refused",
    atMs,
    ...identities(subject),
    reason: `${refusal.kind}/${refusal.reason}`,
  };
}

/** The event of tools that a person took as they are now (A7). Their names are a server's words: none is in it. */
export function toolsAcceptedEvent(subject: ActivationSubject, atMs: number): AuditEvent {
  return { action: "accept", atMs, ...identities(subject), authority: "user" };
}

/** The event of a live connection that had to go (A6b). */
export function connectionClosedEvent(subject: ActivationSubject, reason: string, atMs: number): AuditEvent {
  return { action: "connection-closed", atMs, ...identities(subject), reason };
}

/** The event of a sign-in or a sign-out, with closed words only. */
export function signInEvent(event: {
  readonly action: "sign-in" | "sign-in-refused" | "sign-out";
  readonly serverId: string;
  readonly securityIdentity: string;
  readonly atMs: number;
  readonly reason: string | undefined;
}): AuditEvent {
  const { action, atMs, serverId, securityIdentity, reason } = event;
  return { action, atMs, serverId, securityIdentity, ...(reason !== undefined && { reason }) };
}

/** The event of a request that a gate turned away (R7): why, and what kind of address it came from. */
export function requestRefusedEvent({ reason, address }: GateRecord, atMs: number): AuditEvent {
  return { action: "request-refused", atMs, reason: `${reason}/${address}` };
}

/** The event of trust given to a workspace, or taken from it. */
export function trustEvent(workspace: Workspace, atMs: number): AuditEvent {
  return {
    action: workspace.trusted ? "trust" : "untrust",
    atMs,
    repositoryIdentity: workspace.repositoryIdentity,
    generation: workspace.generation,
  };
}

function identities(subject: ActivationSubject): Partial<AuditEvent> {
  return {
    serverId: subject.serverId,
    source: subject.source,
    fingerprint: subject.provenance.fingerprint,
    securityIdentity: subject.securityIdentity,
    ...(subject.workspace === undefined ? {} : bindingOf(subject.workspace)),
  };
}
