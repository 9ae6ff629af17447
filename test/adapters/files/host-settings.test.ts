import assert from "node:assert/strict";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { readHostSettings } from "../../../src/adapters/files/host-settings.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { NEVER } from "../../kit/activation.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const INVALID = { ok: false, refusal: { kind: "home", reason: "settings-invalid" } };

async function home(t: TestContext, text?: string, mode = 0o600): Promise<string> {
  const folder = join(await tempFolder(t), "home");
  await mkdir(folder, { mode: 0o700 });
  if (text !== undefined) {
    await writeFile(join(folder, "settings.json"), text);
    await chmod(join(folder, "settings.json"), mode);
  }
  return folder;
}

function read(folder: string): ReturnType<typeof readHostSettings> {
  return readHostSettings({ folder, clock: new FakeClock(), signal: NEVER });
}

test("A7 M1 what a person wrote into settings.json is read, and nothing is written", async (t) => {
  const folder = await home(t, '{ "version": 1, "pins": "hold" }');

  assert.deepEqual(await read(folder), { ok: true, value: { pins: "hold" } });
  assert.deepEqual(await readdir(folder), ["settings.json"]);
});

test("A7 M1 without a file, and without a home, nothing is settled and nothing is made", async (t) => {
  const folder = await home(t);

  assert.deepEqual(await read(folder), { ok: true, value: {} });
  assert.deepEqual(await read(join(folder, "not-there")), { ok: true, value: {} });
  assert.deepEqual(await readdir(folder), []);
});

for (const [what, text, mode] of [
  ["no JSON", "{ pins: hold }", 0o600],
  ["an empty file", "", 0o600],
  ["a misspelled policy", '{ "version": 1, "pins": "holt" }', 0o600],
  ["what others may write", '{ "version": 1, "pins": "off" }', 0o666],
] as const) {
  test(`A7 M1 ${what} is never taken for nothing`, async (t) => {
    assert.deepEqual(await read(await home(t, text, mode)), INVALID);
  });
}

test("A7 M1 a link to a file of somebody else's choosing is not followed", async (t) => {
  const folder = await home(t);
  const elsewhere = join(await tempFolder(t), "settings.json");
  await writeFile(elsewhere, '{ "version": 1, "pins": "off" }', { mode: 0o600 });
  await symlink(elsewhere, join(folder, "settings.json"));

  assert.deepEqual(await read(folder), INVALID);
});
