import assert from "node:assert/strict";
import { test } from "node:test";

import { createServedAgent } from "../../../src/composition/flows/serve.ts";
import { STATE_LIFE_MS } from "../../../src/composition/flows/serve-rounds.ts";
import type { AgentAnswer, AgentPrompt, InvocationOptions } from "../../../src/ports/agent-session.ts";
import type { ServedAgent, ServedAnswer, ServedCall } from "../../../src/ports/served-agent.ts";
import {
  completed,
  createCountingRandom,
  createFakeAgentSession,
  type FakeAgentSession,
  untilAborted,
} from "../../kit/fake-agent-session.ts";
import { FakeClock } from "../../kit/fake-clock.ts";

const NEVER = new AbortController().signal;
const PERMISSION: AgentPrompt = { kind: "permission", toolName: "rm", description: "" };
const ALLOW = { action: "accept", content: { decision: "allow-once" } } as const;

interface World {
  readonly agent: ServedAgent;
  readonly session: FakeAgentSession;
  readonly clock: FakeClock;
  readonly answers: AgentAnswer[];
}

/** A session whose tool `rm` asks for permission as often as its argument says. */
function world(): World {
  const answers: AgentAnswer[] = [];
  const rm = async ({ times }: { readonly times?: unknown }, { ask }: InvocationOptions) => {
    for (let at = 0; at < Number(times ?? 1); at += 1) {
      answers.push((await ask?.(PERMISSION, { signal: NEVER })) ?? { kind: "cancelled" });
    }
    return completed(answers.map(({ kind }) => kind).join());
  };
  const session = createFakeAgentSession({ rm });
  const clock = new FakeClock();
  return {
    agent: createServedAgent({ session, clock, random: createCountingRandom() }),
    session,
    clock,
    answers,
  };
}

function callOf(more: Partial<ServedCall> = {}): ServedCall {
  return { toolName: "rm", args: {}, caller: "a", signal: NEVER, asking: { kind: "rounds" }, ...more };
}

function stateOf(answer: ServedAnswer): string {
  assert.equal(answer.kind, "input-required");
  return answer.kind === "input-required" ? answer.state : "";
}

function text(answer: ServedAnswer): unknown {
  return answer.kind === "answer" && answer.answer.content[0]?.["text"];
}

test("R10 a prompt ends the request with its form, and the answer goes on with the same invocation", async () => {
  const { agent, session } = world();

  const asked = await agent.call(callOf());
  assert.equal(asked.kind, "input-required");
  assert.match(asked.kind === "input-required" ? asked.form.message : "", /May the tool "rm"/);
  const answered = await agent.call(callOf({ round: { state: stateOf(asked), said: ALLOW } }));

  assert.equal(text(answered), "allow-once");
  assert.equal(session.invoked.length, 1);
});

test("R10 a state is 256 random bits", async () => {
  assert.match(stateOf(await world().agent.call(callOf())), /^[A-Za-z0-9_-]{43}$/);
});

test("R10 a state works once", async () => {
  const { agent, answers } = world();
  const state = stateOf(await agent.call(callOf({ args: { times: 2 } })));
  const next = await agent.call(callOf({ args: { times: 2 }, round: { state, said: ALLOW } }));
  assert.notEqual(stateOf(next), state);

  const again = await agent.call(callOf({ args: { times: 2 }, round: { state, said: ALLOW } }));

  assert.deepEqual(again, { kind: "unknown-state" });
  assert.deepEqual(answers, [{ kind: "allow-once" }]);
});

const FOREIGN: readonly (readonly [what: string, more: Partial<ServedCall>])[] = [
  ["another caller", { caller: "b" }],
  ["another tool", { toolName: "rmdir" }],
  ["other arguments", { args: { times: 1, force: true } }],
  ["no arguments", { args: {} }],
];

for (const [what, more] of FOREIGN) {
  test(`R10 a state is worth nothing to ${what}, and stays good for its own call`, async () => {
    const { agent, answers } = world();
    const own = callOf({ args: { times: 1 } });
    const state = stateOf(await agent.call(own));

    assert.deepEqual(await agent.call({ ...own, ...more, round: { state, said: ALLOW } }), {
      kind: "unknown-state",
    });

    assert.deepEqual(answers, []);
    assert.equal(text(await agent.call({ ...own, round: { state, said: ALLOW } })), "allow-once");
  });
}

test("R10 the order of an argument's keys does not make it another call", async () => {
  const { agent } = world();
  const state = stateOf(await agent.call(callOf({ args: { times: 1, force: true } })));

  const answered = await agent.call(
    callOf({ args: { force: true, times: 1 }, round: { state, said: ALLOW } }),
  );

  assert.equal(text(answered), "allow-once");
});

test("R10 a made-up state finds nothing", async () => {
  const { agent, session } = world();

  for (const state of ["", "x", "__proto__", "A".repeat(43)]) {
    assert.deepEqual(await agent.call(callOf({ round: { state, said: ALLOW } })), { kind: "unknown-state" });
  }
  assert.deepEqual(session.invoked, []);
});

