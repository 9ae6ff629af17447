import assert from "node:assert/strict";
import { test } from "node:test";

import type {
  ActivationStatus,
  ActivationSubject,
  ApprovalRecord,
  StalePart,
  Workspace,
} from "../../../src/domain/activation/approval.ts";
import { activationRefusal, matchActivation } from "../../../src/domain/activation/match.ts";
import { DEFINITION_SOURCES } from "../../../src/domain/definition/definition.ts";
import {
  OTHER_WORKSPACE,
  TRUSTED,
  UNTRUSTED,
  digestOf,
  makeRecord,
  makeSubject,
} from "../../kit/activation.ts";

function statusOf(
  subject: ActivationSubject,
  records: readonly ApprovalRecord[],
  workspace: Workspace | undefined = TRUSTED,
): ActivationStatus {
  return matchActivation(subject, { records }, workspace === undefined ? {} : { workspace });
}

for (const source of DEFINITION_SOURCES) {
  test(`A1 a ${source} server is not approved without a record`, () => {
    assert.deepEqual(statusOf(makeSubject({ source }), []), { status: "pending" });
  });

  test(`A2 a ${source} server is approved by a record of exactly its subject`, () => {
    const record = makeRecord({ subject: makeSubject({ source }) });

    assert.deepEqual(statusOf(makeSubject({ source }), [record]), { status: "approved", record });
  });
}

test("A2 a record of another server id is no record", () => {
  const record = makeRecord({ subject: makeSubject({ name: "another" }) });

  assert.deepEqual(statusOf(makeSubject(), [record]), { status: "pending" });
});

const subject = makeSubject();
const changed: readonly (readonly [string, ActivationSubject, readonly StalePart[]])[] = [
  ["source", { ...subject, source: "plugin" }, ["source"]],
  ["provenance kind", { ...subject, provenance: { ...subject.provenance, kind: "plugin" } }, ["source"]],
  [
    "origin",
    { ...subject, provenance: { ...subject.provenance, origin: "/elsewhere/.mcp.json" } },
    ["origin"],
  ],
  [
    "fingerprint",
    { ...subject, provenance: { ...subject.provenance, fingerprint: digestOf("changed") } },
    ["fingerprint"],
  ],
  ["security identity", { ...subject, securityIdentity: digestOf("changed") }, ["security-identity"]],
  [
    "repository",
    { ...subject, workspace: { ...TRUSTED, repositoryIdentity: digestOf("another") } },
    ["repository"],
  ],
  ["generation", { ...subject, workspace: { ...TRUSTED, generation: 2 } }, ["generation"]],
];
for (const [part, recorded, differs] of changed) {
  test(`A3 a record with another ${part} is stale and says so`, () => {
    const record = makeRecord({ subject: recorded });

    assert.deepEqual(statusOf(subject, [record]), { status: "stale", differs, record });
  });
}

test("A3 stale names every part that differs, and the record that comes closest", () => {
  const far = makeRecord({
    authority: "managed",
    subject: makeSubject({ source: "local", origin: "/far", content: "far" }),
  });
  const near = makeRecord({ authority: "local", subject: makeSubject({ content: "near" }) });

  assert.deepEqual(statusOf(subject, [far, near]), {
    status: "stale",
    differs: ["fingerprint"],
    record: near,
  });
  assert.deepEqual(statusOf(subject, [far]), {
    status: "stale",
    differs: ["source", "origin", "fingerprint", "security-identity"],
    record: far,
  });
});

test("A3 of two records that come equally close the newer one is shown", () => {
  const older = makeRecord({ subject: makeSubject({ content: "older" }), decidedAtMs: 1 });
  const newer = makeRecord({ subject: makeSubject({ content: "newer" }), decidedAtMs: 2 });

  const status = statusOf(subject, [older, newer]);

  assert.equal(status.status === "stale" && status.record, newer);
});

test("A3 of two records that are equal in all that counts the same one is shown in any order", () => {
  const one = makeRecord({ subject: makeSubject({ content: "one" }) });
  const two = makeRecord({ subject: makeSubject({ content: "two" }) });

  assert.deepEqual(statusOf(subject, [one, two]), statusOf(subject, [two, one]));
});

