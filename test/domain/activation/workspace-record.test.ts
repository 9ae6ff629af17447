import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  WORKSPACES_LIMIT,
  decodeWorkspaceDocument,
} from "../../../src/domain/activation/workspace-document.ts";
import {
  type ObservedFolder,
  type WorkspaceRecord,
  recordAfterLook,
  recordAfterTrust,
  repositoryIdentity,
  workspaceDocument,
  workspaceKey,
  workspaceOf,
} from "../../../src/domain/activation/workspace-record.ts";

const FOLDER: ObservedFolder = { root: "/work/one", inode: "12", createdNs: "1800000000000000001" };

for (const [part, other] of [
  ["root", { ...FOLDER, root: "/work/two" }],
  ["inode", { ...FOLDER, inode: "13" }],
  ["time of creation", { ...FOLDER, createdNs: "1800000000000000002" }],
] as const) {
  test(`A2 a folder with another ${part} is another repository`, () => {
    assert.notEqual(repositoryIdentity(other), repositoryIdentity(FOLDER));
  });
}

test("A2 the parts of an identity cannot run into each other", () => {
  const left = repositoryIdentity({ root: "/a", inode: "1", createdNs: "23" });
  const right = repositoryIdentity({ root: "/a", inode: "12", createdNs: "3" });

  assert.notEqual(left, right);
});

test("M1 the key of a workspace is made of its root alone and is a plain file name", () => {
  assert.match(workspaceKey("/work/one"), /^[0-9a-f]{32}$/);
  assert.notEqual(workspaceKey("/work/one"), workspaceKey("/work/two"));
});

test("A2 looking at a folder that nobody trusted leaves nothing to remember", () => {
  assert.equal(recordAfterLook(FOLDER, undefined), undefined);
  assert.equal(recordAfterTrust(FOLDER, undefined, false), undefined);
});

test("A2 the old folder does not get its trust back once another one was seen in its place", () => {
  const trusted = recordAfterTrust(FOLDER, undefined, true);
  const replaced = recordAfterLook({ ...FOLDER, inode: "13" }, trusted);
  const back = recordAfterLook(FOLDER, replaced);

  assert.deepEqual(workspaceOf(FOLDER, back), {
    repositoryIdentity: repositoryIdentity(FOLDER),
    generation: 3,
    trusted: false,
  });
});

test("A2 whatever happens to a workspace, its generation never shrinks, and trust lasts only as long as it does", () => {
  const step = fc.record({
    inode: fc.constantFrom("1", "2"),
    act: fc.constantFrom("look" as const, "trust" as const, "untrust" as const),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let known: WorkspaceRecord | undefined;
      let before = workspaceOf({ ...FOLDER, inode: steps[0]?.inode ?? "1" }, known);
      for (const { inode, act } of steps) {
        const folder = { ...FOLDER, inode };
        const next =
          act === "look" ? recordAfterLook(folder, known) : recordAfterTrust(folder, known, act === "trust");
        known = next ?? known;
        const now = workspaceOf(folder, known);
        const lost =
          before.trusted && (act === "untrust" || now.repositoryIdentity !== before.repositoryIdentity);

        assert.ok(lost ? now.generation > before.generation : now.generation >= before.generation);
        if (act !== "trust") assert.equal(now.trusted, before.trusted && !lost);
        before = now;
      }
    }),
    { numRuns: 300 },
  );
});

const RECORD: WorkspaceRecord = { ...FOLDER, generation: 2, trusted: true };
const DOCUMENT = workspaceDocument(new Map([[RECORD.root, RECORD]]));

test("A2 a registry document is decoded to the workspaces it was made of", () => {
  assert.deepEqual(decodeWorkspaceDocument(JSON.parse(JSON.stringify(DOCUMENT))), {
    ok: true,
    value: new Map([[RECORD.root, RECORD]]),
  });
});

for (const [what, value] of [
  ["no version", { workspaces: [] }],
  ["an unknown key", { ...DOCUMENT, trustAll: true }],
  ["a workspace twice", { version: 1, workspaces: [RECORD, { ...RECORD, trusted: false }] }],
  ["a generation of zero", { version: 1, workspaces: [{ ...RECORD, generation: 0 }] }],
  ["trust that is text", { version: 1, workspaces: [{ ...RECORD, trusted: "yes" }] }],
  ["an inode that is a number", { version: 1, workspaces: [{ ...RECORD, inode: 12 }] }],
  ["a workspace without a root", { version: 1, workspaces: [{ ...RECORD, root: "" }] }],
] as const) {
  test(`A2 a registry document with ${what} is corrupt as a whole`, () => {
    assert.deepEqual(decodeWorkspaceDocument(value), { ok: false, refusal: "store-corrupt" });
  });
}

test("A2 a registry document of a later version is too new", () => {
  assert.deepEqual(decodeWorkspaceDocument({ version: 2 }), { ok: false, refusal: "store-too-new" });
});

test("A2 a registry document holds as many workspaces as the limit allows, and not one more", () => {
  const workspaces = Array.from({ length: WORKSPACES_LIMIT + 1 }, (_, index) => ({
    ...RECORD,
    root: `/work/${index}`,
  }));

  for (const count of [WORKSPACES_LIMIT - 1, WORKSPACES_LIMIT]) {
    assert.equal(decodeWorkspaceDocument({ version: 1, workspaces: workspaces.slice(0, count) }).ok, true);
  }
  assert.deepEqual(decodeWorkspaceDocument({ version: 1, workspaces }), {
    ok: false,
    refusal: "store-corrupt",
  });
});
