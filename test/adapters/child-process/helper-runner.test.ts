import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { createHelperRunner } from "../../../src/adapters/child-process/helper-runner.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { refuse } from "../../../src/domain/outcome.ts";
import type { HelperRunOptions } from "../../../src/ports/helper-runner.ts";
import { assertEventually, assertGroupGone } from "../../kit/child-groups.ts";
import { fixtureLaunch, launchOf } from "../../kit/launches.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { WatchedClock } from "../../kit/watched-clock.ts";

const OPTIONS: HelperRunOptions = {
  signal: new AbortController().signal,
  timeoutMs: 30_000,
  outputLimitBytes: 65_536,
};

async function run(args: readonly string[], options: Partial<HelperRunOptions> = {}) {
  const runner = createHelperRunner({ clock: createSystemClock() });
  const environment = new Map([["SALLYPORT_TEST", "base"]]);
  const launch = await fixtureLaunch("headers-helper.mjs", args, { environment });
  return runner.run(launch, { ...OPTIONS, ...options });
}

async function printed(...args: readonly string[]): Promise<string> {
  const outcome = await run(args);
  assert.ok(outcome.ok);
  return Buffer.from(outcome.value).toString();
}

async function groupFile(t: TestContext): Promise<string> {
  return join(await tempFolder(t), "group");
}

function leaderIn(file: string): number {
  return Number(readFileSync(file, "utf8").trim());
}

/** A file is there before what is written to it. */
function hasStarted(file: string): boolean {
  return existsSync(file) && leaderIn(file) > 0;
}

test("U4 what a helper prints until it exits with 0 is answered", async () => {
  assert.equal(await printed("say", '{"a":', '"1"}\n'), '{"a":"1"}\n');
});

test("U4 no shell reads its arguments", async () => {
  const words = ["$(id)", "; exit 3", "`id`", "*", '"'];
  assert.equal(JSON.parse(await printed("facts", ...words)).args, words.join("|"));
});

test("M3 its environment is the one that was approved and nothing of this process", async () => {
  assert.deepEqual(JSON.parse(JSON.parse(await printed("facts")).env), { SALLYPORT_TEST: "base" });
});

test("U4 its stdin is empty: one that reads it to the end ends", async () => {
  assert.equal(await printed("stdin"), '{"stdin":"<>"}');
});

test("U4 its stderr is drained and dropped, however much it is", async () => {
  assert.equal(await printed("stderr"), '{"a":"1"}');
});

for (const [what, args] of [
  ["exits with 1", ["exit", "1"]],
  ["exits with 255", ["exit", "255"]],
  ["is ended by a signal", ["signal", "SIGKILL"]],
] as const) {
  test(`U4 one that ${what} is helper-failed, whatever it printed`, async () => {
    assert.deepEqual(await run(args), refuse("helper-failed"));
  });
}

test("U4 one that cannot be started is helper-failed", async (t) => {
  const folder = await tempFolder(t);
  const program = join(folder, "broken");
  await writeFile(program, "#!/nonexistent/interpreter\n");
  await chmod(program, 0o755);
  const runner = createHelperRunner({ clock: createSystemClock() });
  assert.deepEqual(await runner.run(await launchOf(program, []), OPTIONS), refuse("helper-failed"));
});

for (const [bytes, accepted] of [
  [65_535, true],
  [65_536, true],
  [65_537, false],
] as const) {
  test(`U4 ${bytes} bytes of output are ${accepted ? "read" : "helper-output-too-large"}`, async () => {
    const outcome = await run(["bytes", String(bytes)]);
    assert.deepEqual(
      outcome.ok ? outcome.value.byteLength : outcome,
      accepted ? bytes : refuse("helper-output-too-large"),
    );
  });
}

test("U4 one that prints without end is ended at the bound, not at the deadline", async () => {
  assert.deepEqual(await run(["flood"]), refuse("helper-output-too-large"));
});

test("U4 one that hangs is killed with its whole group when its time is up, though it ignores SIGTERM", async (t) => {
  const file = await groupFile(t);
  // Its time is up as soon as it is there with its child: the clock says so, not the machine.
  const clock = new WatchedClock();
  const runner = createHelperRunner({ clock });
  const launch = await fixtureLaunch("headers-helper.mjs", ["hang", file]);
  const running = runner.run(launch, { ...OPTIONS, timeoutMs: 10_000 });
  assert.deepEqual(await clock.waits(1), [10_000]);
  await assertEventually(() => hasStarted(file), "the helper did not start");
  await clock.advance(9_999);
  assert.equal(clock.pending, 1);
  assert.deepEqual(await driven(clock, running), refuse("helper-timeout"));
  await assertGroupGone(leaderIn(file));
});

test("U4 an abort rejects with its reason, and nobody of the group is left", async (t) => {
  const file = await groupFile(t);
  const control = new AbortController();
  const running = run(["hang", file], { signal: control.signal });
  await assertEventually(() => hasStarted(file), "the helper did not start");
  control.abort("mine");
  await assert.rejects(running, (reason) => reason === "mine");
  await assertGroupGone(leaderIn(file));
});

test("U4 an aborted caller starts nothing", async (t) => {
  const file = await groupFile(t);
  await assert.rejects(
    run(["hang", file], { signal: AbortSignal.abort("early") }),
    (reason) => reason === "early",
  );
  assert.equal(existsSync(file), false);
});

test("U4 what it leaves behind is ended, and does not hold its output up", async (t) => {
  const file = await groupFile(t);
  assert.equal(await printed("leave", file), '{"a":"1"}');
  await assertGroupGone(leaderIn(file));
});

/** Lets a fake clock run on while work goes on, a millisecond a turn of the event loop. */
async function driven<Value>(clock: WatchedClock, work: Promise<Value>): Promise<Value> {
  const over = new AbortController();
  const end = work.finally(() => over.abort());
  while (!over.signal.aborted) await clock.advance(1);
  return end;
}
