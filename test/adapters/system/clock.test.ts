import assert from "node:assert/strict";
import { test } from "node:test";

import { createSystemClock } from "../../../src/adapters/system/clock.ts";

const clock = createSystemClock();

for (const ms of [2 ** 31, Number.MAX_SAFE_INTEGER, Infinity]) {
  test(`C7b a wait of ${ms} ms, longer than a timer counts, is not over at once, and ends with its signal`, async (t) => {
    const warnings: string[] = [];
    const listen = ({ name }: Error): number => warnings.push(name);
    process.on("warning", listen);
    t.after(() => process.off("warning", listen));
    const ending = new AbortController();
    const long = clock.wait(ms, { signal: ending.signal }).then(() => "over");

    const first = await Promise.race([long, clock.wait(20, { signal: t.signal }).then(() => "short")]);
    ending.abort(new Error("left"));

    assert.equal(first, "short");
    await assert.rejects(long, { message: "left" });
    assert.deepEqual(warnings, []);
  });
}

test("C7b a wait ends by itself, and one whose signal has aborted does not begin", async (t) => {
  await clock.wait(1, { signal: t.signal });

  await assert.rejects(clock.wait(1, { signal: AbortSignal.abort(new Error("left")) }), { message: "left" });
});
