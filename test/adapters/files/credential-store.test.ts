import assert from "node:assert/strict";
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";

import { createFileOAuthCredentialStore } from "../../../src/adapters/files/credential-store.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { credentialSlot } from "../../../src/domain/oauth/credential-slot.ts";
import type { CredentialStore } from "../../../src/ports/credential-store.ts";
import { NEVER } from "../../kit/activation.ts";
import {
  assertHolds,
  credentialOfSize,
  generationOf,
  makeCredential,
  makeKey,
  readable,
} from "../../kit/credentials.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { credentialStoreContract } from "../../ports/credential-store.contract.ts";

const DONE = { ok: true, value: true };
const FAILED = { ok: false, refusal: { kind: "credential-store", reason: "store-failed" } };

credentialStoreContract("file", async (t) => (await makePlace(t)).store);

interface Place {
  readonly home: string;
  readonly folder: string;
  /** The file of {@link makeCredential}. */
  readonly path: string;
  readonly store: CredentialStore;
}

async function makePlace(t: TestContext): Promise<Place> {
  const home = join(await tempFolder(t), "home");
  const store = createFileOAuthCredentialStore({ folder: home, clock: createSystemClock() });
  const folder = join(home, "credentials");
  return { home, folder, store, path: join(folder, `${credentialSlot(makeKey())}.json`) };
}

/** A home with one credential in it. */
async function makeUsedPlace(t: TestContext): Promise<Place> {
  const place = await makePlace(t);
  assert.deepEqual(await place.store.set(makeCredential(), { signal: NEVER }), DONE);
  return place;
}

/** Neither reading, nor writing, nor removing what is believed to be there gets anywhere, and all say why. */
async function assertFails(store: CredentialStore): Promise<void> {
  const { generation, key } = makeCredential();
  assert.deepEqual(await store.get(key, { signal: NEVER }), FAILED);
  assert.deepEqual(await store.set(makeCredential(), { signal: NEVER }), FAILED);
  assert.deepEqual(await store.set(makeCredential(), { signal: NEVER, ifGeneration: generation }), FAILED);
  assert.deepEqual(await store.delete(key, { signal: NEVER, ifGeneration: generation }), FAILED);
}

test("U9 reading and deleting create nothing", async (t) => {
  const { home, store } = await makePlace(t);

  await store.get(makeKey(), { signal: NEVER });
  await store.delete(makeKey(), { signal: NEVER });

  await assert.rejects(stat(home), { code: "ENOENT" });
});

test("U9 the folder is 0700 and the file 0600, and nothing else is left beside it", async (t) => {
  const { folder, path } = await makeUsedPlace(t);

  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), [basename(path)]);
});

test("U9 a file is named by the key alone: another token does not change it", async (t) => {
  const { folder, path, store } = await makeUsedPlace(t);

  await store.set(credentialOfSize(10), { signal: NEVER });

  assert.deepEqual(await readdir(folder), [basename(path)]);
});

