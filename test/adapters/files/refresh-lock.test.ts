import assert from "node:assert/strict";
import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import {
  type FileOAuthRefreshLockOptions,
  createFileOAuthRefreshLock,
} from "../../../src/adapters/files/refresh-lock.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { credentialSlot } from "../../../src/domain/oauth/credential-slot.ts";
import type { RefreshLease, RefreshLock } from "../../../src/ports/refresh-lock.ts";
import { NEVER } from "../../kit/activation.ts";
import { makeKey } from "../../kit/credentials.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { WatchedClock } from "../../kit/watched-clock.ts";
import { refreshLockContract } from "../../ports/refresh-lock.contract.ts";

refreshLockContract("file", async (t, clock = createSystemClock()) =>
  createFileOAuthRefreshLock({ folder: join(await tempFolder(t), "home"), clock }),
);

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly path: string;
  readonly lock: RefreshLock;
}

async function makePlace(t: TestContext, options: Partial<FileOAuthRefreshLockOptions> = {}): Promise<Place> {
  const home = join(await tempFolder(t), "home");
  const folder = join(home, "locks");
  const lock = createFileOAuthRefreshLock({ folder: home, clock: createSystemClock(), ...options });
  return { home, folder, lock, path: join(folder, `${credentialSlot(makeKey())}.lock`) };
}

const AT_ONCE = { signal: NEVER, waitMs: 0 };
const FAILED = { ok: false, refusal: { kind: "refresh-lock", reason: "lock-failed" } };

test("U10 a lock is a folder of its owner's alone, named by the key's digest, and nothing is left of it", async (t) => {
  const { folder, path, lock } = await makePlace(t);

  const outcome = await lock.hold(
    makeKey(),
    async () => [await readdir(folder), (await stat(path)).mode & 0o777, (await stat(folder)).mode & 0o777],
    AT_ONCE,
  );

  assert.deepEqual(outcome, { ok: true, value: [[`${credentialSlot(makeKey())}.lock`], 0o700, 0o700] });
  assert.deepEqual(await readdir(folder), []);
});

test("U10 spellings of one URL share one lock", async (t) => {
  const { lock } = await makePlace(t);
  const spelled = makeKey({ resource: "HTTPS://MCP.example:443/mcp" });

  const outcome = await lock.hold(makeKey(), () => lock.hold(spelled, async () => 1, AT_ONCE), AT_ONCE);

  assert.deepEqual(outcome.ok && outcome.value, {
    ok: false,
    refusal: { kind: "refresh-lock", reason: "lock-timeout" },
  });
});

for (const [what, spoil] of [
  [
    "others may enter",
    (folder: string) => mkdir(folder, { recursive: true }).then(() => chmod(folder, 0o755)),
  ],
  [
    "is a file",
    (folder: string) => mkdir(join(folder, ".."), { recursive: true }).then(() => writeFile(folder, "")),
  ],
] as const) {
  test(`U10 a folder that ${what} is lock-failed, and the work never runs`, async (t) => {
    const { folder, lock } = await makePlace(t);
    await spoil(folder);
    let ran = false;

    assert.deepEqual(await lock.hold(makeKey(), async () => (ran = true), AT_ONCE), FAILED);

    assert.equal(ran, false);
  });
}

test("U10 a lock that cannot be taken over is lock-failed: what is in its folder is not ours", async (t) => {
  const { path, lock } = await makePlace(t);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await writeFile(join(path, "foreign"), "");
  await chmod(join(path, ".."), 0o700);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);

  assert.deepEqual(await lock.hold(makeKey(), async () => 1, AT_ONCE), FAILED);

  assert.deepEqual(await readdir(path), ["foreign"]);
});

for (const [agoMs, expected] of [
  [9_000, "lock-timeout"],
  [11_000, "taken over"],
] as const) {
  test(`U10 a lock without a sign of life for ${agoMs} ms is ${expected} by default`, async (t) => {
    const { folder, path, lock } = await makePlace(t);
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    const then = new Date(Date.now() - agoMs);
    await utimes(path, then, then);

    const outcome = await lock.hold(makeKey(), async () => "taken over", AT_ONCE);

    assert.equal(outcome.ok ? outcome.value : outcome.refusal.reason, expected);
  });
}

