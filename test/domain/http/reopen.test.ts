import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createReopenBudget, REOPEN_LIMITS, reopenDelayMs } from "../../../src/domain/http/reopen.ts";

const ROWS = [
  { retryMs: undefined, delayMs: 1_000 },
  { retryMs: 0, delayMs: 100 },
  { retryMs: 99, delayMs: 100 },
  { retryMs: 100, delayMs: 100 },
  { retryMs: 101, delayMs: 101 },
  { retryMs: 29_999, delayMs: 29_999 },
  { retryMs: 30_000, delayMs: 30_000 },
  { retryMs: 30_001, delayMs: 30_000 },
  { retryMs: 999_999_999_999_999, delayMs: 30_000 },
];

for (const { retryMs, delayMs } of ROWS) {
  test(`H3b retry ${retryMs} waits ${delayMs} ms`, () => {
    assert.equal(reopenDelayMs(retryMs, 0), delayMs);
  });
}

test("H3b the wait doubles with each fruitless opening after the first, up to 30 s", () => {
  const waits = [0, 1, 2, 3, 8, 9, 10, 1_000].map((fruitless) => reopenDelayMs(100, fruitless));
  assert.deepEqual(waits, [100, 100, 200, 400, 12_800, 25_600, 30_000, 30_000]);
});

test("H3b the wait never leaves 100 ms to 30 s", () => {
  fc.assert(
    fc.property(fc.option(fc.nat(), { nil: undefined }), fc.nat(), (retryMs, fruitless) => {
      const delayMs = reopenDelayMs(retryMs, fruitless);
      assert.ok(delayMs >= REOPEN_LIMITS.minMs && delayMs <= REOPEN_LIMITS.maxMs);
    }),
  );
});

test("H3b 30 reopenings in a minute are allowed, and the next waits for the oldest to pass out of it", () => {
  const budget = createReopenBudget();
  for (let index = 0; index < 30; index += 1) {
    assert.equal(budget.waitMs(index * 1_000), 0);
    budget.spend(index * 1_000);
  }
  assert.equal(budget.waitMs(30_000), 30_000);
  assert.equal(budget.waitMs(59_999), 1);
  assert.equal(budget.waitMs(60_000), 0);
});

test("H3b no minute ever holds more than 30 reopenings, whenever they are asked for", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }), (gaps) => {
      const budget = createReopenBudget();
      const spent: number[] = [];
      let nowMs = 0;
      for (const gap of gaps) {
        nowMs += gap;
        nowMs += budget.waitMs(nowMs);
        budget.spend(nowMs);
        spent.push(nowMs);
      }
      spent.forEach((time, index) => {
        const later = spent[index + 30];
        if (later !== undefined) assert.ok(later - time >= 60_000);
      });
    }),
    { numRuns: 100 },
  );
});
