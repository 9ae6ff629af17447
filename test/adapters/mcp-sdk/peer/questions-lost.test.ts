/** Questions of the older era on the stream for everything, after the answer to a call was lost: its tool may go on. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { LEFT_CALL_ASKS_MS } from "../../../../src/adapters/mcp-sdk/server-questions.ts";
import type { PeerFailure } from "../../../../src/ports/mcp-peer.ts";
import { asking, connectedFake, settle } from "../../../kit/fake-sessions.ts";
import { pendingForms, question } from "../../../kit/questions.ts";

/** Alice's call fails; then Bob makes one, and the server asks on its own stream. Answers how often Bob was asked. */
async function askedAfter(
  t: TestContext,
  failure: PeerFailure,
  { waitMs = 0 } = {},
): Promise<{ readonly asked: number; readonly cancelled: boolean }> {
  const { peer, carrier, clock } = await connectedFake("legacy", () => undefined, { elicitation: true });
  t.after(() => peer.close());
  const alices = peer.request("tools/call", { name: "alices" }, asking());
  await settle();
  carrier.fail(carrier.sent.at(-1)?.id ?? assert.fail(), failure);
  assert.equal((await alices).ok, false);
  await clock.advance(waitMs);
  const bob = pendingForms();
  void peer.request("tools/call", { name: "bobs" }, asking({ elicit: bob.elicit }));
  await settle();

  carrier.deliver(question("q"));
  await settle();

  const cancel = '{"jsonrpc":"2.0","id":"q","result":{"action":"cancel"}}';
  return { asked: bob.asked.length, cancelled: carrier.sent.some(({ text }) => text === cancel) };
}

const session = (
  reason:
    | "response-lost"
    | "response-too-large"
    | "invalid-response"
    | "http-status"
    | "auth-required"
    | "session-expired",
  code?: number,
): PeerFailure => ({
  refusal: { kind: "session", reason, serverId: "s", stage: "call", ...(code !== undefined && { code }) },
});

const MAY_RUN: readonly (readonly [what: string, failure: PeerFailure])[] = [
  ["whose answer stream was lost", session("response-lost")],
  ["whose answer was too large", session("response-too-large")],
  ["whose answer was none", session("invalid-response", 202)],
  ["that was answered 500", session("http-status", 500)],
  ["that was answered 504", session("http-status", 504)],
  ["whose connection was reset", { refusal: { kind: "network", reason: "connection-reset" } }],
  ["that was not answered in time", { refusal: { kind: "egress", reason: "timeout" } }],
];

for (const [what, failure] of MAY_RUN) {
  test(`C7 R10 a question that a call may have raised ${what} is put to nobody else`, async (t) => {
    assert.deepEqual(await askedAfter(t, failure, { waitMs: LEFT_CALL_ASKS_MS - 1 }), {
      asked: 0,
      cancelled: true,
    });
  });

  test(`C7 a call ${what} asks nothing more after as long as a call may take`, async (t) => {
    assert.deepEqual(await askedAfter(t, failure, { waitMs: LEFT_CALL_ASKS_MS }), {
      asked: 1,
      cancelled: false,
    });
  });
}

const NEVER_BEGAN: readonly (readonly [what: string, failure: PeerFailure])[] = [
  ["that was answered 499", session("http-status", 499)],
  ["that was answered 429", session("http-status", 429)],
  ["that lacked authorization", session("auth-required", 401)],
  ["whose session had expired", session("session-expired")],
  ["that found nobody listening", { refusal: { kind: "network", reason: "connection-refused" } }],
  ["that our own rules kept here", { refusal: { kind: "egress", reason: "private-address" } }],
];

for (const [what, failure] of NEVER_BEGAN) {
  test(`C7 a call ${what} never began, and keeps no question from another`, async (t) => {
    assert.deepEqual(await askedAfter(t, failure), { asked: 1, cancelled: false });
  });
}
