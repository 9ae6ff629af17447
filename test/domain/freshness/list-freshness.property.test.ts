import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { REFRESH_LIMITS } from "../../../src/domain/freshness/limits.ts";
import {
  firstReading,
  nextFreshness,
  type FreshnessEvent,
  type ListFreshness,
} from "../../../src/domain/freshness/list-freshness.ts";

const limits = { ...REFRESH_LIMITS, minIntervalMs: 100, perWindow: 3, windowMs: 1_000, minAgeMs: 500 };

/** What the world does, and how long after the thing before. `answer`: the running reading ends, if there is one. */
type Happening = { readonly afterMs: number } & (
  | { readonly what: "announced" | "push-gap" | "used" | "pass" }
  | { readonly what: "answer"; readonly event: Extract<FreshnessEvent, { kind: "read" | "failed" }> }
);

const afterMs = fc.integer({ min: 0, max: 400 });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ what: fc.constantFrom("announced", "push-gap", "used", "pass"), afterMs }),
  fc.record({
    what: fc.constant("answer" as const),
    afterMs,
    event: fc.oneof(
      fc.record({
        kind: fc.constant("read" as const),
        changed: fc.boolean(),
        ttlMs: fc.option(fc.nat(2_000), { nil: undefined }),
      }),
      fc.constant({ kind: "failed", reason: "timeout" } as const),
    ),
  }),
);

interface Seen {
  readonly atMs: number;
  readonly event: FreshnessEvent;
  readonly before: ListFreshness;
  readonly after: ListFreshness;
  readonly effects: readonly string[];
}

/** Plays one list's life, with the waits that the machine asks for, and answers all that was seen. */
function play(happenings: readonly Happening[]): readonly Seen[] {
  const seen: Seen[] = [];
  let nowMs = 0;
  let dueMs: number | undefined;
  let state = firstReading(nowMs);
  const step = (event: FreshnessEvent): void => {
    const { state: after, effects } = nextFreshness(state, event, { nowMs, limits });
    seen.push({ atMs: nowMs, event, before: state, after, effects: effects.map(({ kind }) => kind) });
    const wait = effects.find((effect) => effect.kind === "wait");
    if (wait !== undefined) dueMs = nowMs + wait.ms;
    state = after;
  };
  for (const one of happenings) {
    const untilMs = nowMs + one.afterMs;
    while (dueMs !== undefined && dueMs <= untilMs) {
      nowMs = dueMs;
      dueMs = undefined;
      step({ kind: "due" });
    }
    nowMs = untilMs;
    if (one.what === "answer") step(one.event);
    else if (one.what !== "pass") step({ kind: one.what });
  }
  return seen;
}

function law(holds: (seen: readonly Seen[]) => void): void {
  fc.assert(fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => holds(play(happenings))));
}

test("V4 readings are at least the interval apart, and a window never holds more than it may", () => {
  law((seen) => {
    const starts = [0, ...seen.filter(({ effects }) => effects.includes("read")).map(({ atMs }) => atMs)];
    for (const [index, start] of starts.entries()) {
      const next = starts[index + 1];
      const overNext = starts[index + limits.perWindow];
      assert.ok(next === undefined || next - start >= limits.minIntervalMs);
      assert.ok(overNext === undefined || overNext - start >= limits.windowMs);
    }
  });
});

test("V4 one reading runs at a time, and a wait is asked for only while none runs", () => {
  law((seen) => {
    for (const { before, after, event, effects } of seen) {
      const ends = before.phase === "reading" && (event.kind === "read" || event.kind === "failed");
      if (effects.includes("read")) assert.ok(before.phase !== "reading" || ends);
      assert.equal(
        effects.includes("wait"),
        after.phase === "waiting" && (before.phase !== "waiting" || event.kind === "due"),
      );
      assert.ok(effects.filter((kind) => kind !== "tell").length <= 1);
    }
  });
});

test("V4 an announced list is stale at once, until a reading that began after it has ended well", () => {
  law((seen) => {
    let announced = false;
    let readingCovers = false;
    for (const { event, effects, after, before } of seen) {
      if (event.kind === "read" && before.phase === "reading" && readingCovers) announced = false;
      if (event.kind === "announced") {
        announced = true;
        readingCovers = false;
      }
      if (effects.includes("read")) readingCovers = true;
      if (announced) assert.notEqual(after.stale, undefined);
    }
  });
});

test("V4 what was announced is read again within the window without anybody asking, whatever came before", () => {
  law((seen) => {
    const last = seen.at(-1);
    if (last === undefined) return;
    const { after, atMs } = last;
    const answered = after.phase === "reading" ? [{ kind: "failed", reason: "x" } as const] : [];
    let state = after;
    for (const event of answered) state = nextFreshness(state, event, { nowMs: atMs, limits }).state;
    const announced = nextFreshness(state, { kind: "announced" }, { nowMs: atMs, limits });
    const end =
      announced.state.phase === "waiting"
        ? nextFreshness(announced.state, { kind: "due" }, { nowMs: atMs + limits.windowMs, limits })
        : announced;
    assert.equal(end.state.phase, "reading");
  });
});

test("V4 somebody is told exactly when a reading brought something else", () => {
  law((seen) => {
    for (const { event, before, effects } of seen) {
      const changed = event.kind === "read" && event.changed && before.phase === "reading";
      assert.equal(effects.includes("tell"), changed);
    }
  });
});

test("V4 the age of a stale list never lies in the future", () => {
  law((seen) => {
    for (const { after, atMs } of seen) {
      assert.ok(after.stale === undefined || after.stale.sinceMs <= atMs);
    }
  });
});

test("V4 nothing but an announcement is read again before somebody asks", () => {
  law((seen) => {
    let announced = false;
    for (const { event, effects } of seen) {
      announced ||= event.kind === "announced";
      if (effects.includes("read") && !announced) assert.equal(event.kind, "used");
    }
  });
});
