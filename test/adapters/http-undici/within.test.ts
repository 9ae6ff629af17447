import assert from "node:assert/strict";
import { test } from "node:test";

import { within } from "../../../src/adapters/http-undici/within.ts";
import { FakeClock } from "../../kit/fake-clock.ts";

/** Work that ends when the test says so, whatever its signal does. */
function stubborn(): { readonly work: () => Promise<string>; readonly finish: (value: string) => void } {
  const finishers: ((value: string) => void)[] = [];
  const done = new Promise<string>((resolve) => finishers.push(resolve));
  return { work: () => done, finish: (value) => finishers[0]?.(value) };
}

const never = new AbortController().signal;

test("E8 work that is done in time answers, and leaves no timer", async () => {
  const clock = new FakeClock();
  const outcome = await within(10, { clock, signal: never }, async () => "done");
  assert.deepEqual(outcome, { ok: true, value: "done" });
  assert.equal(clock.pending, 0);
});

test("E8 what comes after the deadline is dropped by whoever knows how", async () => {
  const clock = new FakeClock();
  const dropped: string[] = [];
  const { work, finish } = stubborn();
  const running = within(10, { clock, signal: never, dropLate: (value) => dropped.push(value) }, work);
  await clock.advance(10);
  assert.deepEqual(await running, { ok: false, refusal: "timeout" });
  finish("late");
  await work();
  assert.deepEqual(dropped, ["late"]);
});

test("E8 what comes after an abort is dropped by whoever knows how", async () => {
  const clock = new FakeClock();
  const dropped: string[] = [];
  const { work, finish } = stubborn();
  const controller = new AbortController();
  const running = within(
    10,
    { clock, signal: controller.signal, dropLate: (value) => dropped.push(value) },
    work,
  );
  controller.abort("mine");
  await assert.rejects(running, (error) => error === "mine");
  finish("late");
  await work();
  assert.deepEqual(dropped, ["late"]);
  assert.equal(clock.pending, 0);
});

test("E8 an abort before the work begins starts nothing", async () => {
  const clock = new FakeClock();
  let started = false;
  const running = within(10, { clock, signal: AbortSignal.abort("before") }, async () => {
    started = true;
  });
  await assert.rejects(running, (error) => error === "before");
  assert.equal(started, false);
});

test("E8 work that fails rejects with its own error, and leaves no timer", async () => {
  const clock = new FakeClock();
  const failure = new Error("mine");
  const running = within(10, { clock, signal: never }, () => Promise.reject(failure));
  await assert.rejects(running, (error) => error === failure);
  assert.equal(clock.pending, 0);
});
