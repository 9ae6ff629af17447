import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import test, { type TestContext } from "node:test";

import {
  candidateNames,
  createExecutableFinder,
  findExecutable,
} from "../../../src/adapters/files/executable-search.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

/** Two folders of programs: `bin` with `server` and a plain file `notes`, `bin2` with `server` and a link `alias`. */
async function places(t: TestContext): Promise<{ root: string; bin: string; bin2: string; path: string }> {
  const root = await tempFolder(t);
  const [bin, bin2] = [join(root, "bin"), join(root, "bin2")];
  for (const folder of [bin, bin2]) {
    await mkdir(join(folder, "folder"), { recursive: true });
    await writeFile(join(folder, "server"), "#!/bin/sh\n", { mode: 0o755 });
  }
  await writeFile(join(bin, "notes"), "", { mode: 0o644 });
  await writeFile(join(bin2, "notes"), "", { mode: 0o755 });
  await symlink("server", join(bin2, "alias"));
  return { root, bin, bin2, path: [bin, bin2].join(delimiter) };
}

test("M2 a bare name is found in the first folder of PATH that has it", async (t) => {
  const { bin, path, root } = await places(t);

  assert.deepEqual(await findExecutable("server", { path, cwd: root, platform: "linux" }), {
    foundAt: join(bin, "server"),
    realPath: join(bin, "server"),
  });
});

test("M2 a symbolic link is told as it was found and as the file behind it", async (t) => {
  const { bin2, path, root } = await places(t);

  assert.deepEqual(await findExecutable("alias", { path, cwd: root, platform: "linux" }), {
    foundAt: join(bin2, "alias"),
    realPath: join(bin2, "server"),
  });
});

test("M2 a file that may not be executed, and a folder, are passed over", async (t) => {
  const { bin2, path, root } = await places(t);

  assert.equal(
    (await findExecutable("notes", { path, cwd: root, platform: "linux" }))?.realPath,
    join(bin2, "notes"),
  );
  assert.equal(await findExecutable("folder", { path, cwd: root, platform: "linux" }), undefined);
});

test("E19 a relative command is seen from the given folder, not from the host's own", async (t) => {
  const { bin, path, root } = await places(t);
  const finder = createExecutableFinder({ path, platform: "linux" });

  assert.equal((await finder.find("./bin/server", root))?.realPath, join(bin, "server"));
  assert.equal((await finder.find("bin/server", root))?.realPath, join(bin, "server"));
  assert.equal(await finder.find("./server", root), undefined);
});

test("M2 an absolute command is taken as it is", async (t) => {
  const { bin2, root } = await places(t);
  const command = join(bin2, "alias");

  assert.deepEqual(await findExecutable(command, { path: "", cwd: root, platform: "linux" }), {
    foundAt: command,
    realPath: join(bin2, "server"),
  });
});

for (const entry of ["", ".", "bin"]) {
  test(`E19 the entry ${JSON.stringify(entry)} of PATH is skipped, as it means another folder each time`, async (t) => {
    const { root } = await places(t);

    assert.equal(await findExecutable("server", { path: entry, cwd: root, platform: "linux" }), undefined);
  });
}

for (const command of ["", "a\0b", "~/server", "missing"]) {
  test(`E19 nothing is found for the command ${JSON.stringify(command)}`, async (t) => {
    const { root, path } = await places(t);

    assert.equal(await findExecutable(command, { path, cwd: root, platform: "linux" }), undefined);
  });
}

test("E1 on Windows a bare name stands for a file with one of the endings of PATHEXT", () => {
  const windows = { platform: "win32", pathExt: ".COM;.EXE;;bad;.CMD" };

  assert.deepEqual(candidateNames("npx", windows), ["npx.com", "npx.exe", "npx.cmd"]);
  assert.deepEqual(candidateNames("npx.CMD", windows), ["npx.CMD"]);
  assert.deepEqual(candidateNames("python3.11", windows), [
    "python3.11.com",
    "python3.11.exe",
    "python3.11.cmd",
  ]);
});

test("E1 elsewhere a name stands for itself", () => {
  assert.deepEqual(candidateNames("npx", { platform: "linux" }), ["npx"]);
});
