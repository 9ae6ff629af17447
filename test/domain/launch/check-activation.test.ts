import assert from "node:assert/strict";
import test from "node:test";

import type { ActivationStatus, ActivationSubject } from "../../../src/domain/activation/approval.ts";
import { checkActivation } from "../../../src/domain/launch/check-activation.ts";
import { approvedStatus, stdioDefinition, subjectFor } from "../../kit/stdio-definition.ts";

const DEFINITION = stdioDefinition({ command: "server" });
const SUBJECT = subjectFor(DEFINITION);
const WORKSPACE = { repositoryIdentity: "a".repeat(64), generation: 1 };

test("X2 an approval of exactly this definition passes", () => {
  const answer = { subject: SUBJECT, status: approvedStatus(SUBJECT) };

  assert.deepEqual(checkActivation(DEFINITION, answer), { ok: true, value: true });
});

const OTHER_SUBJECTS: readonly (readonly [part: string, subject: ActivationSubject])[] = [
  ["server id", { ...SUBJECT, serverId: "other" }],
  ["source", { ...SUBJECT, source: "managed" }],
  ["provenance kind", { ...SUBJECT, provenance: { ...SUBJECT.provenance, kind: "managed" } }],
  ["origin", { ...SUBJECT, provenance: { ...SUBJECT.provenance, origin: "/other.json" } }],
  ["fingerprint", { ...SUBJECT, provenance: { ...SUBJECT.provenance, fingerprint: "0".repeat(64) } }],
  ["security identity", { ...SUBJECT, securityIdentity: "0".repeat(64) }],
];

for (const [part, subject] of OTHER_SUBJECTS) {
  test(`X2 an activation about another ${part} is refused as definition-identity, approved or not`, () => {
    assert.deepEqual(checkActivation(DEFINITION, { subject, status: approvedStatus(subject) }), {
      ok: false,
      refusal: { kind: "stdio", reason: "definition-identity", detail: "other-subject" },
    });
  });

  test(`X2 a record about another ${part} is refused as definition-identity`, () => {
    assert.deepEqual(checkActivation(DEFINITION, { subject: SUBJECT, status: approvedStatus(subject) }), {
      ok: false,
      refusal: { kind: "stdio", reason: "definition-identity", detail: "other-record" },
    });
  });
}

for (const workspace of [WORKSPACE, { ...WORKSPACE, generation: 2 }]) {
  test(`X2 a record of workspace generation ${workspace.generation} does not approve without a workspace`, () => {
    const status = approvedStatus({ ...SUBJECT, workspace });

    assert.equal(checkActivation(DEFINITION, { subject: SUBJECT, status }).ok, false);
  });
}

test("X2 a record of another workspace generation is refused", () => {
  const subject = { ...SUBJECT, workspace: WORKSPACE };
  const status = approvedStatus({ ...SUBJECT, workspace: { ...WORKSPACE, generation: 2 } });

  assert.equal(checkActivation(DEFINITION, { subject, status }).ok, false);
});

const APPROVED = approvedStatus(SUBJECT);
assert.ok(APPROVED.status === "approved");

const REFUSED: readonly ActivationStatus[] = [
  { status: "pending" },
  { status: "stale", differs: ["fingerprint"], record: APPROVED.record },
  { status: "rejected", authority: "user" },
  { status: "revoked", authority: "managed" },
  { status: "untrusted" },
];

for (const status of REFUSED) {
  test(`X2 an activation that is ${status.status} is refused as activation/${status.status}`, () => {
    assert.deepEqual(checkActivation(DEFINITION, { subject: SUBJECT, status }), {
      ok: false,
      refusal: { kind: "stdio", reason: "activation", detail: status.status },
    });
  });
}

test("X2 an approved status over a record that rejects is refused", () => {
  const status = { ...APPROVED, record: { ...APPROVED.record, decision: "revoked" as const } };

  assert.equal(checkActivation(DEFINITION, { subject: SUBJECT, status }).ok, false);
});
