import assert from "node:assert/strict";
import { test } from "node:test";

import { createKeptList, type KeptList, type ListReading } from "../../src/composition/flows/kept-list.ts";
import { REFRESH_LIMITS } from "../../src/domain/freshness/limits.ts";
import { accept, refuse } from "../../src/domain/outcome.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { settle } from "../kit/fake-sessions.ts";

interface World {
  readonly list: KeptList<string>;
  readonly clock: FakeClock;
  readonly ending: AbortController;
  readonly told: readonly string[];
  /** Answers the oldest reading that is under way. */
  readonly answer: (reading: ListReading<string> | Error) => Promise<void>;
  readonly reading: () => number;
}

function world(): World {
  const clock = new FakeClock();
  const ending = new AbortController();
  const told: string[] = [];
  const under: ((reading: ListReading<string> | Error) => void)[] = [];
  const read = (): Promise<ListReading<string>> =>
    new Promise((resolve, reject) =>
      under.push((reading) => (reading instanceof Error ? reject(reading) : resolve(reading))),
    );
  const list = createKeptList(read(), {
    clock,
    limits: REFRESH_LIMITS,
    read,
    adopt: (kept, value) => ({ value, changed: kept !== value }),
    onChanged: () => void told.push(list.value ?? "none"),
    signal: ending.signal,
  });
  return {
    list,
    clock,
    ending,
    told,
    answer: async (reading) => {
      under.shift()?.(reading);
      await settle();
    },
    reading: () => under.length,
  };
}

function value(text: string): ListReading<string> {
  return accept({ value: text, ttlMs: undefined });
}

/** A list that was read as `a`, more than an interval ago. */
async function kept(): Promise<World> {
  const made = world();
  await made.answer(value("a"));
  await made.clock.advance(5_000);
  return made;
}

test("V4 a list has no value and is not stale before it was read, whatever is announced", () => {
  const { list } = world();

  list.announced();

  assert.deepEqual([list.value, list.stale], [undefined, undefined]);
});

test("V4 who wants an announced list is answered when it was read, and sees the new one when it is told", async () => {
  const { list, told, answer } = await kept();
  list.announced();
  let done = false;
  const wanted = list.use()?.then(() => (done = true));
  await settle();
  assert.equal(done, false);

  await answer(value("b"));
  await wanted;

  assert.deepEqual([list.value, list.stale, told], ["b", undefined, ["b"]]);
});

for (const [what, failure] of [
  ["refuses", refuse("timeout")],
  ["rejects", new Error("its words")],
] as const) {
  test(`V4 a reading that ${what} lets who waits go, keeps the value and says a reason of ours`, async () => {
    const { list, clock, told, answer } = await kept();
    list.announced();
    const wanted = list.use();

    await answer(failure);
    await wanted;
    await clock.advance(7);

    const reason = failure instanceof Error ? "unexpected" : "timeout";
    assert.deepEqual([list.value, told], ["a", []]);
    assert.deepEqual(list.stale, { reason: "refresh-failed", ageMs: 7, failure: reason });
  });
}

test("V4 a fresh list makes nobody wait", async () => {
  const { list, reading } = await kept();

  assert.equal(list.use(), undefined);
  assert.equal(reading(), 0);
});

test("V4 the end lets who waits go, tells nobody of what was under way, and leaves no timer", async () => {
  const { list, clock, ending, told, answer } = await kept();
  list.announced();
  list.announced();
  const wanted = list.use();

  ending.abort("over");
  await wanted;
  await answer(value("b"));
  list.announced();

  assert.deepEqual([list.value, told, clock.pending, list.use()], ["a", [], 0, undefined]);
});
