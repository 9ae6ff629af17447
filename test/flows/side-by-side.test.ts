import assert from "node:assert/strict";
import { test } from "node:test";

import { sideBySide } from "../../src/composition/flows/side-by-side.ts";

test("V7 work runs side by side within the limit and answers in the order of the items", async () => {
  let running = 0;
  let most = 0;

  const results = await sideBySide([5, 3, 1, 4, 2], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    running -= 1;
    return item * 10;
  });

  assert.deepEqual(results, [50, 30, 10, 40, 20]);
  assert.equal(most, 2);
});

test("V7 one item that hangs delays no other while a lane is free", async () => {
  const done: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();

  const all = sideBySide(["hangs", "a", "b", "c"], 2, async (item) => {
    if (item === "hangs") await released;
    done.push(item);
  });
  await new Promise((resolve) => setImmediate(resolve));
  const beforeRelease = [...done];
  release();
  await all;

  assert.deepEqual(beforeRelease, ["a", "b", "c"]);
  assert.deepEqual(done, ["a", "b", "c", "hangs"]);
});

test("no items need no lanes", async () => {
  assert.deepEqual(await sideBySide([], 8, () => Promise.resolve(1)), []);
});
