/** Rounds of input in 2026-07-28: results of a call that ask, driven to the result that answers. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { accept, refuse } from "../../../../src/domain/outcome.ts";
import type { Elicit } from "../../../../src/ports/mcp-peer.ts";
import type { FakeCarrier, SentMessage } from "../../../kit/fake-carrier.ts";
import { asking, connectedFake, settle, type OpenFake } from "../../../kit/fake-sessions.ts";
import { pendingForms, SURE_FORM, SURE_PARAMS, YES } from "../../../kit/questions.ts";

const silent = (): void => undefined;
const sayYes: Elicit = async () => accept(YES);
const SURE = { method: "elicitation/create", params: SURE_PARAMS };
const DONE = { resultType: "complete", content: [] };
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

async function connected(
  t: TestContext,
  serve: (message: SentMessage, carrier: FakeCarrier) => void = silent,
  elicitation = true,
): Promise<OpenFake> {
  const open = await connectedFake("modern", serve, { elicitation });
  // What is still under way has timers of the official client.
  t.after(() => open.peer.close());
  return open;
}

/** Answers the requests one after another with these results. */
function answering(...results: readonly Record<string, unknown>[]) {
  const left = [...results];
  return (message: SentMessage, carrier: FakeCarrier): void => {
    const next = left.shift();
    if (next !== undefined) carrier.result(message.id, next);
  };
}

function asks(
  inputRequests: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { resultType: "input_required", inputRequests, ...more };
}

function refusedWith(reason: string): unknown {
  return { ok: false, refusal: { refusal: { kind: "elicitation", reason, serverId: "s" } } };
}

/** What a request says besides `_meta`. */
function said({ params: { _meta, ...rest } }: SentMessage): unknown {
  return rest;
}

test("C7 a round is answered by the same call again, with the answers, the exact state and an id of its own", async (t) => {
  const requestState = 'a"\u0000é\ud800 ';
  const { peer, carrier } = await connected(
    t,
    answering(asks({ one: SURE, two: SURE }, { requestState }), DONE),
  );
  const forms: unknown[] = [];
  const elicit: Elicit = async (form) => {
    forms.push(form);
    return accept(forms.length === 1 ? YES : { action: "decline" });
  };

  const answer = await peer.request("tools/call", { name: "t", arguments: { x: 1 } }, asking({ elicit }));

  assert.deepEqual(answer, { ok: true, value: { content: [] } });
  assert.deepEqual(forms, [SURE_FORM, SURE_FORM]);
  assert.deepEqual(carrier.sent.map(said), [
    { name: "t", arguments: { x: 1 } },
    {
      name: "t",
      arguments: { x: 1 },
      inputResponses: { one: { ...YES }, two: { action: "decline" } },
      requestState,
    },
  ]);
  assert.notEqual(carrier.sent[0]?.id, carrier.sent[1]?.id);
});

test("C7 nothing of an earlier round is in a later one, and no state where none was given", async (t) => {
  const { peer, carrier } = await connected(
    t,
    answering(asks({ one: SURE }, { requestState: "first" }), asks({ two: SURE }), DONE),
  );

  await peer.request("tools/call", { name: "t" }, asking({ elicit: sayYes }));

  assert.deepEqual(carrier.sent.map(said), [
    { name: "t" },
    { name: "t", inputResponses: { one: { ...YES } }, requestState: "first" },
    { name: "t", inputResponses: { two: { ...YES } } },
  ]);
});

test("C7 nothing of a round is in another call", async (t) => {
  const { peer, carrier } = await connected(
    t,
    answering(asks({ one: SURE }, { requestState: "s" }), DONE, DONE),
  );

  await peer.request("tools/call", { name: "a" }, asking({ elicit: sayYes }));
  await peer.request("tools/call", { name: "b" }, asking({ elicit: sayYes }));

  assert.deepEqual(said(carrier.sent[2]!), { name: "b" });
});

