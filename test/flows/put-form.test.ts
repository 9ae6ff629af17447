import assert from "node:assert/strict";
import { test } from "node:test";

import { putFormsTo } from "../../src/composition/flows/put-form.ts";
import { createSession } from "../../src/composition/flows/session.ts";
import type { FormAnswer } from "../../src/domain/elicitation/form.ts";
import type { AskPrompt } from "../../src/ports/ask.ts";
import { FakePeer } from "../kit/fake-peer.ts";
import { fakeSessionOptions, NEVER } from "../kit/fake-sessions.ts";
import { SURE_FORM, YES } from "../kit/questions.ts";

test("C7 a form is put under the configured name of its server, with the signal it was raised with", async () => {
  const prompts: AskPrompt[] = [];
  const signals: AbortSignal[] = [];
  const elicit = putFormsTo(async (prompt, { signal }) => {
    prompts.push(prompt);
    signals.push(signal);
    return YES;
  }, "files");

  assert.deepEqual(await elicit(SURE_FORM, { signal: NEVER }), { ok: true, value: YES });
  assert.deepEqual(prompts, [{ serverId: "files", form: SURE_FORM }]);
  assert.deepEqual(signals, [NEVER]);
});

test("C7 an answer against the form is no answer", async () => {
  const answers: readonly FormAnswer[] = [
    { action: "accept", content: {} },
    { action: "accept", content: { sure: "yes" } },
    { action: "accept", content: { sure: true, more: "secret" } },
  ];
  for (const answer of answers) {
    assert.deepEqual(await putFormsTo(async () => answer, "files")(SURE_FORM, { signal: NEVER }), {
      ok: false,
      refusal: "answer-mismatch",
    });
  }
});

test("C7 an asker that rejects or throws says nothing of why", async () => {
  for (const failing of [
    () => Promise.reject(new Error("secret")),
    () => {
      throw new Error("secret");
    },
  ]) {
    assert.deepEqual(await putFormsTo(failing, "files")(SURE_FORM, { signal: NEVER }), {
      ok: false,
      refusal: "ask-failed",
    });
  }
});

const ask = async (): Promise<FormAnswer> => YES;

test("C7 the asker of a call goes with that tool call alone", async () => {
  const peer = new FakePeer(() => ({ content: [], messages: [], contents: [] }));
  const session = createSession(peer, fakeSessionOptions({ elicitation: true }));
  await session.callTool("t", {}, { ask });
  await session.callTool("t", {});
  await session.getPrompt("p", {}, { ask });
  await session.readResource("r://1", { ask });

  assert.deepEqual(
    peer.asked.map(({ options }) => options.elicit !== undefined),
    [true, false, false, false],
  );
});

test("C6 a server of 2026-07-28 is said to have no input rounds only where elicitation is off", () => {
  const codes = [false, true].map((elicitation) => {
    const peer = new FakePeer(() => ({}), { era: "modern", protocolVersion: "2026-07-28" });
    const session = createSession(peer, fakeSessionOptions({ elicitation, selection: "2026-07-28" }));
    return session.compatibilityDiagnostics.map(({ code }) => code).includes("input-rounds-off");
  });

  assert.deepEqual(codes, [true, false]);
});
