import assert from "node:assert/strict";
import { constants } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import {
  checkOwnerOnlyFolder,
  ensureOwnerOnlyFolder,
  openOwnerOnlyFile,
} from "../../../src/adapters/files/owner-only.ts";
import { accept, refuse } from "../../../src/domain/outcome.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

/** Only an administrator can give files away, so the process says that it is somebody else instead. */
function becomeSomebodyElse(t: TestContext): void {
  // Windows has no such method, and no owner to compare.
  const here = process as { geteuid: () => number };
  const self = here.geteuid();
  t.mock.method(here, "geteuid", () => self + 1);
}

test("M1 a folder of somebody else is insecure, although only its owner can write to it", async (t) => {
  const folder = await tempFolder(t);
  assert.deepEqual(await checkOwnerOnlyFolder(folder), accept(folder));

  becomeSomebodyElse(t);

  assert.deepEqual(await checkOwnerOnlyFolder(folder), refuse("store-insecure"));
  assert.deepEqual(await ensureOwnerOnlyFolder(folder), refuse("store-insecure"));
});

test("M1 a file of somebody else is insecure, although only its owner can read it", async (t) => {
  const path = join(await tempFolder(t), "file");
  await writeFile(path, "", { mode: 0o600 });
  const opened = await openOwnerOnlyFile(path, constants.O_RDONLY);
  assert.ok(opened.ok && opened.value !== undefined);
  await opened.value.close();

  becomeSomebodyElse(t);

  assert.deepEqual(await openOwnerOnlyFile(path, constants.O_RDONLY), refuse("store-insecure"));
});

test("M1 checking a folder or a file that is not there creates neither", async (t) => {
  const base = await tempFolder(t);

  assert.deepEqual(await checkOwnerOnlyFolder(join(base, "none")), accept(undefined));
  assert.deepEqual(await openOwnerOnlyFile(join(base, "none"), constants.O_RDONLY), accept(undefined));

  assert.deepEqual(await readdir(base), []);
});

test("M1 a path through a file fails", async (t) => {
  const base = await tempFolder(t);
  await mkdir(join(base, "folder"));
  await writeFile(join(base, "file"), "");

  assert.deepEqual(await ensureOwnerOnlyFolder(join(base, "file", "home")), refuse("store-failed"));
  assert.deepEqual(await checkOwnerOnlyFolder(join(base, "file")), refuse("store-failed"));
});