test("C7 a round with a state alone is tried again after a moment, and asks nobody", async (t) => {
  const { peer, carrier, clock } = await connected(
    t,
    answering({ resultType: "input_required", requestState: "" }, DONE),
  );
  const forms = pendingForms();

  const call = peer.request(
    "tools/call",
    {},
    asking({ elicit: forms.elicit, timeoutMs: 1_000, maxTotalMs: 1_000 }),
  );
  await settle();
  await clock.advance(249);
  assert.equal(carrier.sent.length, 1);
  await clock.advance(1);

  assert.deepEqual(await call, { ok: true, value: { content: [] } });
  assert.deepEqual(forms.asked, []);
  assert.deepEqual(said(carrier.sent[1]!), { requestState: "" });
});

test("C7 the questions of a round are put one at a time", async (t) => {
  const { peer } = await connected(t, answering(asks({ one: SURE, two: SURE }), DONE));
  const forms = pendingForms();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();
  assert.equal(forms.asked.length, 1);

  forms.asked[0]?.answer(YES);
  await settle();
  forms.asked[1]?.answer({ action: "cancel" });

  assert.equal((await call).ok, true);
});

test("C7 ten rounds are answered", async (t) => {
  const { peer, carrier } = await connected(
    t,
    answering(...Array.from({ length: 10 }, () => asks({ a: SURE })), DONE),
  );

  assert.equal((await peer.request("tools/call", {}, asking({ elicit: sayYes }))).ok, true);
  assert.deepEqual([carrier.sent.length, carrier.closes], [11, 0]);
});

for (const [what, result, reason] of [
  ["sampling", asks({ a: { method: "sampling/createMessage" } }), "sampling-asked"],
  ["roots", asks({ a: SURE, b: { method: "roots/list" } }), "roots-asked"],
] as const) {
  test(`C7 a round that asks for ${what} closes the connection, and puts no form`, async (t) => {
    const { peer, carrier } = await connected(t, answering(result));
    const forms = pendingForms();

    const answer = await peer.request("tools/call", {}, asking({ elicit: forms.elicit }));

    assert.deepEqual(answer, refusedWith(reason));
    assert.deepEqual(await peer.closed, { refusal: { kind: "elicitation", reason, serverId: "s" } });
    assert.deepEqual(forms.asked, []);
    assert.equal(carrier.sent.length, 1);
  });
}

test("C7 an eleventh round closes the connection, and is not answered", async (t) => {
  const { peer, carrier } = await connected(t, (message, carrier) =>
    carrier.result(message.id, asks({ a: SURE })),
  );

  const answer = await peer.request("tools/call", {}, asking({ elicit: sayYes }));

  assert.deepEqual(answer, refusedWith("too-many-rounds"));
  assert.equal(carrier.sent.length, 11);
  assert.ok(carrier.closes > 0);
});

const MANY = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`q${index}`, SURE]));

for (const [what, result, reason] of [
  ["nothing in it", { resultType: "input_required" }, "round-malformed"],
  ["five hundred questions", asks(MANY), "round-too-large"],
  ["a state that is too long", asks({ a: SURE }, { requestState: "s".repeat(65_537) }), "round-too-large"],
  [
    "a page to open",
    asks({ a: { method: "elicitation/create", params: { mode: "url", url: "javascript:alert(1)" } } }),
    "url-mode",
  ],
  ["a broken form", asks({ a: SURE, b: { method: "elicitation/create", params: {} } }), "form-malformed"],
] as const) {
  test(`C7 a round with ${what} fails the call, puts no form, and the connection stays`, async (t) => {
    const { peer, carrier } = await connected(t, answering(result, DONE));
    const forms = pendingForms();

    const answer = await peer.request("tools/call", {}, asking({ elicit: forms.elicit }));

    assert.deepEqual(answer, refusedWith(reason));
    assert.deepEqual(forms.asked, []);
    assert.deepEqual([carrier.sent.length, carrier.closes], [1, 0]);
    assert.equal((await peer.request("tools/call", {}, asking({ elicit: forms.elicit }))).ok, true);
  });
}

for (const reason of ["answer-mismatch", "ask-failed"] as const) {
  test(`C7 an asker's ${reason} fails the call, and no answer of it is sent`, async (t) => {
    const { peer, carrier } = await connected(t, answering(asks({ a: SURE })));

    const answer = await peer.request("tools/call", {}, asking({ elicit: async () => refuse(reason) }));

    assert.deepEqual(answer, refusedWith(reason));
    assert.deepEqual([carrier.sent.length, carrier.closes], [1, 0]);
  });
}

