import assert from "node:assert/strict";
import { test } from "node:test";

import { createServedAgent } from "../../../src/composition/flows/serve.ts";
import type { AgentAnswer, AgentPrompt, AgentSession } from "../../../src/ports/agent-session.ts";
import type { AskedForm, Asking, ServedCall } from "../../../src/ports/served-agent.ts";
import { completed, createCountingRandom, createFakeAgentSession } from "../../kit/fake-agent-session.ts";
import { FakeClock } from "../../kit/fake-clock.ts";

const NEVER = new AbortController().signal;
const PERMISSION: AgentPrompt = { kind: "permission", toolName: "rm", description: "" };
const MASKED: AgentPrompt = { kind: "question", message: "PIN?", options: [], freeText: true, masked: true };
const ALLOW = { action: "accept", content: { decision: "allow-once" } };

/** Calls a tool that puts these prompts at once, and answers what came back. */
async function answersTo(
  prompts: readonly AgentPrompt[],
  ask: (form: AskedForm, options: { readonly signal: AbortSignal }) => Promise<unknown>,
): Promise<readonly AgentAnswer[]> {
  let answers: readonly AgentAnswer[] = [];
  const session: AgentSession = createFakeAgentSession({
    rm: async (_args, { ask: put }) => {
      answers = await Promise.all(
        prompts.map(async (prompt) => (await put?.(prompt, { signal: NEVER })) ?? { kind: "deny" }),
      );
      return completed("x");
    },
  });
  const agent = createServedAgent({ session, clock: new FakeClock(), random: createCountingRandom() });
  await agent.call(callOf({ kind: "during", ask }));
  return answers;
}

function callOf(asking: Asking, more: Partial<ServedCall> = {}): ServedCall {
  return { toolName: "rm", args: {}, caller: "a", signal: NEVER, asking, ...more };
}

test("R10 a prompt is asked while the call runs, and what was said is its answer", async () => {
  const forms: string[] = [];

  const answers = await answersTo([PERMISSION], (form) => {
    forms.push(form.message);
    assert.deepEqual(form.requestedSchema["required"], ["decision"]);
    return Promise.resolve(ALLOW);
  });

  assert.deepEqual(answers, [{ kind: "allow-once" }]);
  assert.deepEqual(forms, ['May the tool "rm" run this once?']);
});

test("R10 what is masked is never asked", async () => {
  let asked = 0;

  const answers = await answersTo([MASKED], () => {
    asked += 1;
    return Promise.resolve({ action: "accept", content: { text: "1234" } });
  });

  assert.deepEqual([answers, asked], [[{ kind: "cancelled" }], 0]);
});

for (const said of [
  undefined,
  "yes",
  { action: "accept", content: { decision: "allow-always" } },
  { action: "accept", content: { decision: "allow-once", more: 1 } },
  { action: "allow" },
]) {
  test(`R10 ${JSON.stringify(said)} allows nothing`, async () => {
    assert.deepEqual(await answersTo([PERMISSION], () => Promise.resolve(said)), [{ kind: "cancelled" }]);
  });
}

test("R10 a client that cannot be asked is nobody, and its words stay with it", async () => {
  const answers = await answersTo([PERMISSION], () => Promise.reject(new Error("hunter2")));

  assert.deepEqual(answers, [{ kind: "cancelled" }]);
});

test("R10 prompts are put one at a time, ten at most", async () => {
  let open = 0;
  let most = 0;

  const answers = await answersTo(
    Array.from({ length: 12 }, () => PERMISSION),
    async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return ALLOW;
    },
  );

  assert.equal(most, 1);
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    [...Array.from({ length: 10 }, () => "allow-once"), "cancelled", "cancelled"],
  );
});

test("R10 who cannot be asked gives a session nothing to ask with", async () => {
  const session = createFakeAgentSession({ rm: (_args, { ask }) => completed(typeof ask) });
  const agent = createServedAgent({ session, clock: new FakeClock(), random: createCountingRandom() });

  const answer = await agent.call(callOf({ kind: "none" }));

  assert.equal(answer.kind === "answer" && answer.answer.content[0]?.["text"], "undefined");
});

test("R10 a call that ends takes its prompts with it", async () => {
  let withdrawn: AbortSignal | undefined;
  const late: Promise<AgentAnswer>[] = [];
  const session = createFakeAgentSession({
    rm: async (_args, { ask }) => {
      late.push(ask?.(PERMISSION, { signal: NEVER }) ?? Promise.resolve({ kind: "deny" }));
      await new Promise(setImmediate);
      return completed("x");
    },
  });
  const agent = createServedAgent({ session, clock: new FakeClock(), random: createCountingRandom() });

  await agent.call(
    callOf({
      kind: "during",
      ask: (_form, { signal }) => {
        withdrawn = signal;
        return new Promise(() => undefined);
      },
    }),
  );

  assert.equal(withdrawn?.aborted, true);
  assert.deepEqual(await Promise.all(late), [{ kind: "cancelled" }]);
  const afterwards = session.invoked[0]?.options.ask?.(PERMISSION, { signal: NEVER });
  assert.deepEqual(await afterwards, { kind: "cancelled" });
});
