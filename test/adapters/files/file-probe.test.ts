import assert from "node:assert/strict";
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";

import { createFileProbe } from "../../../src/adapters/files/file-probe.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const probe = createFileProbe();

test("X2 a file is told with its canonical path, through any number of links", async (t) => {
  const folder = await tempFolder(t);
  await writeFile(join(folder, "file"), "x", { mode: 0o644 });
  await symlink("file", join(folder, "link"));
  await symlink("link", join(folder, "link-2"));

  const facts = await probe.look(join(folder, "link-2"));

  assert.ok(facts !== undefined);
  assert.deepEqual(
    { realPath: facts.realPath, kind: facts.kind, executable: facts.executable },
    { realPath: join(folder, "file"), kind: "file", executable: false },
  );
});

test("X2 an executable file is told from another", async (t) => {
  const path = join(await tempFolder(t), "file");
  await writeFile(path, "x", { mode: 0o755 });

  assert.equal((await probe.look(path))?.executable, true);
});

test("X2 a folder is told from a file, and a device from both", async (t) => {
  const folder = await tempFolder(t);

  assert.equal((await probe.look(folder))?.kind, "folder");
  assert.equal((await probe.look("/dev/null"))?.kind, "other");
});

test("X2 what is not there, loops or cannot be a path is nothing, without a rejection", async (t) => {
  const folder = await tempFolder(t);
  await symlink("loop", join(folder, "loop"));

  assert.deepEqual(
    await Promise.all(
      ["missing", "loop", "a\0b", "missing/below"].map((name) => probe.look(join(folder, name))),
    ),
    [undefined, undefined, undefined, undefined],
  );
});

test("X3 a file that was rewritten in place, in the same size, has another identity", async (t) => {
  const path = join(await tempFolder(t), "file");
  await writeFile(path, "one");
  await utimes(path, 1, 1);
  const before = await probe.look(path);

  await writeFile(path, "two");

  assert.notEqual((await probe.look(path))?.identity, before?.identity);
});

test("X3 a file that another was moved over has another identity, whatever its times", async (t) => {
  const folder = await tempFolder(t);
  const [path, other] = [join(folder, "file"), join(folder, "other")];
  await writeFile(path, "one");
  await writeFile(other, "two");
  for (const each of [path, other]) await utimes(each, 1, 1);
  const before = await probe.look(path);

  await rename(other, path);

  assert.notEqual((await probe.look(path))?.identity, before?.identity);
});

test("X3 a file that was only read or marked keeps its identity", async (t) => {
  const path = join(await tempFolder(t), "file");
  await writeFile(path, "one");
  const before = await probe.look(path);

  await chmod(path, 0o755);

  assert.equal((await probe.look(path))?.identity, before?.identity);
});

test("X3 a folder keeps its identity while files come and go, and loses it when it is replaced", async (t) => {
  const folder = join(await tempFolder(t), "work");
  await mkdir(folder);
  const before = await probe.look(folder);

  await writeFile(join(folder, "new"), "x");
  const changed = await probe.look(folder);
  await rename(folder, `${folder}-old`);
  await mkdir(folder);
  const replaced = await probe.look(folder);
  await rm(folder, { recursive: true });

  assert.equal(changed?.identity, before?.identity);
  assert.notEqual(replaced?.identity, before?.identity);
});
