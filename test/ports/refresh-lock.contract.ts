import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

import type { Clock } from "../../src/ports/clock.ts";
import type { RefreshLock } from "../../src/ports/refresh-lock.ts";
import { NEVER } from "../kit/activation.ts";
import { makeKey } from "../kit/credentials.ts";
import { WatchedClock } from "../kit/watched-clock.ts";

const WAIT_MS = 30_000;

/** Registers what every refresh lock has to do. `make` answers one that nobody holds. */
export function refreshLockContract(
  name: string,
  make: (t: TestContext, clock?: Clock) => Promise<RefreshLock>,
): void {
  const given = `${name}:`;
  const key = makeKey();

  test(`U10 ${given} the work runs, holds the lock, and its value is the answer`, async (t) => {
    const lock = await make(t);

    const outcome = await lock.hold(key, async (lease) => ["value", await lease.stillHeld()], {
      signal: NEVER,
      waitMs: 0,
    });

    assert.deepEqual(outcome, { ok: true, value: ["value", true] });
  });

  test(`U10 ${given} of five callers at once each works alone`, async (t) => {
    const lock = await make(t);
    let inside = 0;
    const seen: number[] = [];
    const work = async (): Promise<void> => {
      inside += 1;
      seen.push(inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };

    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => lock.hold(key, work, { signal: NEVER, waitMs: WAIT_MS })),
    );

    assert.deepEqual(
      outcomes,
      Array.from({ length: 5 }, () => ({ ok: true, value: undefined })),
    );
    assert.deepEqual(seen, [1, 1, 1, 1, 1]);
  });

  test(`U10 ${given} the locks of two servers do not wait for each other`, async (t) => {
    const lock = await make(t);
    const other = makeKey({ serverId: "other" });

    const outcome = await lock.hold(
      key,
      () => lock.hold(other, async () => "inner", { signal: NEVER, waitMs: 0 }),
      { signal: NEVER, waitMs: 0 },
    );

    assert.deepEqual(outcome, { ok: true, value: { ok: true, value: "inner" } });
  });

  test(`U10 ${given} work that fails rejects with its own error and gives the lock back`, async (t) => {
    const lock = await make(t);
    // Shaped like an error of the machine's: still the work's own.
    const failure = Object.assign(new Error("failed"), { code: "EACCES", syscall: "open" });

    const failing = lock.hold(key, () => Promise.reject(failure), { signal: NEVER, waitMs: 0 });
    await assert.rejects(failing, (error) => error === failure);

    const next = await lock.hold(key, async () => "next", { signal: NEVER, waitMs: 0 });
    assert.deepEqual(next, { ok: true, value: "next" });
  });

  test(`U10 ${given} a lock that stays held is a lock-timeout after the wait, not before, and the work never runs`, async (t) => {
    const clock = new WatchedClock();
    const lock = await make(t, clock);
    const startMs = clock.monotonicMs();
    let ran = false;

    await lock.hold(
      key,
      async () => {
        const waiting = lock.hold(key, async () => (ran = true), { signal: NEVER, waitMs: 1_000 });
        const outcome = await withTimePassing(clock, waiting);
        assert.deepEqual(outcome, { ok: false, refusal: { kind: "refresh-lock", reason: "lock-timeout" } });
      },
      { signal: NEVER, waitMs: 0 },
    );

    assert.equal(ran, false);
    const waitedMs = clock.monotonicMs() - startMs;
    assert.ok(waitedMs >= 1_000 && waitedMs <= 1_100, `${waitedMs}`);
    assert.equal(clock.pending, 0);
  });

  test(`U10 ${given} a wait that is aborted rejects with the signal's reason and leaves no timer`, async (t) => {
    const clock = new WatchedClock();
    const lock = await make(t, clock);
    const controller = new AbortController();
    const reason = new Error("enough");
    let ran = false;

    await lock.hold(
      key,
      async () => {
        const { signal } = controller;
        const waiting = lock.hold(key, async () => (ran = true), { signal, waitMs: WAIT_MS });
        waiting.catch(() => undefined);
        await clock.waits(1);
        controller.abort(reason);
        await assert.rejects(waiting, (error) => error === reason);
      },
      { signal: NEVER, waitMs: 0 },
    );

    assert.equal(ran, false);
    assert.equal(clock.pending, 0);
  });

  test(`U10 ${given} a signal that is aborted already starts nothing`, async (t) => {
    const lock = await make(t);
    const reason = new Error("enough");
    let ran = false;

    const aborted = lock.hold(key, async () => (ran = true), {
      signal: AbortSignal.abort(reason),
      waitMs: 0,
    });
    await assert.rejects(aborted, (error) => error === reason);

    assert.equal(ran, false);
  });

  test(`U10 ${given} an abort does not cut work that runs`, async (t) => {
    const lock = await make(t);
    const controller = new AbortController();

    const outcome = await lock.hold(
      key,
      async (lease) => {
        controller.abort();
        await new Promise((resolve) => setImmediate(resolve));
        return lease.stillHeld();
      },
      { signal: controller.signal, waitMs: 0 },
    );

    assert.deepEqual(outcome, { ok: true, value: true });
  });
}

/** Lets the clock run, while somebody waits for it, until the promise settles. */
async function withTimePassing<Value>(clock: WatchedClock, promise: Promise<Value>): Promise<Value> {
  const progress = { settled: false };
  const done = promise.finally(() => {
    progress.settled = true;
  });
  while (!progress.settled) {
    if (clock.pending > 0) await clock.advance(25);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}
