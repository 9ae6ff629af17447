import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { RETRY_ATTEMPTS } from "../../../src/domain/failure/backoff.ts";
import {
  type Classification,
  FAILURE_CLASSES,
  FAILURE_REASONS,
} from "../../../src/domain/failure/classify.ts";
import {
  type ConnectionEvent,
  type ConnectionState,
  type ReconnectPolicy,
  type Transition,
  transition,
} from "../../../src/domain/supervision/transition.ts";

const failure: fc.Arbitrary<Classification> = fc.record({
  class: fc.constantFrom(...FAILURE_CLASSES),
  reason: fc.constantFrom(...FAILURE_REASONS),
});
const identity = fc.nat().map((generation) => ({
  serverId: "s",
  protocolVersion: "2025-11-25",
  serverVersion: undefined,
  serverInfoProvided: false,
  carrierGeneration: `g${generation}`,
}));
const event: fc.Arbitrary<ConnectionEvent> = fc.oneof(
  fc.constantFrom<ConnectionEvent>(
    { type: "wanted" },
    { type: "waited" },
    { type: "ended" },
    { type: "released" },
  ),
  fc.record({ type: fc.constant("opened" as const), identity }),
  fc.record({ type: fc.constant("renewed" as const), identity }),
  fc.record({ type: fc.constant("attempt-failed" as const), failure }),
  fc.record({ type: fc.constant("lost" as const), failure, lasted: fc.boolean() }),
  fc.record({ type: fc.constant("unused" as const), inFlight: fc.nat({ max: 2 }) }),
  // Rarely: nothing comes after it.
  fc.constant<ConnectionEvent>({ type: "shutdown" }),
);
const policy = fc.constantFrom<ReconnectPolicy>("lost", "all", "none");

interface Step extends Transition {
  readonly from: ConnectionState;
  readonly event: ConnectionEvent;
}

/** All steps of one life. */
function live(events: readonly ConnectionEvent[], how: ReconnectPolicy): readonly Step[] {
  const steps: Step[] = [];
  let from: ConnectionState = { status: "idle" };
  for (const next of events) {
    const step: Step = { from, event: next, ...transition(from, next, how) };
    steps.push(step);
    from = step.state;
  }
  return steps;
}

function law(name: string, check: (steps: readonly Step[], how: ReconnectPolicy) => void): void {
  test(name, () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), policy, (events, how) => check(live(events, how), how)),
      { numRuns: 500 },
    );
  });
}

const count = ({ effects }: Step, what: string): number =>
  effects.filter((effect) => effect.do === what).length;
const isPending = (state: ConnectionState): boolean => state.status === "failed" && state.retry === "pending";

law(
  "V3 a connect starts exactly where connecting begins, and its waiters are answered exactly where it ends",
  (steps) => {
    for (const step of steps) {
      const began = step.from.status !== "connecting" && step.state.status === "connecting";
      const over = step.from.status === "connecting" && step.state.status !== "connecting";
      assert.equal(count(step, "connect"), began ? 1 : 0);
      assert.equal(count(step, "answer-waiters"), over ? 1 : 0);
    }
  },
);

law("V6 what was there is closed exactly where connected ends, and no other session is kept", (steps) => {
  for (const step of steps) {
    const left = step.from.status === "connected" && step.state.status !== "connected";
    assert.equal(count(step, "close"), left ? 1 : 0);
    const late = step.event.type === "opened" && step.from.status !== "connecting";
    assert.equal(count(step, "close-late"), late ? 1 : 0);
  }
});

law(
  "V6 a wait starts exactly where a retry is pending, and is stopped wherever it does not end by itself",
  (steps) => {
    for (const step of steps) {
      const stays = step.state === step.from;
      assert.equal(count(step, "wait"), isPending(step.state) && !stays ? 1 : 0);
      const cut = isPending(step.from) && !stays && step.event.type !== "waited";
      assert.equal(count(step, "stop-waiting"), cut ? 1 : 0);
    }
  },
);

law("V2 only what is transient, and wanted by the policy, is tried again by itself", (steps, how) => {
  for (const { state } of steps) {
    if (state.status !== "failed" || state.retry === "manual") continue;
    assert.equal(state.class, "transient");
    assert.ok(how === "all" || (how === "lost" && state.recovering));
  }
});

law("V2 no series has more than five attempts", (steps) => {
  for (const { state } of steps) {
    if (state.status === "idle" || state.status === "closed") continue;
    assert.ok(state.attempt <= RETRY_ATTEMPTS);
  }
});

law("V5 nothing in flight is ever closed for being unused", (steps) => {
  for (const step of steps) {
    if (step.event.type !== "unused" || step.event.inFlight === 0) continue;
    assert.equal(step.state, step.from);
  }
});

law("V6 closed is the end", (steps) => {
  for (const step of steps.filter(({ from }) => from.status === "closed")) {
    assert.deepEqual(step.state, { status: "closed" });
    assert.ok(step.effects.every((effect) => effect.do === "close-late"));
  }
});
