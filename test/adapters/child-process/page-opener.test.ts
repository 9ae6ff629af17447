import assert from "node:assert/strict";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { browserProgram, createPageOpener } from "../../../src/adapters/child-process/page-opener.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const { signal } = new AbortController();
const clock = createSystemClock();

/** A launcher that writes down what it was started with, then ends with `code`. */
async function launcher(
  t: TestContext,
  code = 0,
): Promise<{ readonly command: string; readonly noted: string }> {
  const folder = await tempFolder(t);
  const command = join(folder, "launcher");
  const noted = join(folder, "noted.json");
  const script = [
    `#!${process.execPath}`,
    'const { writeFileSync } = require("node:fs");',
    `writeFileSync(${JSON.stringify(noted)}, JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), mark: process.env.MARK }));`,
    `process.exit(${code});`,
  ];
  await writeFile(command, script.join("\n"));
  await chmod(command, 0o755);
  return { command, noted };
}

test("U7 the page goes to the browser as one argument, behind the program's own, apart from every workspace", async (t) => {
  const { command, noted } = await launcher(t);
  const program = { command, args: ["--one", "two words"] };
  const opener = createPageOpener({ program, environment: { MARK: "of the desktop" }, clock });
  const url = "https://id.test/authorize?a=b&c=%22d%22;%20rm%20-rf";

  assert.equal(await opener.open(url, { signal }), "opened");

  assert.deepEqual(JSON.parse(await readFile(noted, "utf8")), {
    argv: ["--one", "two words", url],
    cwd: "/",
    mark: "of the desktop",
  });
});

for (const url of [
  "file:///etc/passwd",
  "http://id.test/",
  "https://u:p@id.test/",
  "https://id.test/?a=`id`",
  "--help",
]) {
  test(`U7 ${url} is refused, and nothing is started`, async (t) => {
    const { command, noted } = await launcher(t);
    const opener = createPageOpener({ program: { command, args: [] }, clock });

    assert.equal(await opener.open(url, { signal }), "refused");

    await assert.rejects(stat(noted), { code: "ENOENT" });
  });
}

test("U7 a launcher that finds no browser says so", async (t) => {
  const { command } = await launcher(t, 3);
  const opener = createPageOpener({ program: { command, args: [] }, clock });

  assert.equal(await opener.open("https://id.test/", { signal }), "failed");
});

test("U7 a launcher that is not there is no fault", async () => {
  const opener = createPageOpener({ program: { command: "/no/such/launcher", args: [] }, clock });

  assert.equal(await opener.open("https://id.test/", { signal }), "failed");
});

test("U7 a launcher that runs on has opened the page: it is the browser itself", async (t) => {
  const { command } = await launcher(t);
  const stays = (await readFile(command, "utf8")).replace("process.exit(0);", "setTimeout(() => {}, 2_000);");
  await writeFile(command, stays);
  const slow = new FakeClock();
  const opening = createPageOpener({ program: { command, args: [] }, clock: slow }).open("https://id.test/", {
    signal,
  });
  await slow.advance(3_000);

  assert.equal(await opening, "opened");
  assert.equal(slow.pending, 0);
});

test("U7 after an abort nothing is started", async (t) => {
  const { command, noted } = await launcher(t);
  const reason = { mine: true };
  const opener = createPageOpener({ program: { command, args: [] }, clock });

  await assert.rejects(
    opener.open("https://id.test/", { signal: AbortSignal.abort(reason) }),
    (error) => error === reason,
  );
  await assert.rejects(stat(noted), { code: "ENOENT" });
});

test("U7 each platform has its own launcher, by an absolute path", async () => {
  const options = { find: async (name: string) => `/usr/bin/${name}`, systemRoot: "D:\\Win" };

  assert.deepEqual(await browserProgram("darwin", options), { command: "/usr/bin/open", args: [] });
  assert.deepEqual(await browserProgram("linux", options), { command: "/usr/bin/xdg-open", args: [] });
  assert.deepEqual(await browserProgram("win32", options), {
    command: "D:\\Win\\System32\\rundll32.exe",
    args: ["url.dll,FileProtocolHandler"],
  });
  assert.equal(await browserProgram("linux", { ...options, find: async () => undefined }), undefined);
});
