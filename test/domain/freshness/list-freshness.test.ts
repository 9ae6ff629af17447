import assert from "node:assert/strict";
import { test } from "node:test";

import { REFRESH_LIMITS, refreshLimits } from "../../../src/domain/freshness/limits.ts";
import {
  firstReading,
  nextFreshness,
  type FreshnessEffect,
  type FreshnessEvent,
  type ListFreshness,
} from "../../../src/domain/freshness/list-freshness.ts";
import { STALE_REASONS } from "../../../src/domain/freshness/stale.ts";

const READ = { kind: "read", changed: false, ttlMs: undefined } as const;
const CHANGED = { ...READ, changed: true } as const;
const ANNOUNCED = { kind: "announced" } as const;
const USED = { kind: "used" } as const;

interface Run {
  readonly state: ListFreshness;
  readonly effects: readonly FreshnessEffect[];
}

/** Every effect of a list that is read first at 0, in order. */
function run(...events: readonly (readonly [atMs: number, event: FreshnessEvent])[]): Run {
  let state = firstReading(0);
  const effects: FreshnessEffect[] = [];
  for (const [nowMs, event] of events) {
    const step = nextFreshness(state, event, { nowMs, limits: REFRESH_LIMITS });
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

test("V4 the limits are 1 s apart, 10 a minute, and a minute of age", () => {
  assert.deepEqual(REFRESH_LIMITS, {
    minIntervalMs: 1_000,
    perWindow: 10,
    windowMs: 60_000,
    minAgeMs: 60_000,
  });
});

test("V4 a host's own limits take the place of the defaults, down to no interval and one reading", () => {
  assert.deepEqual(refreshLimits({}), REFRESH_LIMITS);
  assert.deepEqual(refreshLimits({ minIntervalMs: 0, perMinute: 1 }), {
    ...REFRESH_LIMITS,
    minIntervalMs: 0,
    perWindow: 1,
  });
});

for (const chosen of [
  { minIntervalMs: -1 },
  { minIntervalMs: Infinity },
  { minIntervalMs: NaN },
  { perMinute: 0 },
  { perMinute: 1.5 },
  { perMinute: NaN },
  { perMinute: Infinity },
]) {
  const [[name, value] = ["", 0]] = Object.entries(chosen);
  test(`V4 ${name} ${value} bounds nothing, and is a caller's mistake`, () => {
    assert.throws(() => refreshLimits(chosen), { name: "TypeError", code: "refresh-limits" });
  });
}

test("V4 what makes a list stale is one of five things", () => {
  assert.deepEqual(STALE_REASONS, ["list-changed", "noisy", "refresh-failed", "push-gap", "aged"]);
});

for (const { atMs, effect } of [
  { atMs: 999, effect: { kind: "wait", ms: 1 } },
  { atMs: 1_000, effect: { kind: "read" } },
  { atMs: 1_001, effect: { kind: "read" } },
] as const) {
  test(`V4 a list announced ${atMs} ms after it was asked for is answered with ${effect.kind}`, () => {
    const { state, effects } = run([10, READ], [atMs, ANNOUNCED]);

    assert.deepEqual(effects, [effect]);
    assert.deepEqual(state.stale, { reason: "list-changed", sinceMs: atMs });
  });
}

test("V4 fifty announcements at once are one reading, and one more when they came during it", () => {
  const burst = Array.from({ length: 50 }, () => [2_000, ANNOUNCED] as const);

  const { state, effects } = run([10, READ], ...burst, [2_100, CHANGED]);

  assert.deepEqual(effects, [{ kind: "read" }, { kind: "tell" }, { kind: "wait", ms: 900 }]);
  assert.deepEqual(state.stale, { reason: "list-changed", sinceMs: 2_000 });
});

test("V4 a list announced while it was read first is read again", () => {
  const { state, effects } = run([5, ANNOUNCED], [10, READ], [1_000, { kind: "due" }], [1_010, READ]);

  assert.deepEqual(effects, [{ kind: "wait", ms: 990 }, { kind: "read" }]);
  assert.equal(state.stale, undefined);
});

test("V4 a server that announces with each reading is read 10 times a minute and is said to be noisy", () => {
  let state = firstReading(0);
  const starts: number[] = [0];
  let noisyAtMs: number | undefined;
  for (let nowMs = 0; nowMs < 60_000; nowMs += 100) {
    const events: readonly FreshnessEvent[] =
      state.phase === "reading" ? [ANNOUNCED, READ] : state.phase === "waiting" ? [{ kind: "due" }] : [];
    for (const event of events) {
      const step = nextFreshness(state, event, { nowMs, limits: REFRESH_LIMITS });
      state = step.state;
      if (step.effects.some(({ kind }) => kind === "read")) starts.push(nowMs);
    }
    if (state.stale?.reason === "noisy") noisyAtMs ??= nowMs;
  }

  assert.equal(starts.length, 10);
  assert.equal(noisyAtMs, 9_100);
  assert.equal(state.stale?.reason, "noisy");
});

test("V4 a failed reading keeps the list stale with the reason, its age from the first sign", () => {
  const { state, effects } = run(
    [10, READ],
    [2_000, ANNOUNCED],
    [7_000, { kind: "failed", reason: "timeout" }],
  );

  assert.deepEqual(effects, [{ kind: "read" }]);
  assert.equal(state.phase, "idle");
  assert.deepEqual(state.stale, { reason: "refresh-failed", sinceMs: 2_000, failure: "timeout" });
});

test("V4 what failed is read again at the next use, and not before the interval is over", () => {
  const failed = [
    [10, READ],
    [2_000, ANNOUNCED],
    [2_001, { kind: "failed", reason: "timeout" }],
  ] as const;

  assert.deepEqual(run(...failed, [2_999, USED]).effects, [{ kind: "read" }]);
  assert.deepEqual(run(...failed, [3_000, USED]).effects, [{ kind: "read" }, { kind: "read" }]);
});

for (const { ttlMs, goodMs } of [
  { ttlMs: 0, goodMs: 60_000 },
  { ttlMs: 60_001, goodMs: 60_001 },
  { ttlMs: 3_600_000, goodMs: 3_600_000 },
]) {
  test(`C4 a list of ttlMs ${ttlMs} is stale by age after ${goodMs} ms, when it is used`, () => {
    const read = [500, { kind: "read", changed: false, ttlMs }] as const;

    const before = run(read, [500 + goodMs - 1, USED]);
    const after = run(read, [500 + goodMs, USED]);

    assert.deepEqual([before.effects, before.state.stale], [[], undefined]);
    assert.deepEqual(after.effects, [{ kind: "read" }]);
    assert.deepEqual(after.state.stale, { reason: "aged", sinceMs: 500 + goodMs });
  });
}

test("C4 a list whose server says nothing of its age does not age", () => {
  assert.deepEqual(run([10, READ], [1e12, USED]).effects, []);
});

test("V4 a gap in what the server could announce makes the list stale, and it is read at the next use", () => {
  const gap = run([10, READ], [5_000, { kind: "push-gap" }]);
  const used = run([10, READ], [5_000, { kind: "push-gap" }], [6_000, USED], [6_100, READ]);

  assert.deepEqual([gap.effects, gap.state.stale], [[], { reason: "push-gap", sinceMs: 5_000 }]);
  assert.deepEqual([used.effects, used.state.stale], [[{ kind: "read" }], undefined]);
});

test("V4 a gap while the list was read leaves what was read stale", () => {
  const { state, effects } = run([5, { kind: "push-gap" }], [10, READ]);

  assert.deepEqual([effects, state.stale], [[], { reason: "push-gap", sinceMs: 5 }]);
});

test("V4 answers and waits that belong to nothing change nothing", () => {
  const { state } = run([10, READ]);

  for (const event of [READ, { kind: "failed", reason: "x" }, { kind: "due" }] as const) {
    const step = nextFreshness(state, event, { nowMs: 20, limits: REFRESH_LIMITS });
    assert.deepEqual(step, { state, effects: [] });
  }
});
