import assert from "node:assert/strict";
import { test } from "node:test";

import {
  FAILURE_WINDOW_MS,
  FAILURES_LIMIT,
  FailureThrottle,
  TRACKED_ADDRESSES_LIMIT,
} from "../../../src/domain/gate/throttle.ts";

const START_MS = 5_000;

/** Fails so often at one moment; answers what the last failure was told. */
function failures(
  throttle: FailureThrottle,
  count: number,
  { address = "a", nowMs = START_MS } = {},
): number {
  let told = 0;
  for (let at = 0; at < count; at += 1) told = throttle.fail(address, nowMs);
  return told;
}

test("R6 the limits are 20 failures in 60 seconds, and 4,096 addresses", () => {
  assert.deepEqual([FAILURES_LIMIT, FAILURE_WINDOW_MS, TRACKED_ADDRESSES_LIMIT], [20, 60_000, 4_096]);
});

for (const [count, told] of [
  [1, 0],
  [19, 0],
  [20, 0],
  [21, 60],
  [500, 60],
] as const) {
  test(`R6 failure ${count} of one moment is ${told === 0 ? "not throttled" : "told to wait"}`, () => {
    assert.equal(failures(new FailureThrottle(), count), told);
  });
}

test("R6 an address is told to wait until fewer than 20 of its failures are within the window", () => {
  const throttle = new FailureThrottle();
  failures(throttle, 20);

  assert.equal(throttle.fail("a", START_MS + 59_999), 1);
  // 19 of the first moment and this one are left; the next millisecond they are over.
  assert.equal(throttle.fail("a", START_MS + 60_000), 0);
});

test("R6 whoever goes on failing goes on waiting, by its newest 20 failures", () => {
  const throttle = new FailureThrottle();
  failures(throttle, 20);
  failures(throttle, 20, { nowMs: START_MS + 30_000 });

  assert.equal(throttle.fail("a", START_MS + 60_000), 30);
});

test("R6 how long to wait goes by the newest 20 failures alone", () => {
  const throttle = new FailureThrottle();
  failures(throttle, 20);
  failures(throttle, 20, { nowMs: START_MS + 10_000 });

  assert.equal(throttle.fail("a", START_MS + 20_000), 50);
});

test("R6 an address that is remembered and fails again takes no place of another's", () => {
  const throttle = new FailureThrottle();
  for (let at = 0; at < TRACKED_ADDRESSES_LIMIT; at += 1) throttle.fail(`n${at}`, START_MS);

  throttle.fail("n9", START_MS);

  assert.equal(throttle.tracked, TRACKED_ADDRESSES_LIMIT);
});

test("R6 failures that are spread out are never throttled", () => {
  const throttle = new FailureThrottle();

  const told = Array.from({ length: 200 }, (_, at) => throttle.fail("a", START_MS + at * 3_000));

  assert.deepEqual(new Set(told), new Set([0]));
});

test("R6 addresses are counted apart", () => {
  const throttle = new FailureThrottle();
  failures(throttle, 30);

  assert.equal(throttle.fail("b", START_MS), 0);
});

test("R6 no more than 4,096 addresses are remembered, whatever comes", () => {
  const throttle = new FailureThrottle();

  for (let at = 0; at < 4_095; at += 1) throttle.fail(`n${at}`, START_MS);
  assert.equal(throttle.tracked, 4_095);
  throttle.fail("one more", START_MS);
  assert.equal(throttle.tracked, 4_096);
  for (let at = 0; at < 10_000; at += 1) throttle.fail(`m${at}`, START_MS + at);

  assert.equal(throttle.tracked, 4_096);
});

test("R6 an address that is throttled is not forgotten because many others failed", () => {
  const throttle = new FailureThrottle();
  failures(throttle, 21, { address: "attacker" });

  for (let at = 0; at < 20_000; at += 1) throttle.fail(`n${at}`, START_MS + 1);

  assert.ok(throttle.fail("attacker", START_MS + 2) > 0);
});

test("R6 a table full of throttled addresses locks nobody out", () => {
  const throttle = new FailureThrottle();
  for (let at = 0; at < 4_096; at += 1) failures(throttle, 21, { address: `n${at}` });

  assert.equal(throttle.fail("somebody", START_MS + 1), 0);
  assert.equal(throttle.tracked, 4_096);
});

test("R6 addresses whose failures are over make room before any other", () => {
  const throttle = new FailureThrottle();
  for (let at = 0; at < 4_095; at += 1) failures(throttle, 20, { address: `old${at}` });
  throttle.fail("young", START_MS + 59_000);

  failures(throttle, 19, { address: "new", nowMs: START_MS + 61_000 });
  failures(throttle, 19, { address: "young", nowMs: START_MS + 61_000 });

  // 1 and 19 are 20: had it been forgotten for the new one, this would be its 20th.
  assert.equal(throttle.fail("young", START_MS + 61_000) > 0, true);
});
