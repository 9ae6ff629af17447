import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import test from "node:test";

import { assertEventually, assertGroupGone, childFixture, isAlive } from "../../kit/child-groups.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { fixtureLaunch, launchOf } from "../../kit/launches.ts";
import { startPuppet } from "../../kit/puppet.ts";

/** Rungs that only a child that has to be pushed climbs; a cooperative one never waits for them. */
const SHORT = { stdinMs: 60, termMs: 60, killMs: 4_000, drainMs: 60 } as const;
/** For tests in which a rung must not end before the child does. */
const LONG = { stdinMs: 60_000, termMs: 60_000, killMs: 60_000, drainMs: 60_000 } as const;

test("X6 a child that ends with its stdin gets no signal", async (t) => {
  const { child } = await startPuppet(t, await fixtureLaunch("puppet.mjs"), { ladder: LONG });

  assert.deepEqual(await child.stop(), { clean: true });

  assert.deepEqual(await child.exited, { code: 0, signal: null });
});

test("X6 a child that ignores the end of its stdin gets SIGTERM", async (t) => {
  const launch = await fixtureLaunch("puppet.mjs", ["--ignore-eof"]);
  const { child, ask } = await startPuppet(t, launch, { ladder: { ...LONG, stdinMs: 60 } });
  await ask("echo");

  assert.deepEqual(await child.stop(), { clean: true });

  assert.deepEqual(await child.exited, { code: null, signal: "SIGTERM" });
});

test("X6 a child that ignores SIGTERM is killed within the close ladder", async (t) => {
  const launch = await fixtureLaunch("puppet.mjs", ["--ignore-eof", "--ignore-term"]);
  const { child, ask } = await startPuppet(t, launch, { ladder: SHORT });
  await ask("echo");

  assert.deepEqual(await child.stop(), { clean: true });

  assert.deepEqual(await child.exited, { code: null, signal: "SIGKILL" });
});

test("X6 by default SIGTERM comes 2 seconds after the end of stdin and SIGKILL 2 seconds later", async (t) => {
  const clock = new FakeClock();
  const launch = await fixtureLaunch("puppet.mjs", ["--ignore-eof", "--ignore-term"]);
  const { child, ask } = await startPuppet(t, launch, { clock });
  await ask("echo");
  let exit: unknown;
  void child.exited.then((value) => (exit = value));

  const stopped = child.stop();
  await clock.advance(3_999);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(exit, undefined);

  await clock.advance(1);
  await child.exited;
  assert.deepEqual(exit, { code: null, signal: "SIGKILL" });
  await clock.advance(2_000);
  assert.deepEqual(await stopped, { clean: true });
  assert.equal(clock.pending, 0);
});

test("X6 by default SIGTERM does not come before 2 seconds", async (t) => {
  const clock = new FakeClock();
  const launch = await fixtureLaunch("puppet.mjs", ["--ignore-eof"]);
  const { child, ask } = await startPuppet(t, launch, { clock });
  await ask("echo");

  const stopped = child.stop();
  await clock.advance(1_999);
  assert.equal(isAlive(child.pid), true);

  await clock.advance(1);
  assert.deepEqual(await child.exited, { code: null, signal: "SIGTERM" });
  await clock.advance(2_000);
  assert.deepEqual(await stopped, { clean: true });
});

test("E4 the server behind sh -c 'server; true' ends with it", async (t) => {
  const shell = realpathSync("/bin/sh");
  const script = `"${realpathSync(process.execPath)}" "${childFixture("puppet.mjs")}" --ignore-eof; true`;
  const { child, ask } = await startPuppet(t, await launchOf(shell, ["-c", script]), { ladder: SHORT });
  await ask("echo");

  assert.deepEqual(await child.stop(), { clean: true });

  await assertGroupGone(child.pid);
});

for (const stubborn of [false, true]) {
  const who = stubborn ? "ignores SIGTERM" : "does not read stdin";
  test(`X6 a grandchild that holds the pipes and ${who} ends with the group`, async (t) => {
    const { child, ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs"), { ladder: SHORT });
    const { pid } = await ask("grandchild", { stubborn });

    assert.deepEqual(await child.stop(), { clean: true });

    assert.equal(isAlive(Number(pid)), false);
  });

  test(`X6 a grandchild that ${who} ends when the child exits by itself, without a stop`, async (t) => {
    const { child, ask, tell } = await startPuppet(t, await fixtureLaunch("puppet.mjs"), { ladder: SHORT });
    const { pid } = await ask("grandchild", { stubborn });

    await tell("exit", { code: 7 });

    assert.deepEqual(await child.drained, { code: 7, signal: null });
    await assertEventually(() => !isAlive(Number(pid)), "the grandchild is alive");
  });
}

test("X6 a survivor that left the group and holds the pipes does not delay close", async (t) => {
  const { child, ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs"), {
    ladder: { ...LONG, drainMs: 60 },
  });
  const { pid } = await ask("grandchild", { detached: true });
  t.after(() => process.kill(Number(pid), "SIGKILL"));

  assert.deepEqual(await child.stop(), { clean: true });

  assert.deepEqual(await child.drained, { code: 0, signal: null });
  assert.equal(isAlive(Number(pid)), true);
});

test("X5 a large answer right before the exit is delivered whole", async (t) => {
  const { child, ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs"), { ladder: LONG });
  const size = 4 * 1_024 * 1_024;

  const { text } = await ask("answer-and-exit", { size });

  assert.equal(String(text).length, size);
  assert.deepEqual(await child.exited, { code: 0, signal: null });
});

test("X6 a write to a child that reads nothing is given up when the child is stopped", async (t) => {
  const { child } = await startPuppet(t, await fixtureLaunch("puppet.mjs", ["--deaf"]), { ladder: SHORT });
  const writing = child.write(new Uint8Array(4 * 1_024 * 1_024));
  const refused = assert.rejects(writing);

  await child.stop();

  await refused;
});

test("X6 while no child runs there is no listener on the host's exit", async (t) => {
  // By identity, not by number: the watch of an earlier child may still be about to go.
  const before = new Set(process.listeners("exit"));
  const { child, ask } = await startPuppet(t, await fixtureLaunch("puppet.mjs"), { ladder: SHORT });
  await ask("echo");
  const added = process.listeners("exit").filter((listener) => !before.has(listener));
  assert.equal(added.length, 1);

  await child.stop();

  await assertEventually(
    () => !process.listeners("exit").some((listener) => added.includes(listener)),
    "a listener was left",
  );
});