for (const source of ["managed", "user"] as const) {
  test(`A2 a ${source} record that carries a workspace never matches`, () => {
    const unbound = makeSubject({ source });
    assert.equal(unbound.workspace, undefined);
    const record = makeRecord({ subject: { ...unbound, workspace: TRUSTED } });

    assert.deepEqual(statusOf(unbound, [record]), { status: "stale", differs: ["repository"], record });
  });

  test(`A3 a ${source} server needs no workspace at all`, () => {
    const unbound = makeSubject({ source });
    const record = makeRecord({ subject: unbound });

    for (const workspace of [undefined, UNTRUSTED]) {
      const options = workspace === undefined ? {} : { workspace };
      assert.equal(matchActivation(unbound, { records: [record] }, options).status, "approved");
    }
  });
}

for (const source of ["local", "project", "plugin"] as const) {
  test(`A2 a ${source} record without a workspace never matches`, () => {
    const bound = makeSubject({ source });
    const { workspace: _, ...unbound } = bound;
    const record = makeRecord({ subject: unbound });

    assert.deepEqual(statusOf(bound, [record]), { status: "stale", differs: ["repository"], record });
  });

  test(`A3 a ${source} server is untrusted in an untrusted workspace, whatever was approved`, () => {
    const bound = makeSubject({ source });

    assert.deepEqual(statusOf(bound, [makeRecord({ subject: bound })], UNTRUSTED), { status: "untrusted" });
  });

  test(`A3 a ${source} server is untrusted outside any workspace`, () => {
    const bound = makeSubject({ source });

    assert.deepEqual(matchActivation(bound, { records: [makeRecord({ subject: bound })] }, {}), {
      status: "untrusted",
    });
  });
}

test("A2 an approval does not reach another workspace", () => {
  const record = makeRecord();
  const elsewhere = makeSubject({}, OTHER_WORKSPACE);

  assert.deepEqual(statusOf(elsewhere, [record], OTHER_WORKSPACE), {
    status: "stale",
    differs: ["repository", "generation"],
    record,
  });
});

test("A2 a subject made before the workspace's trust was withdrawn is not approved in the one of now", () => {
  const record = makeRecord();
  const now: Workspace = { ...TRUSTED, generation: TRUSTED.generation + 1 };

  assert.deepEqual(statusOf(subject, [record], now), { status: "stale", differs: ["generation"], record });
});

const weights = [
  ["managed", "user"],
  ["managed", "local"],
  ["user", "local"],
] as const;
for (const decision of ["rejected", "revoked"] as const) {
  for (const [heavy, light] of weights) {
    test(`A4 ${decision} by ${heavy} beats an approval by ${light}`, () => {
      const records = [makeRecord({ authority: light }), makeRecord({ authority: heavy, decision })];

      assert.deepEqual(statusOf(subject, records), { status: decision, authority: heavy });
    });

    test(`A4 an approval by ${heavy} beats ${decision} by ${light}`, () => {
      const approval = makeRecord({ authority: heavy });
      const records = [makeRecord({ authority: light, decision }), approval];

      assert.deepEqual(statusOf(subject, records), { status: "approved", record: approval });
    });
  }

  test(`A4 ${decision} beats an approval of the same weight, should a snapshot hold both`, () => {
    const records = [makeRecord(), makeRecord({ decision, decidedAtMs: 1 })];

    assert.deepEqual(statusOf(subject, records), { status: decision, authority: "user" });
  });

  test(`A4 ${decision} about another fingerprint does not stop an exact approval`, () => {
    const approval = makeRecord({ authority: "local" });
    const other = makeRecord({ authority: "managed", decision, subject: makeSubject({ content: "other" }) });

    assert.deepEqual(statusOf(subject, [other, approval]), { status: "approved", record: approval });
  });
}

test("A3 only approved admits: every other status is a refusal of the same name", () => {
  const record = makeRecord();
  const statuses: { readonly [Status in ActivationStatus["status"]]: ActivationStatus } = {
    approved: { status: "approved", record },
    pending: { status: "pending" },
    stale: { status: "stale", differs: ["fingerprint"], record },
    rejected: { status: "rejected", authority: "user" },
    revoked: { status: "revoked", authority: "user" },
    untrusted: { status: "untrusted" },
  };

  for (const [name, status] of Object.entries(statuses)) {
    const expected = name === "approved" ? undefined : { kind: "activation", reason: name, serverId: "s" };
    assert.deepEqual(activationRefusal(status, "s"), expected);
  }
});
