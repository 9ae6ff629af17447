import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { ListKind } from "../../../../src/domain/catalog/list-kind.ts";
import type { McpPeer, PeerFailure, SubscriptionEnd } from "../../../../src/ports/mcp-peer.ts";
import type { FakeCarrier } from "../../../kit/fake-carrier.ts";
import { connectedFake, NEVER, settle } from "../../../kit/fake-sessions.ts";

const ID_META = "io.modelcontextprotocol/subscriptionId";

interface Subscribed {
  readonly peer: McpPeer;
  readonly carrier: FakeCarrier;
  readonly told: readonly string[];
  readonly end: Promise<SubscriptionEnd>;
  /** The id of the request that subscribed. */
  readonly id: string | number;
  /** Has the server say something on a subscription. */
  readonly say: (method: string, params?: object, id?: unknown) => void;
}

async function subscribed(
  t: TestContext,
  options: {
    readonly kind?: "http" | "stdio";
    readonly signal?: AbortSignal;
    readonly kinds?: ListKind[];
  } = {},
): Promise<Subscribed> {
  const kind = options.kind ?? "http";
  const opened = await connectedFake("modern", () => undefined, { kind, perRequest: kind === "http" });
  const { peer, carrier } = opened;
  // What is left open would keep the process: the client has a timer of its own.
  t.after(() => peer.close());
  const told: string[] = [];
  const end = peer.subscribe(options.kinds ?? ["tools", "resources"], {
    signal: options.signal ?? NEVER,
    onAcknowledged: (kinds) => void told.push(`agreed: ${kinds.join()}`),
    onChanged: (changed) => void told.push(changed),
  });
  await settle();
  const id = carrier.sent[0]?.id ?? "none";
  const say: Subscribed["say"] = (method, params = {}, of = id) =>
    carrier.deliver({ jsonrpc: "2.0", method, params: { ...params, _meta: { [ID_META]: of } } });
  return { peer, carrier, told, end, id, say };
}

test("V4 a subscription asks for the lists that are wanted, in the envelope of 2026-07-28", async (t) => {
  const { carrier } = await subscribed(t);

  const { method, params } = carrier.sent[0] ?? { method: "", params: {} };
  const { _meta: meta, ...rest } = params as { _meta: Record<string, unknown> };
  assert.equal(carrier.sent.length, 1);
  assert.equal(method, "subscriptions/listen");
  assert.deepEqual(rest, { notifications: { toolsListChanged: true, resourcesListChanged: true } });
  assert.equal(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
});

test("V4 what names the subscription is told: what was agreed to, and each list that changed", async (t) => {
  const { told, say } = await subscribed(t);

  say("notifications/subscriptions/acknowledged", { notifications: { toolsListChanged: true, other: 1 } });
  say("notifications/tools/list_changed");
  say("notifications/prompts/list_changed");
  say("notifications/resources/updated", { uri: "a:b" });

  assert.deepEqual(told, ["agreed: tools", "tools", "prompts"]);
});

for (const [what, id] of [
  ["another subscription", 4_711],
  ["the same digits as text", "text"],
  ["no subscription", undefined],
  ["an object", {}],
] as const) {
  test(`V4 a notification that names ${what} is ignored`, async (t) => {
    const { told, carrier, id: own } = await subscribed(t);

    for (const method of ["notifications/tools/list_changed", "notifications/subscriptions/acknowledged"]) {
      const named = id === "text" ? String(own) : id;
      carrier.deliver({ jsonrpc: "2.0", method, params: { _meta: { [ID_META]: named } } });
      carrier.deliver({ jsonrpc: "2.0", method });
    }

    assert.deepEqual(told, []);
  });
}

test("V4 an answer ends a subscription, and what comes after it is ignored", async (t) => {
  const { carrier, end, id, say, told } = await subscribed(t);

  carrier.result(id, { resultType: "complete", _meta: { [ID_META]: id } });

  assert.equal(await end, "ended");
  say("notifications/tools/list_changed");
  assert.deepEqual(told, []);
});

test("V4 a server over stdio ends a subscription by cancelling it", async (t) => {
  const { carrier, end, id } = await subscribed(t, { kind: "stdio" });

  carrier.deliver({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });

  assert.equal(await end, "ended");
});

test("V4 an abort ends the subscription's own exchange, and says why nowhere", async (t) => {
  const leaving = new AbortController();
  const { carrier, end, id } = await subscribed(t, { signal: leaving.signal });

  leaving.abort("my reasons");

  assert.equal(await end, "ended");
  assert.deepEqual(carrier.aborted, [id]);
  assert.doesNotMatch(carrier.sent.map(({ text }) => text).join(), /my reasons/);
});

test("V4 an aborted signal subscribes to nothing", async (t) => {
  const { carrier, end } = await subscribed(t, { signal: AbortSignal.abort("before") });

  assert.equal(await end, "ended");
  assert.deepEqual(carrier.sent, []);
});

test("V4 the older era knows no subscription: nothing is sent", async () => {
  const { peer, carrier } = await connectedFake("legacy", () => undefined);

  const end = await peer.subscribe(["tools"], {
    signal: NEVER,
    onAcknowledged: () => undefined,
    onChanged: () => undefined,
  });

  assert.equal(end, "refused");
  assert.deepEqual(carrier.sent, []);
});

for (const { refusal, end } of [
  { refusal: { kind: "network", reason: "other" }, end: "failed" },
  { refusal: { kind: "session", reason: "response-lost" }, end: "ended" },
  { refusal: { kind: "session", reason: "http-status", code: 499 }, end: "refused" },
  { refusal: { kind: "session", reason: "http-status", code: 429 }, end: "failed" },
  { refusal: { kind: "session", reason: "http-status", code: 500 }, end: "failed" },
  { refusal: { kind: "session", reason: "auth-required", code: 401 }, end: "refused" },
  { refusal: { kind: "session", reason: "response-too-large" }, end: "refused" },
  { refusal: { kind: "egress", reason: "address-not-public" }, end: "refused" },
] as const) {
  const code = "code" in refusal ? ` ${refusal.code}` : "";
  test(`H3b a subscription that the carrier gave up for ${refusal.reason}${code} has ${end}`, async (t) => {
    const subscription = await subscribed(t);

    // `as`: a carrier's failure without what the peer puts in.
    subscription.carrier.fail(subscription.id, { refusal } as unknown as PeerFailure);

    assert.equal(await subscription.end, end);
  });
}

for (const { code, end } of [
  { code: -32_601, end: "refused" },
  { code: -32_602, end: "refused" },
  { code: -32_603, end: "failed" },
] as const) {
  test(`V4 a subscription that the server answers with error ${code} has ${end}`, async (t) => {
    const subscription = await subscribed(t);

    subscription.carrier.error(subscription.id, code, "no");

    assert.equal(await subscription.end, end);
  });
}

test("V4 a handshake is not replaced by the answer to a subscription", async (t) => {
  const { peer, carrier, id } = await subscribed(t);

  carrier.result(id, { resultType: "complete", capabilities: { prompts: {} } });
  await settle();

  assert.equal(peer.identity.serverInfo?.name, "fake");
});
