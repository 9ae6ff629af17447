/** How questions of the older era end: with their call, by the server, and under the call's clocks. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { FakeCarrier } from "../../../kit/fake-carrier.ts";
import { asking, connectedFake, settle, type OpenFake } from "../../../kit/fake-sessions.ts";
import { pendingForms, question, YES } from "../../../kit/questions.ts";

async function connected(t: TestContext): Promise<OpenFake> {
  const open = await connectedFake("legacy", () => undefined, { elicitation: true, kind: "stdio" });
  // What is still under way has timers of the official client.
  t.after(() => open.peer.close());
  return open;
}

/** What went back to the server's own requests. */
function replies(carrier: FakeCarrier): readonly unknown[] {
  return carrier.sent
    .filter(({ method }) => method === undefined)
    .map(({ text }): unknown => JSON.parse(text));
}

const CANCELLED = [{ jsonrpc: "2.0", id: "q", result: { action: "cancel" } }];

test("C7 an abort of the call withdraws its form", async (t) => {
  const { peer, carrier } = await connected(t);
  const forms = pendingForms();
  const control = new AbortController();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit, signal: control.signal }));
  await settle();
  carrier.deliver(question("q"));
  await settle();

  control.abort(new Error("secret reason"));
  const answer = await call;
  await settle();
  assert.equal(forms.asked[0]?.signal.aborted, true);
  forms.asked[0]?.answer(YES);
  await settle();

  assert.deepEqual(!answer.ok && answer.refusal.refusal.reason, "outcome-unknown");
  assert.deepEqual(replies(carrier), CANCELLED);
});

test("C7 an answer of the call withdraws its form", async (t) => {
  const { peer, carrier } = await connected(t);
  const forms = pendingForms();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();
  carrier.deliver(question("q"));
  await settle();

  carrier.result(carrier.sent[0]?.id, { content: [] });
  assert.deepEqual(await call, { ok: true, value: { content: [] } });
  await settle();

  assert.equal(forms.asked[0]?.signal.aborted, true);
  assert.deepEqual(replies(carrier), CANCELLED);
});

test("C7 a form that the server withdraws is withdrawn here, unanswered, and the next one is put", async (t) => {
  const { peer, carrier } = await connected(t);
  const forms = pendingForms();
  void peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();
  carrier.deliver(question("q"));
  carrier.deliver(question("r"));
  await settle();

  carrier.deliver({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "q" } });
  await settle();

  assert.deepEqual(
    forms.asked.map(({ signal }) => signal.aborted),
    [true, false],
  );
  assert.deepEqual(replies(carrier), []);
});

test("C7b the time of a call stands still while somebody thinks, and its total does not", async (t) => {
  const { peer, carrier, clock } = await connected(t);
  const forms = pendingForms();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();
  carrier.deliver(question("q"));
  await settle();

  await clock.advance(240);
  assert.equal(forms.asked[0]?.signal.aborted, false);
  await clock.advance(10);

  const answer = await call;
  assert.deepEqual(!answer.ok && answer.refusal.refusal, {
    kind: "session",
    reason: "outcome-unknown",
    serverId: "s",
    stage: "call",
    ended: "total-timeout",
    limitMs: 250,
  });
  assert.equal(forms.asked[0]?.signal.aborted, true);
});

test("C7b after an answer the call has its whole time again, and no more", async (t) => {
  const { peer, carrier, clock } = await connected(t);
  const forms = pendingForms();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();
  carrier.deliver(question("q"));
  await settle();
  await clock.advance(90);
  forms.asked[0]?.answer(YES);
  await settle();

  await clock.advance(99);
  assert.equal(carrier.closes, 0);
  await clock.advance(1);

  const answer = await call;
  assert.equal(!answer.ok && "ended" in answer.refusal.refusal && answer.refusal.refusal.ended, "timeout");
});
