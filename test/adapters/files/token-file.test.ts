import assert from "node:assert/strict";
import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { createTokenFile } from "../../../src/adapters/files/token-file.ts";
import { Secret } from "../../../src/domain/secret.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

test("fault B7 a bearer is in a file that only its owner can read, from its creation to its end", async (t) => {
  const path = join(await tempFolder(t), "token");
  const file = await createTokenFile(path);
  const empty = await stat(path);
  await file?.write(new Secret("canary-bearer"));

  assert.equal(empty.mode & 0o777, 0o600);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(await readFile(path, "utf8"), "canary-bearer\n");
  await file?.remove();
  await file?.remove();
  await assert.rejects(stat(path), { code: "ENOENT" });
});

test("fault B7 a file that is there already is left as it is", async (t) => {
  const path = join(await tempFolder(t), "token");
  await writeFile(path, "mine");

  assert.equal(await createTokenFile(path), undefined);
  assert.equal(await readFile(path, "utf8"), "mine");
});

test("fault B7 a link in the place is not followed, not even to nowhere", async (t) => {
  const folder = await tempFolder(t);
  await symlink(join(folder, "elsewhere"), join(folder, "token"));

  assert.equal(await createTokenFile(join(folder, "token")), undefined);
  await assert.rejects(stat(join(folder, "elsewhere")), { code: "ENOENT" });
});

test("R4 a folder that is not there is not made", async (t) => {
  assert.equal(await createTokenFile(join(await tempFolder(t), "no", "token")), undefined);
});

test("R4 a file that was never written is removed too", async (t) => {
  const path = join(await tempFolder(t), "token");
  const file = await createTokenFile(path);
  await file?.remove();

  await assert.rejects(stat(path), { code: "ENOENT" });
});
