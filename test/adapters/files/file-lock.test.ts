import assert from "node:assert/strict";
import { existsSync, rmdirSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { LOCK_STALE_MS, LOCK_WAIT_MS, type Lease, withLock } from "../../../src/adapters/files/file-lock.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { type Outcome, accept } from "../../../src/domain/outcome.ts";
import type { StoreReason } from "../../../src/domain/activation/store-refusal.ts";
import { NEVER } from "../../kit/activation.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

async function lockPath(t: TestContext): Promise<string> {
  return join(await tempFolder(t), "state.lock");
}

/** Lets the clock run, while somebody waits for it, until the promise settles. */
async function withTimePassing<Value>(clock: FakeClock, promise: Promise<Value>): Promise<Value> {
  const progress = { settled: false };
  const done = promise.finally(() => {
    progress.settled = true;
  });
  done.catch(() => undefined);
  while (!progress.settled) {
    if (clock.pending > 0) await clock.advance(25);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

test("A5 work under a lock runs alone, and leaves no lock behind", async (t) => {
  const path = await lockPath(t);
  let inside = 0;
  let most = 0;
  const work = async (): Promise<Outcome<number, StoreReason>> => {
    inside += 1;
    most = Math.max(most, inside);
    await stat(path);
    inside -= 1;
    return accept(1);
  };

  const all = await Promise.all(
    Array.from({ length: 5 }, () => withLock(path, work, { clock: createSystemClock(), signal: NEVER })),
  );

  assert.deepEqual(
    all,
    Array.from({ length: 5 }, () => accept(1)),
  );
  assert.equal(most, 1);
  await assert.rejects(stat(path), { code: "ENOENT" });
});

test("A5 work that fails releases its lock", async (t) => {
  const path = await lockPath(t);
  const failure = new Error("failed");

  const work = withLock(path, () => Promise.reject(failure), { clock: createSystemClock(), signal: NEVER });

  await assert.rejects(work, failure);
  await assert.rejects(stat(path), { code: "ENOENT" });
});

test("A5 a lock that stays held is refused after the wait, and not before, and the work never runs", async (t) => {
  const path = await lockPath(t);
  await mkdir(path);
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  let ran = false;

  const outcome = await withTimePassing(
    clock,
    withLock(
      path,
      async () => {
        ran = true;
        return accept(1);
      },
      { clock, signal: NEVER },
    ),
  );

  assert.deepEqual(outcome, { ok: false, refusal: "lock-timeout" });
  assert.equal(ran, false);
  const waitedMs = clock.nowMs() - startMs;
  assert.ok(waitedMs >= LOCK_WAIT_MS && waitedMs <= LOCK_WAIT_MS + 25, `${waitedMs}`);
  assert.equal(clock.pending, 0);
  assert.ok((await stat(path)).isDirectory());
});

test("A5 the wait outlives the lock of a process that was killed", () => {
  assert.ok(LOCK_WAIT_MS > LOCK_STALE_MS);
});

test("A5 a lock that nobody renewed is taken over", async (t) => {
  const path = await lockPath(t);
  await mkdir(path);
  const longAgo = new Date(Date.now() - 2 * LOCK_STALE_MS);
  await utimes(path, longAgo, longAgo);

  const outcome = await withLock(path, async () => accept(1), {
    clock: createSystemClock(),
    signal: NEVER,
    waitMs: 0,
  });

  assert.deepEqual(outcome, accept(1));
});

test("A5 a wait that is aborted rejects with the signal's reason and leaves no timer", async (t) => {
  const path = await lockPath(t);
  await mkdir(path);
  const clock = new FakeClock();
  const controller = new AbortController();
  const reason = new Error("enough");

  const waiting = withLock(path, async () => accept(1), { clock, signal: controller.signal });
  waiting.catch(() => undefined);
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  controller.abort(reason);

  await assert.rejects(waiting, reason);
  assert.equal(clock.pending, 0);
});

for (const [what, takeOver] of [
  ["removed", (path: string) => rm(path, { recursive: true })],
  [
    "taken over",
    async (path: string) => {
      await rename(path, `${path}.old`);
      await mkdir(path);
    },
  ],
] as const) {
  test(`A5 a holder whose lock was ${what} knows it, and does not release the lock of another`, async (t) => {
    const path = await lockPath(t);
    const held: boolean[] = [];
    const work = async (lease: Lease): Promise<Outcome<undefined, StoreReason>> => {
      held.push(lease.stillHeld());
      await takeOver(path);
      held.push(lease.stillHeld());
      return accept(undefined);
    };

    await withLock(path, work, { clock: createSystemClock(), signal: NEVER });

    assert.deepEqual(held, [true, false]);
    const left = await readdir(join(path, ".."));
    assert.deepEqual(left, what === "removed" ? [] : ["state.lock", "state.lock.old"]);
  });
}

test("A5 who loses a lock in the moment of taking it goes on waiting, instead of failing", async (t) => {
  const path = await lockPath(t);
  await import("proper-lockfile");
  const taker = { removed: false };
  // What a second waiter does that found the same dead lock: it removes what the first has just made.
  const take = (): void => {
    if (taker.removed) return;
    if (existsSync(path)) {
      rmdirSync(path);
      taker.removed = true;
    } else setImmediate(take);
  };
  setImmediate(take);

  const outcome = await withLock(path, async () => accept("done"), {
    clock: createSystemClock(),
    signal: NEVER,
  });

  assert.deepEqual(outcome, accept("done"));
  assert.equal(taker.removed, true);
});