test("U9 the file is JSON with a version word and the whole record", async (t) => {
  const { path } = await makeUsedPlace(t);

  assert.deepEqual(JSON.parse(await readFile(path, "utf8")), readable(makeCredential()));
  assert.match(await readFile(path, "utf8"), /^\{\n {2}"version": 1,\n/);
});

test("U9 a store in another process' place reads what this one wrote", async (t) => {
  const { home } = await makeUsedPlace(t);
  const other = createFileOAuthCredentialStore({ folder: home, clock: createSystemClock() });

  assertHolds(await other.get(makeKey(), { signal: NEVER }), makeCredential());
});

for (const mode of [0o604, 0o640, 0o620, 0o602, 0o644]) {
  test(`U9 a file with mode ${mode.toString(8)} is store-failed: not believed, not overwritten`, async (t) => {
    const { path, store } = await makeUsedPlace(t);
    const before = await readFile(path, "utf8");
    await chmod(path, mode);

    await assertFails(store);

    assert.equal((await stat(path)).mode & 0o777, mode);
    assert.equal(await readFile(path, "utf8"), before);
  });
}

for (const mode of [0o710, 0o701, 0o750, 0o755, 0o770]) {
  test(`U9 a folder with mode ${mode.toString(8)} is store-failed`, async (t) => {
    const { folder, store } = await makeUsedPlace(t);
    await chmod(folder, mode);

    await assertFails(store);
  });
}

test("U9 a file or folder that belongs to somebody else is store-failed", async (t) => {
  const { store } = await makeUsedPlace(t);
  // Ownership cannot be given away without rights that a test must not need: here this process is another user.
  const here = process as { geteuid: () => number };
  const self = here.geteuid();
  t.mock.method(here, "geteuid", () => self + 1);

  await assertFails(store);
});

test("U9 a symbolic link in the place of the file is store-failed, wherever it leads", async (t) => {
  const { folder, path, store } = await makeUsedPlace(t);
  await rename(path, join(folder, "elsewhere.json"));
  await symlink(join(folder, "elsewhere.json"), path);

  await assertFails(store);
});

test("U9 a dangling symbolic link is store-failed, and nothing is created behind it", async (t) => {
  const { folder, path, store } = await makePlace(t);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await symlink(join(folder, "planted.json"), path);

  await assertFails(store);

  assert.deepEqual(await readdir(folder), [basename(path)]);
});

test("U9 a folder in the place of the file is store-failed, and not removed", async (t) => {
  const { path, store } = await makePlace(t);
  await mkdir(path, { recursive: true, mode: 0o700 });

  await assertFails(store);
  assert.deepEqual(await store.delete(makeKey(), { signal: NEVER }), FAILED);

  assert.ok((await stat(path)).isDirectory());
});

test("U9 a file in the place of the folder is store-failed", async (t) => {
  const { home, folder, store } = await makePlace(t);
  await mkdir(home, { mode: 0o700 });
  await writeFile(folder, "", { mode: 0o600 });

  await assertFails(store);
});

test("U9 a record that was copied to the place of another key is store-failed there, and stays good in its own", async (t) => {
  const { folder, path, store } = await makeUsedPlace(t);
  const other = makeKey({ resource: "https://thief.example/mcp" });
  await copyFile(path, join(folder, `${credentialSlot(other)}.json`));

  assert.deepEqual(await store.get(other, { signal: NEVER }), FAILED);
  assert.deepEqual(await store.set(makeCredential({ key: other }), { signal: NEVER }), FAILED);

  assertHolds(await store.get(makeKey(), { signal: NEVER }), makeCredential());
});

const GOOD = JSON.stringify(readable(makeCredential()));

for (const [what, text] of [
  ["empty", ""],
  ["cut", GOOD.slice(0, -2)],
  ["null", "null"],
  ["foreign", '{"access_token":"t"}'],
  ["of a later version", GOOD.replace('"version":1', '"version":2')],
  ["of no version", GOOD.replace('"version":1,', "")],
  ["more than we know", GOOD.replace('"version":1', '"version":1,"extra":true')],
  ["of another server's name", GOOD.replace('"serverId":"helper"', '"serverId":"other"')],
] as const) {
  test(`U9 a file that is ${what} is store-failed: never absent, never overwritten`, async (t) => {
    const { path, store } = await makeUsedPlace(t);
    await writeFile(path, text);

    await assertFails(store);

    assert.equal(await readFile(path, "utf8"), text);
  });

  test(`U11 a file that is ${what} is removed by a sign-out`, async (t) => {
    const { folder, path, store } = await makeUsedPlace(t);
    await writeFile(path, text);

    assert.deepEqual(await store.delete(makeKey(), { signal: NEVER }), DONE);

    assert.deepEqual(await readdir(folder), []);
  });
}

test("U11 a file that others could read is removed by a sign-out", async (t) => {
  const { folder, path, store } = await makeUsedPlace(t);
  await chmod(path, 0o644);

  assert.deepEqual(await store.delete(makeKey(), { signal: NEVER }), DONE);

  assert.deepEqual(await readdir(folder), []);
});

test("U11 a symbolic link is removed by a sign-out, and what it leads to stays", async (t) => {
  const { folder, path, store } = await makeUsedPlace(t);
  await rename(path, join(folder, "elsewhere.json"));
  await symlink(join(folder, "elsewhere.json"), path);

  assert.deepEqual(await store.delete(makeKey(), { signal: NEVER }), DONE);

  assert.deepEqual(await readdir(folder), ["elsewhere.json"]);
});

test("U9 a write replaces the file as a whole: who holds the old one open still reads the old one", async (t) => {
  const { home, path, store } = await makeUsedPlace(t);
  await link(path, join(home, "old"));
  const before = await readFile(path, "utf8");

  await store.set(makeCredential({ generation: generationOf("second") }), { signal: NEVER });

  assert.equal(await readFile(join(home, "old"), "utf8"), before);
  assert.notEqual(await readFile(path, "utf8"), before);
});

test("U9 a record that could not be read back is store-too-large, and the old one stays", async (t) => {
  const { store } = await makeUsedPlace(t);

  const outcome = await store.set(credentialOfSize(16_385), { signal: NEVER });

  assert.deepEqual(outcome, { ok: false, refusal: { kind: "credential-store", reason: "store-too-large" } });
  assertHolds(await store.get(makeKey(), { signal: NEVER }), makeCredential());
});

test("U9 another process that holds the file's lock for the whole wait is store-failed, and the old record stays", async (t) => {
  const { home, folder, path, store } = await makeUsedPlace(t);
  await mkdir(`${path}.lock`, { mode: 0o700 });
  const hurried = createFileOAuthCredentialStore({ folder: home, clock: createSystemClock(), lockWaitMs: 0 });

  assert.deepEqual(await hurried.set(credentialOfSize(10), { signal: NEVER }), FAILED);
  assert.deepEqual(await hurried.delete(makeKey(), { signal: NEVER }), FAILED);

  assertHolds(await store.get(makeKey(), { signal: NEVER }), makeCredential());
  assert.equal((await readdir(folder)).length, 2);
});