for (const said of [
  undefined,
  {},
  { action: "accept" },
  { action: "accept", content: { decision: "always" } },
]) {
  test(`R10 ${JSON.stringify(said)} is no answer, and the prompt is put again under a new state`, async () => {
    const { agent, answers } = world();
    const first = stateOf(await agent.call(callOf()));

    const second = stateOf(await agent.call(callOf({ round: { state: first, said } })));
    assert.notEqual(second, first);
    const third = stateOf(await agent.call(callOf({ round: { state: second, said } })));
    const last = await agent.call(callOf({ round: { state: third, said } }));

    assert.equal(text(last), "cancelled");
    assert.deepEqual(answers, [{ kind: "cancelled" }]);
  });
}

test("R10 a decline is a no", async () => {
  const { agent } = world();
  const state = stateOf(await agent.call(callOf()));

  assert.equal(text(await agent.call(callOf({ round: { state, said: { action: "decline" } } }))), "deny");
});

test("R10 ten prompts are put to the client of a call, and the eleventh is cancelled", async () => {
  const { agent, answers } = world();
  const call = callOf({ args: { times: 11 } });
  let answer = await agent.call(call);
  for (let at = 0; at < 10; at += 1) {
    answer = await agent.call({ ...call, round: { state: stateOf(answer), said: ALLOW } });
  }

  assert.equal(answer.kind, "answer");
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    [...Array.from({ length: 10 }, () => "allow-once"), "cancelled"],
  );
});

test("R10 a state lives 30 minutes, and the invocation nobody comes back to ends with it", async () => {
  const { agent, session, clock, answers } = world();
  const [early, late] = [stateOf(await agent.call(callOf())), stateOf(await agent.call(callOf()))];

  await clock.advance(STATE_LIFE_MS - 1);
  assert.equal(text(await agent.call(callOf({ round: { state: early, said: ALLOW } }))), "allow-once");
  await clock.advance(1);

  assert.deepEqual(await agent.call(callOf({ round: { state: late, said: ALLOW } })), {
    kind: "unknown-state",
  });
  assert.equal(session.invoked[1]?.options.signal.aborted, true);
  assert.deepEqual(answers.at(-1), { kind: "cancelled" });
  assert.equal(clock.pending, 0);
});

test("R10 closing settles what waits, and leaves no timer", async () => {
  const { agent, clock, answers, session } = world();
  const state = stateOf(await agent.call(callOf()));

  agent.close();
  await new Promise(setImmediate);

  assert.deepEqual(answers, [{ kind: "cancelled" }]);
  assert.equal(session.invoked[0]?.options.signal.aborted, true);
  assert.equal(clock.pending, 0);
  const late = await agent.call(callOf({ round: { state, said: ALLOW } }));
  assert.match(String(text(late)), /"cancelled"/);
});

test("R10 one caller has 16 calls waiting at most, and takes no place of another's", async () => {
  const { agent, answers } = world();
  for (let at = 0; at < 16; at += 1) stateOf(await agent.call(callOf()));

  assert.equal(text(await agent.call(callOf())), "cancelled");
  assert.equal(answers.length, 1);
  stateOf(await agent.call(callOf({ caller: "b" })));
});

test("R10 all callers together have 32 calls waiting at most, half of those that may run", async () => {
  const { agent } = world();
  for (let at = 0; at < 32; at += 1) stateOf(await agent.call(callOf({ caller: `c${at % 16}` })));

  assert.equal(text(await agent.call(callOf({ caller: "late" }))), "cancelled");
});

test("R10 a request that is aborted in its round ends the invocation", async () => {
  const session = createFakeAgentSession({
    rm: async (_args, { ask, signal }) => {
      await ask?.(PERMISSION, { signal: NEVER });
      await untilAborted(signal);
      return completed("x");
    },
  });
  const agent = createServedAgent({ session, clock: new FakeClock(), random: createCountingRandom() });
  const first = new AbortController();
  const state = stateOf(await agent.call(callOf({ signal: first.signal })));
  first.abort(); // Answered already: its connection may close.
  assert.equal(session.invoked[0]?.options.signal.aborted, false);

  const second = new AbortController();
  const round = agent.call(callOf({ signal: second.signal, round: { state, said: ALLOW } }));
  await new Promise(setImmediate);
  second.abort();

  assert.match(String(text(await round)), /"cancelled"/);
  assert.equal(session.invoked[0]?.options.signal.aborted, true);
});

test("R10 a prompt that the session withdraws is cancelled at once, and its client still gets the end", async () => {
  const withdrawn = new AbortController();
  const session = createFakeAgentSession({
    rm: async (_args, { ask }) =>
      completed((await ask?.(PERMISSION, { signal: withdrawn.signal }))?.kind ?? ""),
  });
  const agent = createServedAgent({ session, clock: new FakeClock(), random: createCountingRandom() });
  const state = stateOf(await agent.call(callOf()));

  withdrawn.abort();
  await new Promise(setImmediate);

  assert.equal(text(await agent.call(callOf({ round: { state, said: ALLOW } }))), "cancelled");
});

test("R10 progress goes to the request that waits, also in a later round", async () => {
  const session = createFakeAgentSession({
    rm: async (_args, { ask, onProgress }) => {
      await ask?.(PERMISSION, { signal: NEVER });
      onProgress?.({ progress: 1 });
      return completed("x");
    },
  });
  const agent = createServedAgent({ session, clock: new FakeClock(), random: createCountingRandom() });
  const seen: string[] = [];
  const state = stateOf(await agent.call(callOf({ onProgress: () => seen.push("first") })));

  await agent.call(callOf({ onProgress: () => seen.push("second"), round: { state, said: ALLOW } }));

  assert.deepEqual(seen, ["second"]);
});
