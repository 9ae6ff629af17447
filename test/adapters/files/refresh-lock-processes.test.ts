/** The refresh lock between real processes: killed, stopped, and many at once. */
import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { createFileOAuthRefreshLock } from "../../../src/adapters/files/refresh-lock.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { NEVER } from "../../kit/activation.ts";
import { makeKey } from "../../kit/credentials.ts";
import { startLockHolder } from "../../kit/lock-holder.ts";
import { runFixture } from "../../kit/run-node.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

/** The shortest there is, so that a test takes seconds. */
const STALE_MS = 2_000;

test("U10 five processes that change one file eight times each lose none of the forty changes", async (t) => {
  const home = await tempFolder(t);
  const file = join(home, "count");
  await writeFile(file, "0");

  await Promise.all(
    Array.from({ length: 5 }, () => runFixture("oauth/hold-lock.ts", [home, "60000", "count", file, "8"])),
  );

  assert.equal(await readFile(file, "utf8"), "40");
  assert.deepEqual(await readdir(join(home, "locks")), []);
});

test("U10 the lock of a process that was killed goes to exactly one of five that wait, and then to the next", async (t) => {
  const home = await tempFolder(t);
  const file = join(home, "count");
  await writeFile(file, "0");
  const killed = startLockHolder(t, home, { staleMs: STALE_MS });
  assert.equal(await killed.next(), "held");
  killed.child.kill("SIGKILL");
  await killed.ended;

  assert.equal((await readdir(join(home, "locks"))).length, 1);
  await Promise.all(
    Array.from({ length: 5 }, () =>
      runFixture("oauth/hold-lock.ts", [home, String(STALE_MS), "count", file, "1"]),
    ),
  );

  assert.equal(await readFile(file, "utf8"), "5");
  assert.deepEqual(await readdir(join(home, "locks")), []);
});

test("U10 a process that was stopped while another took its lock over knows it when it goes on, and takes nothing from the other", async (t) => {
  const home = await tempFolder(t);
  const stopped = startLockHolder(t, home, { staleMs: STALE_MS });
  assert.equal(await stopped.next(), "held");
  stopped.tell("still?");
  assert.equal(await stopped.next(), "true");
  stopped.child.kill("SIGSTOP");
  const other = startLockHolder(t, home, { staleMs: STALE_MS });
  assert.equal(await other.next(), "held");

  stopped.child.kill("SIGCONT");
  stopped.tell("still?");
  assert.equal(await stopped.next(), "false");
  stopped.tell("release");
  assert.equal(await stopped.next(), "released");
  await stopped.ended;

  other.tell("still?");
  assert.equal(await other.next(), "true");
  other.tell("release");
  assert.equal(await other.next(), "released");
  await other.ended;
  assert.deepEqual(await readdir(join(home, "locks")), []);
});

test("U10 a holder that lives keeps its lock for longer than it would last without a sign of life", async (t) => {
  const home = await tempFolder(t);
  const holder = startLockHolder(t, home, { staleMs: STALE_MS });
  assert.equal(await holder.next(), "held");
  const lock = createFileOAuthRefreshLock({ folder: home, clock: createSystemClock(), staleMs: STALE_MS });

  const outcome = await lock.hold(makeKey(), async () => undefined, {
    signal: NEVER,
    waitMs: STALE_MS + 1_500,
  });

  assert.deepEqual(outcome, { ok: false, refusal: { kind: "refresh-lock", reason: "lock-timeout" } });
  holder.tell("still?");
  assert.equal(await holder.next(), "true");
});
