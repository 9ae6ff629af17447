import assert from "node:assert/strict";
import { test } from "node:test";

import { CallerCount, halfOf, isSubscription } from "../../../src/domain/gate/shares.ts";

test("R8 a share is half of the places, never more, and one at least", () => {
  assert.deepEqual([1, 2, 3, 8, 15, 16].map(halfOf), [1, 1, 1, 4, 7, 8]);
});

test("R8 each caller is counted by itself, and a place that was left is free again", () => {
  const count = new CallerCount();

  assert.deepEqual([count.take("a", 2), count.take("a", 2), count.take("a", 2)], [true, true, false]);
  assert.equal(count.take("b", 2), true);
  count.leave("b");
  assert.equal(count.take("a", 2), false);
  count.leave("a");
  assert.deepEqual([count.take("a", 2), count.take("a", 2)], [true, false]);
});

test("R8 leaving more often than coming makes no room for more", () => {
  const count = new CallerCount();
  count.leave("a");

  assert.deepEqual([count.take("a", 1), count.take("a", 1)], [true, false]);
});

test("R8 a subscription is told by its method alone", () => {
  assert.equal(isSubscription({ method: "subscriptions/listen" }), true);
  for (const other of [{ method: "tools/call" }, { method: ["subscriptions/listen"] }, {}, [], null, "x"]) {
    assert.equal(isSubscription(other), false);
  }
});
