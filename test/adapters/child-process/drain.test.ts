import assert from "node:assert/strict";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import test from "node:test";

import { GroupedChild } from "../../../src/adapters/child-process/grouped-child.ts";
import type { ProcessExit } from "../../../src/ports/process-runner.ts";
import { FakeClock } from "../../kit/fake-clock.ts";

const LADDER = { stdinMs: 2_000, termMs: 2_000, killMs: 2_000, drainMs: 200 } as const;

interface Played {
  readonly child: GroupedChild;
  readonly clock: FakeClock;
  readonly stdout: PassThrough;
  readonly exit: () => void;
  readonly heard: string[];
  readonly drained: () => ProcessExit | undefined;
}

/** A child of which a test says when it exits and when its pipe ends: real ones do both in any order. */
function playedChild(): Played {
  const clock = new FakeClock();
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const played = Object.assign(new EventEmitter(), { stdin, stdout, stderr, stdio: [stdin, stdout, stderr] });
  // `as`: the members that the class uses are all there; the rest of Node's class is not.
  const process = played as unknown as ChildProcessWithoutNullStreams;
  const child = new GroupedChild(process, { pid: 1, clock, ladder: LADDER, leadsGroup: false });
  const heard: string[] = [];
  child.onStdout((chunk) => heard.push(Buffer.from(chunk).toString()));
  let drained: ProcessExit | undefined;
  void child.drained.then((exit) => (drained = exit));
  return { child, clock, stdout, heard, exit: () => played.emit("exit", 0, null), drained: () => drained };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("X5 what comes out of the pipe after the exit is delivered before the child counts as drained", async () => {
  const { stdout, exit, heard, drained, clock } = playedChild();

  exit();
  await turns();
  assert.equal(drained(), undefined);
  stdout.write("last words");
  await turns();
  stdout.end();
  await turns();

  assert.deepEqual(heard, ["last words"]);
  assert.deepEqual(drained(), { code: 0, signal: null });
  assert.equal(clock.pending, 0);
});

test("X5 what was held back by a pause is delivered after the exit", async () => {
  const { child, stdout, exit, heard, drained } = playedChild();
  child.pauseStdout();
  stdout.end("held back");
  await turns();
  assert.deepEqual(heard, []);

  exit();
  await turns();

  assert.deepEqual(heard, ["held back"]);
  assert.deepEqual(drained(), { code: 0, signal: null });
});

test("X6 a pipe that somebody holds open after the exit is waited for 200 ms and no longer", async () => {
  const { stdout, exit, heard, drained, clock } = playedChild();
  exit();
  await turns();

  await clock.advance(199);
  await turns();
  assert.equal(drained(), undefined);

  await clock.advance(1);
  await turns();
  assert.deepEqual(drained(), { code: 0, signal: null });
  assert.equal(stdout.destroyed, true);
  assert.deepEqual(heard, []);
});

test("X6 stopping does not wait for the pipe at all", async () => {
  const { child, exit, drained, clock } = playedChild();
  exit();

  assert.deepEqual(await child.stop(), { clean: true });

  await turns();
  assert.deepEqual(drained(), { code: 0, signal: null });
  assert.equal(clock.pending, 0);
});
