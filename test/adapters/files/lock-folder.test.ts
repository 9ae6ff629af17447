/** What the locking library may do to a lock that is not ours (any more): nothing. */
import assert from "node:assert/strict";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { type LockFolder, createLockFolder } from "../../../src/adapters/files/lock-folder.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const STALE_MS = 5_000;
const LONG_AGO = new Date(0);

interface Place {
  readonly path: string;
  readonly folder: LockFolder;
  /** Calls it as the library does; rejects with what it is called back with. */
  readonly call: (method: string, ...args: readonly unknown[]) => Promise<void>;
}

async function makePlace(t: TestContext): Promise<Place> {
  const path = join(await tempFolder(t), "lock");
  const folder = createLockFolder(path, { staleMs: STALE_MS });
  const call = (method: string, ...args: readonly unknown[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const operation = folder.fileSystem[method];
      assert.ok(typeof operation === "function");
      const done = (error: Error | null): void => (error === null ? resolve() : reject(error));
      operation(path, ...args, done);
    });
  return { path, folder, call };
}

/** A lock that was ours until somebody took it over. */
async function makeLost(t: TestContext): Promise<Place> {
  const place = await makePlace(t);
  await place.call("mkdir");
  await rename(place.path, `${place.path}.old`);
  await mkdir(place.path);
  return place;
}

test("U10 a folder is ours once it was made, for its owner alone, and until it is removed", async (t) => {
  const { path, folder, call } = await makePlace(t);
  assert.equal(folder.isOurs(), false);

  await call("mkdir");
  assert.equal(folder.isOurs(), true);
  assert.equal((await stat(path)).mode & 0o777, 0o700);

  await call("rmdir");
  assert.equal(folder.isOurs(), false);
  await assert.rejects(stat(path), { code: "ENOENT" });
});

test("U10 a folder that is there already is not ours", async (t) => {
  const { path, folder, call } = await makePlace(t);
  await mkdir(path);

  await assert.rejects(call("mkdir"), { code: "EEXIST" });

  assert.equal(folder.isOurs(), false);
});

test("U10 our lock is renewed, the lock of another is not", async (t) => {
  const ours = await makePlace(t);
  await ours.call("mkdir");
  await ours.call("utimes", LONG_AGO, LONG_AGO);
  assert.equal((await stat(ours.path)).mtimeMs, 0);
  const lost = await makeLost(t);

  await assert.rejects(lost.call("utimes", LONG_AGO, LONG_AGO), { code: "ENOENT" });

  assert.notEqual((await stat(lost.path)).mtimeMs, 0);
});

test("U10 the lock of another is not removed: neither on release nor at the end of the process", async (t) => {
  const { path, folder, call } = await makeLost(t);

  await call("rmdir");
  const { rmdirSync } = folder.fileSystem;
  assert.ok(typeof rmdirSync === "function");
  rmdirSync(path);

  assert.ok((await stat(path)).isDirectory());
});

test("U10 a stale lock is removed, and one that was made anew since it was looked at is not", async (t) => {
  const { path, call } = await makePlace(t);
  await mkdir(path);
  await call("rmdir");
  assert.deepEqual(await readdir(join(path, "..")), ["lock"]);

  await utimes(path, LONG_AGO, LONG_AGO);
  await call("rmdir");

  assert.deepEqual(await readdir(join(path, "..")), []);
});

test("U10 a lock of ours that is gone is not held", async (t) => {
  const { path, folder, call } = await makePlace(t);
  await call("mkdir");
  await rm(path, { recursive: true });

  assert.equal(folder.isOurs(), false);
});
