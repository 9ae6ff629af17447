import assert from "node:assert/strict";
import { chmod, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type TestContext } from "node:test";

import { createProcessRunner } from "../../../src/adapters/child-process/process-runner.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import type { ApprovedLaunch } from "../../../src/domain/launch/approved-launch.ts";
import { fixtureLaunch, launchOf } from "../../kit/launches.ts";
import { startPuppet } from "../../kit/puppet.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

function setForTest(t: TestContext, name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  t.after(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

test("X4 the child's environment is exactly the approved one: nothing of the host's is in it", async (t) => {
  setForTest(t, "SALLYPORT_TEST_CANARY", "canary");
  setForTest(t, "NODE_V8_COVERAGE", await tempFolder(t));
  const environment = new Map([
    ["A", "b"],
    ["__proto__", "plain"],
  ]);
  const { ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs", [], { environment }));

  const { env } = await ask("facts");

  assert.deepEqual(Object.entries(env as object), [...environment]);
});

test("E11 with an empty approved environment the child has an empty one", async (t) => {
  const { ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs"));

  const { env } = await ask("facts");

  assert.deepEqual(env, {});
});

test("E2 shell characters reach the child as they are", async (t) => {
  const args = [
    "x & calc",
    "; id",
    "$(id)",
    "`id`",
    "| cat",
    "> out",
    "*",
    "~",
    "$HOME",
    '"',
    "'",
    "\\",
    "",
    " ",
  ];
  const { ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs", args));

  const { argv } = await ask("facts");

  assert.deepEqual(argv, args);
});

test("E17 the child starts in the approved folder", async (t) => {
  const root = await tempFolder(t);
  const { ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs", [], { root }));

  const { cwd } = await ask("facts");

  assert.equal(cwd, root);
});

test("X4 the child is called by the approved name", async (t) => {
  const { ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs", [], { argv0: "/venv/bin/node" }));

  const { argv0 } = await ask("facts");

  assert.equal(argv0, "/venv/bin/node");
});

test("X6 the child leads a process group of its own", async (t) => {
  const { child, ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs"));

  const { pid } = await ask("facts");

  assert.equal(pid, child.pid);
  assert.equal(process.kill(-child.pid, 0), true);
});

async function startRefusal(launch: ApprovedLaunch): Promise<unknown> {
  const outcome = await createProcessRunner({ clock: createSystemClock() }).run(launch, {
    signal: new AbortController().signal,
  });
  return outcome.ok ? "started" : outcome.refusal;
}

async function ownNode(t: TestContext): Promise<string> {
  const path = join(await tempFolder(t), "server");
  await writeFile(path, `#!${await realpath(process.execPath)}\n`, { mode: 0o755 });
  return path;
}

test("X7 a program that vanished after the checks is refused as start/not-found", async (t) => {
  const path = await ownNode(t);
  const launch = await launchOf(path, []);
  await rm(path);

  assert.deepEqual(await startRefusal(launch), { kind: "stdio", reason: "start", detail: "not-found" });
});

test("X7 a program that may not be executed any more is refused as start/not-permitted", async (t) => {
  const path = await ownNode(t);
  const launch = await launchOf(path, []);
  await chmod(path, 0o644);

  assert.deepEqual(await startRefusal(launch), { kind: "stdio", reason: "start", detail: "not-permitted" });
});

test("X7 arguments beyond what the system takes are refused as start/too-large", async () => {
  const launch = await fixtureLaunch("puppet.mjs", ["x".repeat(4 * 1_024 * 1_024)]);

  assert.deepEqual(await startRefusal(launch), { kind: "stdio", reason: "start", detail: "too-large" });
});
