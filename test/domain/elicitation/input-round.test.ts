import assert from "node:assert/strict";
import { test } from "node:test";

import { answerRound, decodeInputRound } from "../../../src/domain/elicitation/input-round.ts";
import type { ElicitationReason } from "../../../src/domain/elicitation/refusal.ts";

const SURE = {
  method: "elicitation/create",
  params: {
    message: "Sure?",
    requestedSchema: { type: "object", properties: { sure: { type: "boolean" } } },
  },
};
const FORM = { message: "Sure?", fields: [{ type: "boolean", name: "sure", required: false }] };

test("C7 a round is read with its questions in order and its state as it is", () => {
  const round = decodeInputRound({
    resultType: "input_required",
    inputRequests: { second: SURE, first: SURE },
    requestState: 'x\u0000"é\ud800',
  });

  assert.deepEqual(round, {
    ok: true,
    value: {
      entries: [
        { key: "second", form: FORM },
        { key: "first", form: FORM },
      ],
      requestState: 'x\u0000"é\ud800',
    },
  });
});

test("C7 a round may have a state alone, an empty one too, or questions alone", () => {
  assert.deepEqual(decodeInputRound({ requestState: "" }), {
    ok: true,
    value: { entries: [], requestState: "" },
  });
  assert.deepEqual(decodeInputRound({ inputRequests: { a: SURE } }), {
    ok: true,
    value: { entries: [{ key: "a", form: FORM }] },
  });
});

for (const [what, result, reason] of [
  ["nothing in it", {}, "round-malformed"],
  ["no questions and no state", { inputRequests: {} }, "round-malformed"],
  ["a list of questions", { inputRequests: [SURE] }, "round-malformed"],
  ["a state that is no text", { inputRequests: { a: SURE }, requestState: 7 }, "round-malformed"],
  ["a question that is no object", { inputRequests: { a: "elicitation/create" } }, "round-malformed"],
  ["a question that nobody knows", { inputRequests: { a: { method: "tools/call" } } }, "round-malformed"],
  [
    "a page to open",
    { inputRequests: { a: { method: "elicitation/create", params: { mode: "url" } } } },
    "url-mode",
  ],
  ["a broken form", { inputRequests: { a: { method: "elicitation/create" } } }, "form-malformed"],
  ["a broken form behind a good one", { inputRequests: { a: SURE, b: {} } }, "round-malformed"],
  ["sampling", { inputRequests: { a: { method: "sampling/createMessage" } } }, "sampling-asked"],
  ["roots", { inputRequests: { a: SURE, b: { method: "roots/list" } } }, "roots-asked"],
] satisfies [string, Record<string, unknown>, ElicitationReason][]) {
  test(`C7 a round with ${what} is refused whole`, () => {
    assert.deepEqual(decodeInputRound(result), { ok: false, refusal: reason });
  });
}

function questions(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, SURE]));
}

for (const [bound, limit, build] of [
  ["questions", 10, (count: number) => ({ inputRequests: questions(count) })],
  ["characters of state", 65_536, (count: number) => ({ requestState: "s".repeat(count) })],
  [
    "characters of a question's key",
    256,
    (count: number) => ({ inputRequests: { ["k".repeat(count)]: SURE } }),
  ],
] as const) {
  test(`C7 a round may have ${limit} ${bound}, and no more`, () => {
    assert.equal(decodeInputRound(build(limit - 1)).ok, true);
    assert.equal(decodeInputRound(build(limit)).ok, true);
    assert.deepEqual(decodeInputRound(build(limit + 1)), { ok: false, refusal: "round-too-large" });
  });
}

test("C7 the next attempt says the answers under their keys and the state of this round, or none", () => {
  const answer = { action: "accept", content: { sure: true } } as const;

  assert.equal(
    JSON.stringify(answerRound({ entries: [], requestState: "s" }, [{ key: "__proto__", answer }])),
    '{"inputResponses":{"__proto__":{"action":"accept","content":{"sure":true}}},"requestState":"s"}',
  );
  assert.deepEqual(answerRound({ entries: [] }, [{ key: "a", answer: { action: "decline" } }]), {
    inputResponses: { a: { action: "decline" } },
  });
  assert.deepEqual(answerRound({ entries: [], requestState: "" }, []), { requestState: "" });
});
