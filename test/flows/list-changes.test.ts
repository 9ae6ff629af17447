import assert from "node:assert/strict";
import { test } from "node:test";

import { createSession } from "../../src/composition/flows/session.ts";
import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import type { PeerIdentity } from "../../src/ports/mcp-peer.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { FakePeer } from "../kit/fake-peer.ts";
import { fakeSessionOptions, settle } from "../kit/fake-sessions.ts";

const ANNOUNCES = new Map<string, unknown>([
  ["tools", { listChanged: true }],
  ["prompts", {}],
  ["resources", { listChanged: true, subscribe: true }],
]);
const MODERN = { era: "modern", protocolVersion: "2026-07-28" } as const;

interface World {
  readonly peer: FakePeer;
  readonly session: McpSession;
  readonly clock: FakeClock;
  readonly told: readonly string[];
}

function world(identity: Partial<PeerIdentity> = {}): World {
  const peer = new FakePeer(() => ({}), { capabilities: ANNOUNCES, ...identity });
  const clock = new FakeClock();
  const session = createSession(peer, fakeSessionOptions({ clock }));
  const told: string[] = [];
  session.onListChanged((kind) => void told.push(kind));
  session.onListPush((push) => void told.push(`push ${push}`));
  return { peer, session, clock, told };
}

test("V4 in the older era a plain notification says which list changed, and nothing is subscribed to", () => {
  const { peer, session, told } = world();
  session.followLists();

  for (const kind of ["tools", "prompts", "resources"]) peer.notify(`notifications/${kind}/list_changed`, {});
  peer.notify("notifications/message", {});

  assert.deepEqual(told, ["tools", "prompts", "resources"]);
  assert.deepEqual([peer.subscriptions.length, session.listPush], [0, "open"]);
});

test("H3b in the older era the push is that of the carrier", () => {
  const { peer, session, told } = world();

  peer.setPush("waiting");
  peer.setPush("no-push");

  assert.deepEqual([told, session.listPush], [["push waiting", "push no-push"], "no-push"]);
});

test("V4 a server of the older era that announces nothing pushes nothing", () => {
  assert.equal(world({ capabilities: new Map([["tools", {}]]) }).session.listPush, "none");
});

test("V4 in 2026-07-28 nothing is subscribed to before somebody follows, and then once, what is declared", () => {
  const { peer, session } = world(MODERN);
  assert.deepEqual([peer.subscriptions.length, session.listPush], [0, "off"]);

  session.followLists();
  session.followLists();

  assert.deepEqual(
    peer.subscriptions.map(({ kinds }) => kinds),
    [["tools", "resources"]],
  );
  assert.equal(session.listPush, "none");
});

test("V4 in 2026-07-28 a plain notification is none of a subscription's, and is ignored", () => {
  const { peer, session, told } = world(MODERN);
  session.followLists();
  peer.subscriptions[0]?.onAcknowledged(["tools"]);

  peer.notify("notifications/tools/list_changed", {});
  peer.subscriptions[0]?.onChanged("resources");

  assert.deepEqual(told, ["push none", "push open", "resources"]);
});

test("V4 a server of 2026-07-28 that declares no announcements is not subscribed to", () => {
  const { peer, session } = world({ ...MODERN, capabilities: new Map([["tools", {}]]) });

  session.followLists();

  assert.deepEqual([peer.subscriptions.length, session.listPush], [0, "none"]);
});

test("V4 a subscription that ended is opened again by itself", async () => {
  const { peer, session, clock, told } = world(MODERN);
  session.followLists();
  peer.subscriptions[0]?.onAcknowledged(["tools"]);

  peer.subscriptions[0]?.end("ended");
  await settle();
  await clock.advance(1_000);
  peer.subscriptions[1]?.onAcknowledged(["tools"]);

  assert.equal(peer.subscriptions.length, 2);
  assert.deepEqual(told, ["push none", "push open", "push waiting", "push open"]);
});

test("V6 closing the session ends its subscription and leaves no timer", async () => {
  const { peer, session, clock } = world(MODERN);
  session.followLists();

  await session.close();
  await settle();
  await clock.advance(60_000);

  assert.equal(peer.subscriptions[0]?.signal.aborted, true);
  assert.deepEqual([peer.subscriptions.length, clock.pending], [1, 0]);
});

test("V4 a listener that throws keeps no other from being told", () => {
  const { peer, session, told } = world();
  session.onListChanged(() => {
    throw new Error("mine");
  });
  let last = 0;
  session.onListChanged(() => (last += 1));

  peer.notify("notifications/tools/list_changed", {});

  assert.deepEqual([told, last], [["tools"], 1]);
});

test("C6 followed lists are not left out any more; single resources are", () => {
  const { session } = world(MODERN);
  const subjects = (): readonly (string | undefined)[] =>
    session.compatibilityDiagnostics
      .filter(({ code }) => code === "subscriptions-off")
      .map(({ subject }) => subject);
  assert.deepEqual(subjects(), ["tools", "resources"]);

  session.followLists();

  assert.deepEqual(subjects(), ["resources"]);
});
