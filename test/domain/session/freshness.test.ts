import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { decodeDiscoverFreshness, decodeFreshness } from "../../../src/domain/session/freshness.ts";

const receivedAtMs = 1_000;

for (const ttlMs of [0, 1, Number.MAX_SAFE_INTEGER]) {
  test(`C4 a time to live of ${ttlMs} ms is shown in either era`, () => {
    for (const era of ["legacy", "modern"] as const) {
      assert.deepEqual(decodeFreshness({ ttlMs, cacheScope: "public" }, { era, receivedAtMs }), {
        ok: true,
        value: { ttlMs, cacheScope: "public", receivedAtMs },
      });
    }
  });
}

for (const ttlMs of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, "1", null, undefined]) {
  test(`C3 a time to live of ${ttlMs} is refused in 2026-07-28 and ignored before`, () => {
    const hint = { ttlMs, cacheScope: "private" };

    assert.deepEqual(decodeFreshness(hint, { era: "modern", receivedAtMs }), {
      ok: false,
      refusal: "invalid-response",
    });
    assert.deepEqual(decodeFreshness(hint, { era: "legacy", receivedAtMs }), {
      ok: true,
      value: { ttlMs: undefined, cacheScope: "private", receivedAtMs },
    });
  });
}

test("C3 whatever a discovery hints, its freshness is a time and one of two scopes", () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (ttlMs, cacheScope) => {
      const read = decodeDiscoverFreshness({ ttlMs, cacheScope }, receivedAtMs);
      assert.ok(Number.isSafeInteger(read.ttlMs) && Number(read.ttlMs) >= 0);
      assert.ok(read.cacheScope === "public" || read.cacheScope === "private");
    }),
    { numRuns: 200 },
  );
});
