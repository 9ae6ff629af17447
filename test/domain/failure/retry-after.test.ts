import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { parseRetryAfter, RETRY_AFTER_LIMIT_MS } from "../../../src/domain/failure/retry-after.ts";

const NOW_MS = Date.UTC(2026, 6, 28, 12, 0, 0);

const ROWS = [
  ["0", 0],
  ["1", 1_000],
  ["120", 120_000],
  // One day is the bound: at, below and above.
  ["86399", 86_399_000],
  ["86400", RETRY_AFTER_LIMIT_MS],
  ["86401", RETRY_AFTER_LIMIT_MS],
  ["9".repeat(64), RETRY_AFTER_LIMIT_MS],
  ["Tue, 28 Jul 2026 12:00:30 GMT", 30_000],
  ["Tue, 28 Jul 2026 11:59:59 GMT", 0],
  ["Tue, 28 Jul 2027 12:00:00 GMT", RETRY_AFTER_LIMIT_MS],
  ["Tuesday, 28-Jul-26 12:00:30 GMT", 30_000],
  // Two digits that would lie more than 50 years ahead are of the last century.
  ["Thursday, 28-Jul-94 12:00:30 GMT", 0],
  ["Tue Jul 28 12:00:30 2026", 30_000],
  ["Sat Aug  1 12:00:00 2026", RETRY_AFTER_LIMIT_MS],
] as const;

for (const [value, waitMs] of ROWS) {
  test(`V2 \`Retry-After: ${value}\` is ${waitMs} ms`, () => {
    assert.equal(parseRetryAfter(value, NOW_MS), waitMs);
  });
}

for (const value of [
  "",
  "-1",
  "1.5",
  "+1",
  "1e3",
  "0x10",
  " 1",
  "1, 2",
  "soon",
  "9".repeat(65),
  "Tue, 28 Jul 2026 12:00:30 CET",
  "Tue, 28 Jux 2026 12:00:30 GMT",
  "2026-07-28T12:00:30Z",
]) {
  test(`V2 \`Retry-After: ${value.slice(0, 32)}\` says nothing`, () => {
    assert.equal(parseRetryAfter(value, NOW_MS), undefined);
  });
}

test("V2 no header says nothing", () => {
  assert.equal(parseRetryAfter(undefined, NOW_MS), undefined);
});

test("V2 whatever a server writes, the wait is none or between 0 and one day", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.nat().map(String), fc.date().map(String)),
      fc.maxSafeNat(),
      (value, nowMs) => {
        const waitMs = parseRetryAfter(value, nowMs);
        assert.ok(waitMs === undefined || (waitMs >= 0 && waitMs <= RETRY_AFTER_LIMIT_MS));
      },
    ),
  );
});
