import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  APPROVAL_RECORDS_LIMIT,
  decodeApprovalDocument,
} from "../../../src/domain/activation/approval-document.ts";
import { approvalDocument } from "../../../src/domain/activation/approval-records.ts";
import { makeRecord, makeSubject } from "../../kit/activation.ts";

const CORRUPT = { ok: false, refusal: "store-corrupt" };
const RECORD = makeRecord({
  launch: { executable: "/bin/x", cwd: "/w", envKeys: ["A"], codeChangingEnvKeys: [], allowShell: false },
});

/** As it comes out of a file. */
function written(change: (document: Record<string, unknown>) => unknown = (document) => document): unknown {
  return change(JSON.parse(JSON.stringify(approvalDocument({ records: [RECORD] }))));
}

/** A document whose one record has something else at `path`. */
function withChange(path: readonly string[], value: unknown): unknown {
  return written((document) => {
    let at = (document["records"] as Record<string, unknown>[])[0] ?? {};
    for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
    const last = path.at(-1) ?? "";
    if (value === undefined) delete at[last];
    else at[last] = value;
    return document;
  });
}

test("A5 a document is decoded to the records it was made of", () => {
  assert.deepEqual(decodeApprovalDocument(written()), { ok: true, value: { records: [RECORD] } });
});

const foreign: readonly (readonly [string, unknown])[] = [
  ["no object", null],
  ["a list", []],
  ["an empty object", {}],
  ["records without a version", { records: [] }],
  ["version 0", { version: 0, records: [] }],
  ["a version that is text", { version: "1", records: [] }],
  ["a version without records", { version: 1 }],
  ["an unknown key", { version: 1, records: [], enableAllProjectMcpServers: true }],
  ["an unknown key in a record", withChange(["autoApprove"], true)],
  ["an unknown decision", withChange(["decision"], "always")],
  ["a project's authority", withChange(["authority"], "project")],
  ["a plugin's authority", withChange(["authority"], "plugin")],
  ["an unknown source", withChange(["subject", "source"], "remote")],
  ["no fingerprint", withChange(["subject", "provenance", "fingerprint"], undefined)],
  ["a wildcard for a fingerprint", withChange(["subject", "provenance", "fingerprint"], "*")],
  ["a server id with a bidi character", withChange(["subject", "serverId"], "a\u202eb")],
  ["a generation below zero", withChange(["subject", "workspace", "generation"], -1)],
  ["a broken generation", withChange(["subject", "workspace", "generation"], 1.5)],
  ["a launch without its executable", withChange(["launch", "executable"], undefined)],
  ["a time that is text", withChange(["decidedAtMs"], "2030")],
];
for (const [what, value] of foreign) {
  test(`A1 a document with ${what} is corrupt as a whole`, () => {
    assert.deepEqual(decodeApprovalDocument(value), CORRUPT);
  });
}

test("A5 two records under one key make a document corrupt", () => {
  const records = [RECORD, { ...RECORD, decision: "rejected" }];

  assert.deepEqual(decodeApprovalDocument({ version: 1, records }), CORRUPT);
});

test("A1 a document of a later version is too new, whatever else is in it", () => {
  assert.deepEqual(decodeApprovalDocument({ version: 2, approvals: "else" }), {
    ok: false,
    refusal: "store-too-new",
  });
});

test("A5 a document holds as many records as the limit allows, and not one more", () => {
  const records = Array.from({ length: APPROVAL_RECORDS_LIMIT + 1 }, (_, index) =>
    makeRecord({ subject: makeSubject({ name: `server-${index}` }) }),
  );

  for (const count of [APPROVAL_RECORDS_LIMIT - 1, APPROVAL_RECORDS_LIMIT]) {
    assert.equal(decodeApprovalDocument({ version: 1, records: records.slice(0, count) }).ok, true);
  }
  assert.deepEqual(decodeApprovalDocument({ version: 1, records }), CORRUPT);
});

test("A1 decoding never throws", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(typeof decodeApprovalDocument(value).ok, "boolean");
      assert.equal(typeof decodeApprovalDocument({ version: 1, records: [value] }).ok, "boolean");
    }),
    { numRuns: 200 },
  );
});
