import type { ActivationStatus, ActivationSubject } from "../activation/approval.ts";
import type { ServerDefinition } from "../definition/definition.ts";
import { type Outcome, accept, refuse } from "../outcome.ts";
import { type StdioRefusal, stdioRefusal } from "./refusal.ts";

/** An activation as it was asked for one definition: what was asked, and what came back. */
export interface ActivationAnswer {
  readonly subject: ActivationSubject;
  readonly status: ActivationStatus;
}

/**
 * Checks steps 1 and 2 of X2: the activation is about exactly this definition, and it says yes.
 *
 * The record behind a yes is compared again, field by field: a store that answered with another server's
 * record must not start this one.
 */
export function checkActivation(
  definition: ServerDefinition,
  { subject, status }: ActivationAnswer,
): Outcome<true, StdioRefusal> {
  if (!isAbout(definition, subject)) return refuse(stdioRefusal("definition-identity", "other-subject"));
  if (status.status !== "approved") return refuse(stdioRefusal("activation", status.status));
  if (status.record.decision !== "approved") return refuse(stdioRefusal("activation", "rejected"));
  if (!isSameSubject(status.record.subject, subject)) {
    return refuse(stdioRefusal("definition-identity", "other-record"));
  }
  return accept(true);
}

function isAbout(definition: ServerDefinition, subject: ActivationSubject): boolean {
  return (
    subject.serverId === definition.name &&
    subject.source === definition.source &&
    subject.provenance.kind === definition.source &&
    subject.provenance.origin === definition.origin &&
    subject.provenance.fingerprint === definition.fingerprint &&
    subject.securityIdentity === definition.securityIdentity
  );
}

function isSameSubject(one: ActivationSubject, other: ActivationSubject): boolean {
  return (
    one.serverId === other.serverId &&
    one.source === other.source &&
    one.provenance.kind === other.provenance.kind &&
    one.provenance.origin === other.provenance.origin &&
    one.provenance.fingerprint === other.provenance.fingerprint &&
    one.securityIdentity === other.securityIdentity &&
    one.workspace?.repositoryIdentity === other.workspace?.repositoryIdentity &&
    one.workspace?.generation === other.workspace?.generation
  );
}
