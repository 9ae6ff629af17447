import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type {
  ActivationSubject,
  ApprovalRecord,
  Workspace,
} from "../../../src/domain/activation/approval.ts";
import { withRecord } from "../../../src/domain/activation/approval-records.ts";
import { decideApproval } from "../../../src/domain/activation/decide.ts";
import { matchActivation } from "../../../src/domain/activation/match.ts";
import { DEFINITION_SOURCES, type DefinitionSource } from "../../../src/domain/definition/definition.ts";
import { OTHER_WORKSPACE, TRUSTED, digestOf, makeRecord, makeSubject } from "../../kit/activation.ts";

const source = fc.constantFrom(...DEFINITION_SOURCES);
const content = fc.constantFrom("one", "two", "three");
const workspace = fc.constantFrom(TRUSTED, OTHER_WORKSPACE);

const subject = fc
  .record({ name: fc.constantFrom("a", "b"), source, content, origin: fc.constantFrom("/x", "/y") })
  .chain((facts) => workspace.map((place) => makeSubject(facts, place)));

const record: fc.Arbitrary<ApprovalRecord> = fc.record(
  {
    subject,
    authority: fc.constantFrom("managed" as const, "user" as const, "local" as const),
    decision: fc.constantFrom("approved" as const, "rejected" as const, "revoked" as const),
    decidedAtMs: fc.integer({ min: 0, max: 3 }),
    covered: fc.constant([]),
  },
  { noNullPrototype: true },
);

/** Every way to change one part of a subject. A part that a new field adds has to be listed here to compile. */
const CHANGES: {
  readonly [Part in keyof Required<ActivationSubject>]: readonly ((
    from: ActivationSubject,
    to: string,
  ) => ActivationSubject)[];
} = {
  serverId: [(from, to) => ({ ...from, serverId: `${from.serverId}${to}` })],
  source: [(from) => ({ ...from, source: nextSource(from.source) })],
  provenance: [
    (from) => ({ ...from, provenance: { ...from.provenance, kind: nextSource(from.provenance.kind) } }),
    (from, to) => ({
      ...from,
      provenance: { ...from.provenance, origin: `${from.provenance.origin}${to}` },
    }),
    (from, to) => ({ ...from, provenance: { ...from.provenance, fingerprint: digestOf(to) } }),
  ],
  securityIdentity: [(from, to) => ({ ...from, securityIdentity: digestOf(to) })],
  workspace: [
    (from, to) => withWorkspace(from, { ...TRUSTED, repositoryIdentity: digestOf(to) }),
    (from) => withWorkspace(from, { ...TRUSTED, generation: TRUSTED.generation + 1 }),
    (from) => withoutWorkspace(from),
  ],
};

test("A2 any change to any part of the subject stops it from being approved", () => {
  const change = fc.constantFrom(...Object.values(CHANGES).flat());
  fc.assert(
    fc.property(source, change, fc.string({ minLength: 1, maxLength: 8 }), (from, apply, text) => {
      const approved = makeSubject({ source: from });
      const records = [makeRecord({ subject: approved })];
      const now = apply(approved, text);
      fc.pre(JSON.stringify(now) !== JSON.stringify(approved));

      const before = matchActivation(approved, { records }, { workspace: TRUSTED });
      const after = matchActivation(now, { records }, { workspace: TRUSTED });

      assert.equal(before.status, "approved");
      assert.notEqual(after.status, "approved");
    }),
    { numRuns: 300 },
  );
});

test("A3 the order of the records never changes the status", () => {
  fc.assert(
    fc.property(
      fc
        .array(record, { maxLength: 8 })
        .chain((records) =>
          fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
        ),
      subject,
      ([records, shuffled], now) => {
        assert.deepEqual(
          matchActivation(now, { records: shuffled }, { workspace: TRUSTED }),
          matchActivation(now, { records }, { workspace: TRUSTED }),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test("A4 a project or a plugin can never decide about anything, in any workspace", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<DefinitionSource>("project", "plugin"),
      subject,
      fc.constantFrom("approved" as const, "rejected" as const, "revoked" as const),
      fc.constantFrom<Workspace | undefined>(TRUSTED, undefined),
      (authority, about, decision, place) => {
        const request = { subject: about, authority, decision, covered: [], nowMs: 1 };
        assert.throws(
          () => decideApproval(place === undefined ? request : { ...request, workspace: place }),
          {
            name: "TypeError",
            code: "authority-cannot-decide",
          },
        );
      },
    ),
    { numRuns: 100 },
  );
});

test("A1 whatever approves a subject is an approval of exactly that subject", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), subject, (records, now) => {
      const status = matchActivation(now, { records }, { workspace: TRUSTED });
      if (status.status !== "approved") return;
      assert.equal(status.record.decision, "approved");
      assert.deepEqual(status.record.subject, now);
    }),
    { numRuns: 300 },
  );
});

test("A5 writing a record loses no record but the one it replaces", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), (records) => {
      const kept = new Map<string, ApprovalRecord>();
      let snapshot: { readonly records: readonly ApprovalRecord[] } = { records: [] };
      for (const next of records) {
        const repository = next.subject.workspace?.repositoryIdentity ?? "";
        kept.set(`${next.subject.serverId} ${next.authority} ${repository}`, next);
        snapshot = withRecord(snapshot, next);
      }

      assert.deepEqual(new Set(snapshot.records), new Set(kept.values()));
    }),
    { numRuns: 200 },
  );
});

function nextSource(from: DefinitionSource): DefinitionSource {
  const at = DEFINITION_SOURCES.indexOf(from);
  return DEFINITION_SOURCES[(at + 1) % DEFINITION_SOURCES.length] ?? "managed";
}

function withWorkspace(from: ActivationSubject, place: Workspace): ActivationSubject {
  return { ...from, workspace: place };
}

function withoutWorkspace(from: ActivationSubject): ActivationSubject {
  const { workspace: _, ...rest } = from;
  return rest;
}
