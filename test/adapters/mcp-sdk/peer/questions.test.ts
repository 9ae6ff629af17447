/** Questions of the older era: requests of the server, given to the call that raised them. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { accept, refuse } from "../../../../src/domain/outcome.ts";
import type { Elicit } from "../../../../src/ports/mcp-peer.ts";
import { FakeCarrier, type SentMessage } from "../../../kit/fake-carrier.ts";
import { FakeClock } from "../../../kit/fake-clock.ts";
import { asking, connectedFake, openFakePeer, settle, type OpenFake } from "../../../kit/fake-sessions.ts";
import { pendingForms, question, SURE_FORM, YES } from "../../../kit/questions.ts";

const silent = (): void => undefined;
const sayYes: Elicit = async () => accept(YES);

async function connected(
  t: TestContext,
  serve: (message: SentMessage, carrier: FakeCarrier) => void = silent,
): Promise<OpenFake> {
  const open = await connectedFake("legacy", serve, { elicitation: true, kind: "stdio" });
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

function replied(id: string | number, body: Record<string, unknown>): unknown {
  return { jsonrpc: "2.0", id, ...body };
}

const CANCELLED = { result: { action: "cancel" } };

function refusedWith(reason: string): unknown {
  return { ok: false, refusal: { refusal: { kind: "elicitation", reason, serverId: "s" } } };
}

test("C7 a question during the only call is put to that call's asker, and the answer goes back", async (t) => {
  const { peer, carrier } = await connected(t);
  const forms = pendingForms();

  const call = peer.request("tools/call", { name: "t" }, asking({ elicit: forms.elicit }));
  carrier.deliver(question("q"));
  await settle();
  assert.deepEqual(forms.asked[0]?.form, SURE_FORM);
  assert.deepEqual(replies(carrier), []);
  forms.asked[0]?.answer(YES);
  await settle();
  carrier.result(carrier.sent[0]?.id, { content: [] });

  assert.deepEqual(replies(carrier), [replied("q", { result: { ...YES } })]);
  assert.deepEqual(await call, { ok: true, value: { content: [] } });
});

test("C7 a question on the stream of one call is put to that call, whatever else runs", async (t) => {
  const { peer, carrier } = await connected(t);
  const [first, second] = [pendingForms(), pendingForms()];
  void peer.request("tools/call", { name: "a" }, asking({ elicit: first.elicit }));
  void peer.request("tools/call", { name: "b" }, asking({ elicit: second.elicit }));
  await settle();

  carrier.deliver(question("q"), { duringRequest: carrier.sent[1]?.id ?? "" });
  await settle();

  assert.deepEqual([first.asked.length, second.asked.length], [0, 1]);
});

test("C7 a question that either of two calls may have raised is put to nobody", async (t) => {
  const { peer, carrier } = await connected(t);
  const forms = pendingForms();
  void peer.request("tools/call", { name: "a" }, asking({ elicit: forms.elicit }));
  // That one call has nobody to ask makes the other one no more likely.
  void peer.request("tools/call", { name: "b" }, asking());
  await settle();

  carrier.deliver(question("q"));
  await settle();

  assert.deepEqual(forms.asked, []);
  assert.deepEqual(replies(carrier), [replied("q", CANCELLED)]);
});

test("C7 a question during a call without an asker is cancelled", async (t) => {
  const { peer, carrier } = await connected(t);
  void peer.request("tools/call", {}, asking());
  await settle();

  carrier.deliver(question("q"));
  await settle();

  assert.deepEqual(replies(carrier), [replied("q", CANCELLED)]);
});

for (const [when, method, stage] of [
  ["a list", "tools/list", "list-tools"],
  ["a read", "resources/read", "read-resource"],
  ["a prompt", "prompts/get", "get-prompt"],
] as const) {
  test(`C7 a question during ${when} is put to nobody`, async (t) => {
    const { peer, carrier } = await connected(t);
    const forms = pendingForms();
    void peer.request(method, {}, asking({ stage, elicit: forms.elicit }));
    await settle();

    carrier.deliver(question("q"), { duringRequest: carrier.sent[0]?.id ?? "" });
    carrier.deliver(question("r"));
    await settle();

    assert.deepEqual(forms.asked, []);
    assert.deepEqual(
      replies(carrier).map((reply) => Object(reply).error.code),
      [-32_601, -32_601],
    );
  });
}

test("C7 a question outside a call, and on the stream of one that has ended, is put to nobody", async (t) => {
  const { peer, carrier } = await connected(t, (message, carrier) => {
    if (message.method === "tools/call") carrier.result(message.id, { content: [] });
  });
  const forms = pendingForms();
  await peer.request("tools/call", {}, asking({ elicit: forms.elicit }));

  carrier.deliver(question("q"));
  carrier.deliver(question("r"), { duringRequest: carrier.sent[0]?.id ?? "" });
  await settle();

  assert.deepEqual(forms.asked, []);
  assert.equal(replies(carrier).length, 2);
});

test("C7 a question before the handshake is done is put to nobody", async () => {
  const carrier = new FakeCarrier((message, carrier) => {
    if (message.method !== "initialize") return;
    carrier.deliver(question("q"));
    carrier.deliver(question("r"), { duringRequest: message.id ?? "" });
    queueMicrotask(() => void carrier.close());
  });

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), elicitation: true });
  await settle();

  assert.equal(opened.ok, false);
  for (const reply of replies(carrier)) assert.equal(Object(reply).error?.code, -32_601);
});

test("C7 questions of one call are put one at a time, in their order", async (t) => {
  const { peer, carrier } = await connected(t);
  const forms = pendingForms();
  void peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();

  carrier.deliver(question(1));
  carrier.deliver(question(2));
  await settle();
  assert.equal(forms.asked.length, 1);
  forms.asked[0]?.answer({ action: "decline" });
  await settle();
  assert.equal(forms.asked.length, 2);
  forms.asked[1]?.answer(YES);
  await settle();

  assert.deepEqual(replies(carrier), [
    replied(1, { result: { action: "decline" } }),
    replied(2, { result: { ...YES } }),
  ]);
});

test("C7 a second question with the id of one that is open is not put, and not answered", async (t) => {
  const { peer, carrier } = await connected(t);
  const forms = pendingForms();
  void peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();

  carrier.deliver(question("q"));
  carrier.deliver(question("q"));
  await settle();
  forms.asked[0]?.answer(YES);
  await settle();

  assert.equal(forms.asked.length, 1);
  assert.deepEqual(replies(carrier), [replied("q", { result: { ...YES } })]);
});

for (const [what, params, reason] of [
  ["URL mode", { mode: "url", message: "", url: "javascript:alert(1)", elicitationId: "e" }, "url-mode"],
  ["a broken form", { message: "" }, "form-malformed"],
  [
    "a form that is too large",
    { ...Object(question(1)["params"]), message: "m".repeat(8_193) },
    "form-too-large",
  ],
] as const) {
  test(`C7 ${what} fails the call whatever its result is, and the connection stays`, async (t) => {
    const { peer, carrier } = await connected(t);
    const forms = pendingForms();
    const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
    await settle();

    carrier.deliver(question("q", params));
    await settle();
    carrier.result(carrier.sent[0]?.id, { content: ["success"] });

    assert.deepEqual(await call, refusedWith(reason));
    assert.deepEqual(forms.asked, []);
    assert.deepEqual(replies(carrier), [
      replied("q", { error: { code: -32_602, message: "the form was not answered" } }),
    ]);
    assert.equal(carrier.closes, 0);
  });
}

test("C7 a call that fails over its form says so at its deadline too", async (t) => {
  const { peer, carrier, clock } = await connected(t);
  const call = peer.request("tools/call", {}, asking({ elicit: sayYes }));
  await settle();
  carrier.deliver(question("q", {}));

  await clock.advance(100);

  assert.deepEqual(await call, refusedWith("form-malformed"));
});

for (const reason of ["answer-mismatch", "ask-failed"] as const) {
  test(`C7 an asker's ${reason} fails the call, and no answer of it is sent`, async (t) => {
    const { peer, carrier } = await connected(t);
    const call = peer.request("tools/call", {}, asking({ elicit: async () => refuse(reason) }));
    await settle();

    carrier.deliver(question("q"));
    await settle();
    carrier.result(carrier.sent[0]?.id, { content: [] });

    assert.deepEqual(await call, refusedWith(reason));
    assert.deepEqual(replies(carrier), [
      replied("q", { error: { code: -32_603, message: "the form was not answered" } }),
    ]);
    assert.equal(carrier.closes, 0);
  });
}

for (const [method, reason] of [
  ["sampling/createMessage", "sampling-asked"],
  ["roots/list", "roots-asked"],
] as const) {
  test(`C7 ${method} during a call that can be asked closes the connection, unanswered`, async (t) => {
    const { peer, carrier } = await connected(t);
    const call = peer.request("tools/call", {}, asking({ elicit: sayYes }));
    await settle();

    carrier.deliver({ jsonrpc: "2.0", id: "q", method, params: {} });

    assert.deepEqual(await call, refusedWith(reason));
    assert.deepEqual(await peer.closed, { refusal: { kind: "elicitation", reason, serverId: "s" } });
    assert.deepEqual(replies(carrier), []);
    assert.ok(carrier.closes > 0);
  });

  test(`C7 ${method} during a call without an asker is unknown here, and nothing more`, async (t) => {
    const { peer, carrier } = await connected(t);
    void peer.request("tools/call", {}, asking());
    await settle();

    carrier.deliver({ jsonrpc: "2.0", id: "q", method, params: {} });
    await settle();

    assert.equal(Object(replies(carrier)[0]).error.code, -32_601);
    assert.equal(carrier.closes, 0);
  });
}

test("C7 ten questions of one call are put, and the eleventh closes the connection", async (t) => {
  const { peer, carrier } = await connected(t);
  let asked = 0;
  const elicit: Elicit = async () => {
    asked += 1;
    return accept(YES);
  };
  const call = peer.request("tools/call", {}, asking({ elicit }));
  await settle();
  for (let id = 1; id <= 10; id += 1) {
    carrier.deliver(question(id));
    await settle();
  }
  assert.deepEqual([asked, replies(carrier).length, carrier.closes], [10, 10, 0]);

  carrier.deliver(question(11));

  assert.deepEqual(await call, refusedWith("too-many-rounds"));
  assert.deepEqual([asked, replies(carrier).length], [10, 10]);
});

test("C7 five hundred questions at once put one form at most, and close the connection", async (t) => {
  const { peer, carrier } = await connected(t);
  const forms = pendingForms();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();

  for (let id = 0; id < 500; id += 1) carrier.deliver(question(id));

  assert.deepEqual(await call, refusedWith("too-many-rounds"));
  await settle();
  assert.ok(forms.asked.length <= 1);
  assert.deepEqual(replies(carrier), []);
});
