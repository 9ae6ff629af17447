/** Questions of the older era after a call was left: whose they are, when its tool may still go on. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { LEFT_CALL_ASKS_MS } from "../../../../src/adapters/mcp-sdk/server-questions.ts";
import { asking, connectedFake, settle, type OpenFake } from "../../../kit/fake-sessions.ts";
import { pendingForms, question, type AskedForm } from "../../../kit/questions.ts";

interface LeftCall extends OpenFake {
  /** What the caller was asked who made the call that runs. */
  readonly asked: readonly AskedForm[];
  readonly cancelled: () => boolean;
}

/** Alice calls a tool and leaves; then Bob calls one, on the same connection. */
async function leftCall(t: TestContext, { waitMs = 0 } = {}): Promise<LeftCall> {
  const open = await connectedFake("legacy", () => undefined, { elicitation: true, kind: "stdio" });
  const { peer, carrier, clock } = open;
  // What is still under way has timers of the official client.
  t.after(() => peer.close());
  const leaving = new AbortController();
  const left = peer.request("tools/call", { name: "alices" }, asking({ signal: leaving.signal }));
  await settle();
  leaving.abort();
  await left;
  await clock.advance(waitMs);
  const bob = pendingForms();
  void peer.request("tools/call", { name: "bobs" }, asking({ elicit: bob.elicit }));
  await settle();
  const cancelled = (): boolean =>
    carrier.sent.some(({ text }) => text === '{"jsonrpc":"2.0","id":"q","result":{"action":"cancel"}}');
  return { ...open, asked: bob.asked, cancelled };
}

test("C7 R10 a question that a call may have raised which its caller left is put to nobody else", async (t) => {
  const { carrier, asked, cancelled } = await leftCall(t, { waitMs: LEFT_CALL_ASKS_MS - 1 });

  carrier.deliver(question("q"));
  await settle();

  assert.deepEqual(asked, []);
  assert.equal(cancelled(), true);
});

test("C7 a question on the stream of the call that runs is put, whoever left another one", async (t) => {
  const { carrier, asked } = await leftCall(t);

  carrier.deliver(question("q"), { duringRequest: carrier.sent.at(-1)?.id ?? "" });
  await settle();

  assert.equal(asked.length, 1);
});

test("C7 a call that was left and is answered all the same asks nothing more", async (t) => {
  const { carrier, asked } = await leftCall(t);

  carrier.result(carrier.sent.find(({ params }) => params["name"] === "alices")?.id, { content: [] });
  carrier.deliver(question("q"));
  await settle();

  assert.equal(asked.length, 1);
});

test("C7 a call that was left for as long as a call may take asks nothing more", async (t) => {
  const { carrier, asked } = await leftCall(t, { waitMs: LEFT_CALL_ASKS_MS });

  carrier.deliver(question("q"));
  await settle();

  assert.equal(asked.length, 1);
});

test("C7 sampling that a call may have asked for which its caller left fails no other call", async (t) => {
  const { carrier } = await leftCall(t);

  carrier.deliver({ jsonrpc: "2.0", id: "s", method: "sampling/createMessage", params: {} });
  await settle();

  assert.equal(carrier.closes, 0);
});