for (const [what, method, stage, elicit] of [
  ["a call without an asker", "tools/call", "call", undefined],
  ["a list", "tools/list", "list-tools", sayYes],
  ["a read", "resources/read", "read-resource", sayYes],
  ["a prompt", "prompts/get", "get-prompt", sayYes],
] as const) {
  test(`C7 ${what} that is answered with a question is refused, and said before that nobody can be asked`, async (t) => {
    const { peer, carrier } = await connected(t, answering(asks({ a: SURE })));

    const answer = await peer.request(method, {}, asking({ stage, ...(elicit && { elicit }) }));

    assert.equal(!answer.ok && answer.refusal.refusal.reason, "input-required");
    assert.equal(carrier.sent.length, 1);
    assert.deepEqual(Object(carrier.sent[0]?.params["_meta"])[CAPABILITIES], {});
  });
}

test("C6 a call that can be asked declares forms, and nothing more", async (t) => {
  const { peer, carrier } = await connected(t, answering(DONE));

  await peer.request("tools/call", {}, asking({ elicit: sayYes }));

  assert.deepEqual(Object(carrier.sent[0]?.params["_meta"])[CAPABILITIES], { elicitation: { form: {} } });
});

test("C6 an asker changes nothing where elicitation is off", async (t) => {
  const { peer, carrier } = await connected(t, answering(asks({ a: SURE })), false);
  const forms = pendingForms();

  const answer = await peer.request("tools/call", {}, asking({ elicit: forms.elicit }));

  assert.equal(!answer.ok && answer.refusal.refusal.reason, "input-required");
  assert.deepEqual(Object(carrier.sent[0]?.params["_meta"])[CAPABILITIES], {});
  assert.deepEqual(forms.asked, []);
});

test("C7 an abort while somebody thinks withdraws the form, and the call is not tried again", async (t) => {
  const { peer, carrier } = await connected(t, answering(asks({ a: SURE })));
  const forms = pendingForms();
  const control = new AbortController();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit, signal: control.signal }));
  await settle();

  control.abort(new Error("secret reason"));
  const answer = await call;
  forms.asked[0]?.answer(YES);
  await settle();

  assert.equal(!answer.ok && answer.refusal.refusal.reason, "outcome-unknown");
  assert.equal(forms.asked[0]?.signal.aborted, true);
  assert.equal(carrier.sent.filter(({ method }) => method === "tools/call").length, 1);
});

test("C7 a connection that is lost while somebody thinks withdraws the form", async (t) => {
  const { peer, carrier } = await connected(t, answering(asks({ a: SURE })));
  const forms = pendingForms();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();

  carrier.lose({ refusal: { kind: "stdio", reason: "early-exit" } });

  const answer = await call;
  assert.equal(!answer.ok && answer.refusal.refusal.reason, "early-exit");
  assert.equal(forms.asked[0]?.signal.aborted, true);
});

test("C7b each attempt has the call's whole time, thinking has none, and the total covers all", async (t) => {
  const { peer, clock } = await connected(t, answering(asks({ a: SURE })));
  const forms = pendingForms();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit, maxTotalMs: 300 }));
  await settle();
  await clock.advance(200);
  forms.asked[0]?.answer(YES);
  await settle();

  let ended = false;
  void call.then(() => (ended = true));
  await clock.advance(99);
  assert.equal(ended, false);
  await clock.advance(1);

  const answer = await call;
  assert.equal(!answer.ok && "ended" in answer.refusal.refusal && answer.refusal.refusal.ended, "timeout");
});

test("C7b a call whose total time is over while somebody thinks ends, and withdraws the form", async (t) => {
  const { peer, clock } = await connected(t, answering(asks({ a: SURE })));
  const forms = pendingForms();
  const call = peer.request("tools/call", {}, asking({ elicit: forms.elicit }));
  await settle();

  await clock.advance(250);

  const answer = await call;
  assert.equal(
    !answer.ok && "ended" in answer.refusal.refusal && answer.refusal.refusal.ended,
    "total-timeout",
  );
  assert.equal(forms.asked[0]?.signal.aborted, true);
});
