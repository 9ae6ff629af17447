import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  BACKOFF_CAP_MS,
  BACKOFF_FIRST_MS,
  backoffMs,
  backoffWindowMs,
  chanceOf,
  RETRY_ATTEMPTS,
} from "../../../src/domain/failure/backoff.ts";

test("V2 the numbers are the contract's: 500 ms, 30 s, 5 attempts", () => {
  assert.deepEqual([BACKOFF_FIRST_MS, BACKOFF_CAP_MS, RETRY_ATTEMPTS], [500, 30_000, 5]);
});

test("V2 jitter doubles with each failure up to the cap", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 5_000].map((failures) => backoffWindowMs(failures)),
    [500, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000],
  );
});

test("V2 jitter is full: from nothing to the whole window", () => {
  assert.equal(backoffMs({ failures: 3, chance: 0 }), 0);
  assert.equal(backoffMs({ failures: 3, chance: 0.5 }), 1_000);
  assert.equal(backoffMs({ failures: 3, chance: 1 - 2 ** -32 }), 1_999);
});

for (const [retryAfterMs, waitMs] of [
  [0, 0],
  [7_000, 7_000],
  [29_999, 29_999],
  [30_000, 30_000],
  [30_001, 30_000],
  [86_400_000, 30_000],
] as const) {
  test(`V2 a server that asks for ${retryAfterMs} ms is left alone for ${waitMs} ms`, () => {
    assert.equal(backoffMs({ failures: 1, chance: 0, retryAfterMs }), waitMs);
  });
}

test("V2 a wait is never below what the server asked for, nor above the cap", () => {
  const chances = fc.nat({ max: 2 ** 32 - 1 }).map((value) => value / 2 ** 32);
  fc.assert(
    fc.property(fc.nat({ max: 200 }), chances, fc.nat({ max: 10 ** 8 }), (failures, chance, retryAfterMs) => {
      const waitMs = backoffMs({ failures, chance, retryAfterMs });
      assert.ok(Number.isInteger(waitMs));
      assert.ok(waitMs >= Math.min(retryAfterMs, BACKOFF_CAP_MS) && waitMs <= BACKOFF_CAP_MS);
      assert.ok(backoffMs({ failures, chance }) < backoffWindowMs(failures));
    }),
  );
});

test("V2 four bytes make a chance below 1", () => {
  assert.equal(chanceOf(new Uint8Array([0, 0, 0, 0])), 0);
  assert.equal(chanceOf(new Uint8Array([128, 0, 0, 0])), 0.5);
  assert.equal(chanceOf(new Uint8Array([255, 255, 255, 255])), 1 - 2 ** -32);
});