test("U10 who takes a lock over looks again before the work runs: one that was removed meanwhile is waited for", async (t) => {
  const clock = new WatchedClock();
  const { folder, path, lock } = await makePlace(t, { clock });
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await utimes(path, new Date(0), new Date(0));
  const events: string[] = [];

  const waiting = lock.hold(makeKey(), async () => events.push("work"), { signal: NEVER, waitMs: 10_000 });
  await clock.waits(1);
  // What the slower of two waiters does, that found the same lock stale.
  await rm(path, { recursive: true });
  await mkdir(path, { mode: 0o700 });
  await clock.advance(250);
  await clock.waits(2);
  events.push("waits");
  await rm(path, { recursive: true });
  while (events.length < 2) await clock.advance(25);

  assert.equal((await waiting).ok, true);
  assert.deepEqual(events, ["waits", "work"]);
});

test("U10 an abort in the moment of a takeover gives the lock back", async (t) => {
  const clock = new WatchedClock();
  const { folder, path, lock } = await makePlace(t, { clock });
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await utimes(path, new Date(0), new Date(0));
  const controller = new AbortController();
  const reason = new Error("enough");

  const waiting = lock.hold(makeKey(), async () => 1, { signal: controller.signal, waitMs: 10_000 });
  waiting.catch(() => undefined);
  await clock.waits(1);
  controller.abort(reason);

  await assert.rejects(waiting, (error) => error === reason);
  assert.deepEqual(await readdir(folder), []);
});

for (const [what, takeOver, left] of [
  ["removed", (path: string) => rm(path, { recursive: true }), 0],
  ["made anew by another", (path: string) => rm(path, { recursive: true }).then(() => mkdir(path)), 1],
  ["moved away", (path: string) => rename(path, `${path}.old`), 1],
] as const) {
  test(`U10 a holder whose lock was ${what} does not hold it, and removes no other's`, async (t) => {
    const { folder, path, lock } = await makePlace(t);
    const work = async (lease: RefreshLease): Promise<readonly boolean[]> => {
      const before = await lease.stillHeld();
      await takeOver(path);
      return [before, await lease.stillHeld()];
    };

    assert.deepEqual(await lock.hold(makeKey(), work, AT_ONCE), { ok: true, value: [true, false] });

    assert.equal((await readdir(folder)).length, left);
  });
}

test("U10 a holder whose lock somebody else renews does not hold it, and its process goes on", async (t) => {
  const { path, lock } = await makePlace(t, { staleMs: 2_000 });
  const work = async (lease: RefreshLease): Promise<boolean> => {
    // As after a takeover on a file system that reuses numbers and keeps no time of birth.
    await utimes(path, new Date(1), new Date(1));
    while (await lease.stillHeld()) await createSystemClock().wait(25, { signal: t.signal });
    return lease.stillHeld();
  };

  assert.deepEqual(await lock.hold(makeKey(), work, AT_ONCE), { ok: true, value: false });
});

test("U10 a lock that cannot be looked at any more is not held", async (t) => {
  const { home, lock } = await makePlace(t);
  const work = async (lease: RefreshLease): Promise<boolean> => {
    await rename(join(home, "locks"), join(home, "elsewhere"));
    await writeFile(join(home, "locks"), "");
    return lease.stillHeld();
  };

  assert.deepEqual(await lock.hold(makeKey(), work, AT_ONCE), { ok: true, value: false });
});

for (const staleMs of [1_999, 60_001, Number.NaN, 2_000.5]) {
  test(`U10 a lock that lasts ${staleMs} ms is a caller's bug`, () => {
    const options = { folder: "/nowhere", clock: createSystemClock(), staleMs };

    assert.throws(() => createFileOAuthRefreshLock(options), {
      name: "TypeError",
      code: "refresh-lock-options-invalid",
    });
  });
}

for (const staleMs of [2_000, 60_000]) {
  test(`U10 a lock may last ${staleMs} ms`, async (t) => {
    const { lock } = await makePlace(t, { staleMs });

    assert.deepEqual(await lock.hold(makeKey(), async () => 1, AT_ONCE), { ok: true, value: 1 });
  });
}
