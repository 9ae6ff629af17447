import assert from "node:assert/strict";
import { test } from "node:test";

import { followLists } from "../../src/composition/flows/follow-lists.ts";
import type { ListKind } from "../../src/domain/catalog/list-kind.ts";
import type { ListPush } from "../../src/domain/session/list-push.ts";
import { FakePeer, type FakeSubscription } from "../kit/fake-peer.ts";
import { settle } from "../kit/fake-sessions.ts";
import { WatchedClock } from "../kit/watched-clock.ts";

/** How long the fake server may take to agree. Milliseconds. */
const ACKNOWLEDGE_MS = 200;

interface Followed {
  readonly peer: FakePeer;
  readonly clock: WatchedClock;
  readonly pushes: readonly ListPush[];
  readonly changed: readonly ListKind[];
  readonly ending: AbortController;
  readonly done: Promise<void>;
  /** The newest subscription. */
  readonly now: () => FakeSubscription;
  /** Waits before a reopening, without those for an agreement. */
  readonly delays: () => readonly number[];
}

function follow(): Followed {
  const peer = new FakePeer(() => ({}), { era: "modern", protocolVersion: "2026-07-28" });
  const clock = new WatchedClock();
  const pushes: ListPush[] = [];
  const changed: ListKind[] = [];
  const ending = new AbortController();
  const done = followLists(peer, {
    kinds: ["tools"],
    clock,
    acknowledgeMs: ACKNOWLEDGE_MS,
    onChanged: (kind) => void changed.push(kind),
    onPush: (push) => void pushes.push(push),
    signal: ending.signal,
  });
  const now = (): FakeSubscription => {
    const newest = peer.subscriptions.at(-1);
    if (newest === undefined) throw new Error("nothing was subscribed to");
    return newest;
  };
  const delays = (): readonly number[] => clock.asked.filter((ms) => ms !== ACKNOWLEDGE_MS);
  return { peer, clock, pushes, changed, ending, done, now, delays };
}

test("V4 a subscription that the server agreed to is open, and says what changed", async () => {
  const { peer, pushes, changed, now } = follow();

  now().onAcknowledged(["tools"]);
  now().onChanged("tools");

  assert.deepEqual([pushes, changed], [["open"], ["tools"]]);
  assert.deepEqual(
    peer.subscriptions.map(({ kinds }) => kinds),
    [["tools"]],
  );
});

test("V4 a server that agrees to nothing is left, and not asked again", async () => {
  const { peer, clock, pushes, now, done } = follow();

  now().onAcknowledged([]);
  await done;
  await clock.advance(3_600_000);

  assert.equal(now().signal.aborted, true);
  assert.deepEqual([peer.subscriptions.length, pushes, clock.pending], [1, ["none"], 0]);
});

test("H3b a subscription that ends at once is opened again ever more slowly, up to 30 s", async () => {
  const { clock, now, delays } = follow();
  for (let opening = 1; opening <= 8; opening += 1) {
    now().onAcknowledged(["tools"]);
    now().end("ended");
    await settle();
    await clock.advance(delays().at(-1) ?? 0);
  }

  assert.deepEqual(delays(), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("H3b a change resets the wait; an agreement alone does not", async () => {
  const { clock, now, delays } = follow();
  for (const useful of [false, false, true, false]) {
    now().onAcknowledged(["tools"]);
    if (useful) now().onChanged("tools");
    now().end("failed");
    await settle();
    await clock.advance(delays().at(-1) ?? 0);
  }

  assert.deepEqual(delays(), [1_000, 2_000, 1_000, 1_000]);
});

test("H3b a subscription that brings something and ends each time is given up after 30 reopenings in a minute", async () => {
  const { peer, clock, pushes, now, done } = follow();
  for (let opening = 1; opening <= 31; opening += 1) {
    now().onAcknowledged(["tools"]);
    now().onChanged("tools");
    now().end("ended");
    await settle();
    await clock.advance(1_000);
  }
  await done;

  assert.equal(peer.subscriptions.length, 31);
  assert.equal(pushes.at(-1), "no-push");
  await clock.advance(3_600_000);
  assert.deepEqual([peer.subscriptions.length, clock.pending], [31, 0]);
});

test("V4 what the server refuses is not asked for again", async () => {
  const { peer, clock, pushes, now, done } = follow();

  now().end("refused");
  await done;
  await clock.advance(3_600_000);

  assert.deepEqual([peer.subscriptions.length, pushes, clock.pending], [1, ["none"], 0]);
});

test("H3b a subscription that was agreed to and broke a bound or the protocol is given up", async () => {
  const { peer, clock, pushes, now, done } = follow();

  now().onAcknowledged(["tools"]);
  now().end("refused");
  await done;
  await clock.advance(3_600_000);

  assert.deepEqual([peer.subscriptions.length, pushes, clock.pending], [1, ["open", "no-push"], 0]);
});

for (const { atMs, left } of [
  { atMs: ACKNOWLEDGE_MS - 1, left: false },
  { atMs: ACKNOWLEDGE_MS, left: true },
]) {
  test(`V4 a server that has not agreed after ${atMs} ms is ${left ? "left and asked again" : "still waited for"}`, async () => {
    const { clock, pushes, now } = follow();

    await clock.advance(atMs);

    assert.equal(now().signal.aborted, left);
    assert.deepEqual(pushes, left ? ["none"] : []);
  });
}

test("V5 a server that agreed once and never again is waited for once, and counts as not in use from then on", async () => {
  const { clock, pushes, now, delays } = follow();
  now().onAcknowledged(["tools"]);
  now().end("ended");
  await settle();
  await clock.advance(delays().at(-1) ?? 0);
  now().end("failed");
  await settle();

  assert.deepEqual(pushes, ["open", "waiting", "none"]);
});

test("V4 an agreement ends the wait for it: the subscription may be silent for days", async () => {
  const { clock, now } = follow();

  now().onAcknowledged(["tools"]);
  await settle();

  assert.equal(clock.pending, 0);
  await clock.advance(86_400_000);
  assert.equal(now().signal.aborted, false);
});

for (const when of ["while it is open", "while it waits"]) {
  test(`V6 the end of the session ends a subscription ${when}, and leaves no timer`, async () => {
    const { peer, clock, ending, done, now, pushes } = follow();
    now().onAcknowledged(["tools"]);
    if (when === "while it waits") now().end("ended");
    await settle();
    const before = [...pushes];

    ending.abort("closed");
    await done;
    await clock.advance(60_000);

    assert.deepEqual([peer.subscriptions.length, clock.pending, pushes], [1, 0, before]);
  });
}
