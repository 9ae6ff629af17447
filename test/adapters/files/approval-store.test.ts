import assert from "node:assert/strict";
import { chmod, link, mkdir, readFile, readdir, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { createFileApprovalStore } from "../../../src/adapters/files/approval-store.ts";
import { STATE_FILE_LIMIT_BYTES } from "../../../src/adapters/files/state-file.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import type { ApprovalStore } from "../../../src/ports/approval-store.ts";
import { NEVER, makeRecord, valueOf } from "../../kit/activation.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { approvalStoreContract } from "../../ports/approval-store.contract.ts";

approvalStoreContract("file", async (t) =>
  createFileApprovalStore({ folder: join(await tempFolder(t), "home"), clock: createSystemClock() }),
);

interface Place {
  readonly home: string;
  readonly path: string;
  readonly store: ApprovalStore;
}

async function makePlace(t: TestContext): Promise<Place> {
  const home = join(await tempFolder(t), "home");
  const store = createFileApprovalStore({ folder: home, clock: createSystemClock() });
  return { home, path: join(home, "approvals.json"), store };
}

/** A home with one approval in it. */
async function makeUsedPlace(t: TestContext): Promise<Place> {
  const place = await makePlace(t);
  valueOf(await place.store.record(makeRecord(), { signal: NEVER }));
  return place;
}

/** Neither reading nor writing gets anywhere, and both say why. */
async function assertRefused(store: ApprovalStore, reason: string): Promise<void> {
  const refused = { ok: false, refusal: { kind: "store", reason } };
  assert.deepEqual(await store.load({ signal: NEVER }), refused);
  assert.deepEqual(await store.record(makeRecord(), { signal: NEVER }), refused);
}

test("M1 loading creates nothing", async (t) => {
  const { home, store } = await makePlace(t);

  await store.load({ signal: NEVER });

  await assert.rejects(stat(home), { code: "ENOENT" });
});

test("M1 the home that is created and the file in it belong to their owner alone", async (t) => {
  const { home, path } = await makeUsedPlace(t);

  assert.equal((await stat(home)).mode & 0o777, 0o700);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("M1 a home that others may look into keeps its mode; the file is its owner's alone all the same", async (t) => {
  const { home, path, store } = await makePlace(t);
  await mkdir(home, { mode: 0o755 });

  valueOf(await store.record(makeRecord(), { signal: NEVER }));

  assert.equal((await stat(home)).mode & 0o777, 0o755);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("A5 the file is JSON that a person can read, with a version word", async (t) => {
  const { path } = await makeUsedPlace(t);

  const text = await readFile(path, "utf8");

  assert.deepEqual(JSON.parse(text), { version: 1, records: [makeRecord()] });
  assert.match(text, /^\{\n {2}"version": 1,\n/);
  assert.ok(text.endsWith("}\n"));
});

for (const mode of [0o604, 0o640, 0o620, 0o602, 0o666]) {
  test(`M1 a file with mode ${mode.toString(8)} is insecure: not believed, not overwritten`, async (t) => {
    const { path, store } = await makeUsedPlace(t);
    await chmod(path, mode);

    await assertRefused(store, "store-insecure");

    assert.equal((await stat(path)).mode & 0o777, mode);
  });
}

for (const mode of [0o720, 0o702, 0o777, 0o1777]) {
  test(`M1 a home with mode ${mode.toString(8)} is insecure, since somebody else could swap its files`, async (t) => {
    const { home, store } = await makeUsedPlace(t);
    await chmod(home, mode);

    await assertRefused(store, "store-insecure");
  });
}

test("M1 a symbolic link in the place of the file is insecure, wherever it leads", async (t) => {
  const { home, path, store } = await makeUsedPlace(t);
  await rename(path, join(home, "elsewhere.json"));
  await symlink(join(home, "elsewhere.json"), path);

  await assertRefused(store, "store-insecure");
});

test("M1 a dangling symbolic link in the place of the file is insecure, and nothing is created behind it", async (t) => {
  const { home, path, store } = await makePlace(t);
  await mkdir(home, { mode: 0o700 });
  await symlink(join(home, "planted.json"), path);

  await assertRefused(store, "store-insecure");

  assert.deepEqual(await readdir(home), ["approvals.json"]);
});

test("M1 a folder in the place of the file is insecure", async (t) => {
  const { path, store } = await makePlace(t);
  await mkdir(path, { recursive: true, mode: 0o700 });

  await assertRefused(store, "store-insecure");
});

test("M1 a home reached through a symbolic link of its owner works", async (t) => {
  const { home } = await makeUsedPlace(t);
  await symlink(home, `${home}-link`);
  const store = createFileApprovalStore({ folder: `${home}-link`, clock: createSystemClock() });

  assert.deepEqual(valueOf(await store.load({ signal: NEVER })), { records: [makeRecord()] });
});

test("M1 a file in the place of the home fails", async (t) => {
  const { home, store } = await makePlace(t);
  await writeFile(home, "", { mode: 0o600 });

  const failed = { ok: false, refusal: { kind: "store", reason: "store-failed" } };
  assert.deepEqual(await store.load({ signal: NEVER }), failed);
  assert.deepEqual(await store.record(makeRecord(), { signal: NEVER }), failed);
});

for (const [what, text, reason] of [
  ["empty", "", "store-corrupt"],
  ["cut", '{"version":1,"records":[', "store-corrupt"],
  ["foreign", '{"enableAllProjectMcpServers":true}', "store-corrupt"],
  ["of a later version", '{"version":2,"records":[]}', "store-too-new"],
] as const) {
  test(`A1 a file that is ${what} is ${reason}: never taken for empty, never overwritten`, async (t) => {
    const { path, store } = await makeUsedPlace(t);
    await writeFile(path, text);

    await assertRefused(store, reason);

    assert.equal(await readFile(path, "utf8"), text);
  });
}

test("A1 a file that is not UTF-8 is corrupt", async (t) => {
  const { path, store } = await makeUsedPlace(t);
  await writeFile(path, Buffer.from([0x7b, 0xff, 0x7d]));

  await assertRefused(store, "store-corrupt");
});

test("A1 a file beyond the limit is corrupt, and never read into memory", async (t) => {
  const { path, store } = await makeUsedPlace(t);
  const text = await readFile(path, "utf8");

  await writeFile(path, text.padEnd(STATE_FILE_LIMIT_BYTES, " "));
  assert.equal((await store.load({ signal: NEVER })).ok, true);

  await writeFile(path, text.padEnd(STATE_FILE_LIMIT_BYTES + 1, " "));
  await assertRefused(store, "store-corrupt");
});

test("A5 a file that cannot take one more record refuses it and keeps the others", async (t) => {
  const { path, store } = await makePlace(t);
  const shown = "x".repeat(131_072);
  const covered = Array.from({ length: 250 }, (_, index) => ({
    path: `args[${index}]`,
    digest: "0123456789abcdef",
    shown,
  }));
  valueOf(await store.record(makeRecord({ authority: "user", covered }), { signal: NEVER }));
  const before = await stat(path, { bigint: true });

  const outcome = await store.record(makeRecord({ authority: "local", covered }), { signal: NEVER });

  assert.deepEqual(outcome, { ok: false, refusal: { kind: "store", reason: "store-full" } });
  const after = await stat(path, { bigint: true });
  assert.deepEqual([after.ino, after.size, after.mtimeNs], [before.ino, before.size, before.mtimeNs]);
});

test("A5 a write replaces the file as a whole: who holds the old one open still reads the old one", async (t) => {
  const { home, path, store } = await makeUsedPlace(t);
  await link(path, join(home, "old-file"));
  const before = await readFile(path, "utf8");

  await store.record(makeRecord({ decision: "revoked" }), { signal: NEVER });

  assert.equal(await readFile(join(home, "old-file"), "utf8"), before);
  assert.notEqual(await readFile(path, "utf8"), before);
});
