import assert from "node:assert/strict";
import { test } from "node:test";

import { createServedAgent } from "../../../src/composition/flows/serve.ts";
import { CALL_LIMITS } from "../../../src/composition/flows/serve-session.ts";
import { DEFAULT_SUBMIT_TOOL } from "../../../src/domain/serve/submit-tool.ts";
import type { AgentSession } from "../../../src/ports/agent-session.ts";
import type { ServedAgent, ServedAnswer, ServedCall } from "../../../src/ports/served-agent.ts";
import {
  completed,
  createCountingRandom,
  createFakeAgentSession,
  fakeTool,
  type FakeAgentSession,
  untilAborted,
} from "../../kit/fake-agent-session.ts";
import { FakeClock } from "../../kit/fake-clock.ts";

const NEVER = new AbortController().signal;

function serve(session: AgentSession): ServedAgent {
  return createServedAgent({
    session,
    submitTool: session.submit && DEFAULT_SUBMIT_TOOL,
    clock: new FakeClock(),
    random: createCountingRandom(),
  });
}

function callOf(toolName: string, more: Partial<ServedCall> = {}): ServedCall {
  return { toolName, args: {}, caller: "a", signal: NEVER, asking: { kind: "none" }, ...more };
}

function said(answer: ServedAnswer): unknown {
  assert.equal(answer.kind, "answer");
  return answer.kind === "answer" && answer.answer.content[0]?.["text"];
}

test("R2 a call reaches the tool of its name with its arguments", async () => {
  const session = createFakeAgentSession({ echo: ({ text }) => completed(String(text)) });

  const answer = await serve(session).call(callOf("echo", { args: { text: "hi" } }));

  assert.equal(said(answer), "hi");
  assert.deepEqual(
    session.invoked.map(({ toolName, args }) => [toolName, args]),
    [["echo", { text: "hi" }]],
  );
});

test("R2 a name that the session does not list reaches nothing", async () => {
  const session = createFakeAgentSession({ hidden: () => completed("x") }, { listed: [fakeTool("echo")] });

  for (const name of ["hidden", "Echo", "__proto__", ""]) {
    assert.match(String(said(await serve(session).call(callOf(name)))), /"unknown-tool"/);
  }
  assert.deepEqual(session.invoked, []);
});

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let at = 0; at < depth; at += 1) value = [value];
  return value;
}

test("R2 arguments and _meta over the bounds reach no tool, and those just within them do", async () => {
  const session = createFakeAgentSession({ echo: () => completed("x") });
  const agent = serve(session);
  // The two together stand in a list, and each is an object: two levels of the depth.
  const { depth } = CALL_LIMITS;

  for (const more of [{ args: { a: nested(depth - 1) } }, { meta: { a: nested(depth - 1) } }]) {
    const answer = await agent.call(callOf("echo", more));
    assert.match(String(said(answer)), /"invalid-arguments".*too deep/);
  }
  const long = "x".repeat(CALL_LIMITS.text);
  assert.match(String(said(await agent.call(callOf("echo", { args: { long } })))), /"invalid-arguments"/);
  assert.deepEqual(session.invoked, []);

  for (const more of [{ args: { a: nested(depth - 2) } }, { meta: { a: nested(depth - 2) } }]) {
    assert.equal(said(await agent.call(callOf("echo", more))), "x");
  }
});

test("R2 a tool that throws says nothing of why", async () => {
  const session = createFakeAgentSession({
    bad: () => {
      throw new Error("password=hunter2");
    },
    worse: () => Promise.reject(new Error("password=hunter2")),
  });

  for (const name of ["bad", "worse"]) {
    const answer = await serve(session).call(callOf(name));
    assert.equal(said(answer), '{"status":"failed","message":"The tool failed."}');
  }
});

test("R1 tools that cannot be served fail the list and the call, and nothing runs", async () => {
  const session = createFakeAgentSession({ echo: () => completed("x") });
  const agent = serve(session);
  assert.ok((await agent.listTools({ signal: NEVER })).ok);
  session.change([fakeTool("echo"), fakeTool("echo")]);

  assert.deepEqual(await agent.listTools({ signal: NEVER }), {
    ok: false,
    refusal: { kind: "served-catalog", reason: "duplicate-tool" },
  });
  assert.match(String(said(await agent.call(callOf("echo")))), /same name/);
  assert.deepEqual(session.invoked, []);
});

test("R1 a session that cannot say its tools fails the list, and its words stay with it", async () => {
  const session: AgentSession = {
    tools: () => Promise.reject(new Error("password=hunter2")),
    invoke: () => Promise.resolve(completed("x")),
  };

  assert.deepEqual(await serve(session).listTools({ signal: NEVER }), {
    ok: false,
    refusal: { kind: "served-catalog", reason: "tools-unreadable" },
  });
  assert.doesNotMatch(String(said(await serve(session).call(callOf("echo")))), /hunter2/);
});

test("R2 a submitted prompt is a turn, and its response the answer", async () => {
  const prompts: string[] = [];
  const session = createFakeAgentSession(
    {},
    {
      submit: (prompt) => {
        prompts.push(prompt);
        return Promise.resolve(completed("done"));
      },
    },
  );

  assert.equal(said(await serve(session).call(callOf("agent_submit", { args: { prompt: "go" } }))), "done");
  assert.match(String(said(await serve(session).call(callOf("agent_submit")))), /"invalid-arguments"/);
  assert.deepEqual(prompts, ["go"]);
});

test("R2 a busy session is told to the second caller, and the first one's turn goes on, whoever leaves", async () => {
  const turns: AbortSignal[] = [];
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
  const session = createFakeAgentSession(
    {},
    {
      submit: async (_prompt, { signal }) => {
        if (turns.push(signal) > 1) return { status: "busy" };
        await isDone;
        return completed("first");
      },
    },
  );
  const agent = serve(session);
  const args = { prompt: "go" };
  const first = agent.call(callOf("agent_submit", { args }));
  const leaving = new AbortController();

  const second = await agent.call(callOf("agent_submit", { args, caller: "b", signal: leaving.signal }));
  leaving.abort();
  finish();

  assert.match(String(said(second)), /"busy"/);
  assert.equal(said(await first), "first");
  assert.equal(turns[0]?.aborted, false);
});

test("R2 without a turn to submit there is no tool for it", async () => {
  const answer = await serve(createFakeAgentSession({})).call(
    callOf("agent_submit", { args: { prompt: "go" } }),
  );

  assert.match(String(said(answer)), /"unknown-tool"/);
});

test("R2 a cancelled call ends its own invocation and no other", async () => {
  const ended: string[] = [];
  const session = createFakeAgentSession({
    wait: async ({ name }, { signal }) => {
      await untilAborted(signal);
      ended.push(String(name));
      return { status: "cancelled" };
    },
  });
  const agent = serve(session);
  const [one, two] = [new AbortController(), new AbortController()];
  const first = agent.call(callOf("wait", { args: { name: "one" }, signal: one.signal }));
  const second = agent.call(callOf("wait", { args: { name: "two" }, signal: two.signal }));
  await new Promise(setImmediate);

  one.abort(new Error("hunter2"));
  assert.match(String(said(await first)), /"cancelled"/);
  await new Promise(setImmediate);

  assert.deepEqual(ended, ["one"]);
  assert.doesNotMatch(String(session.invoked[0]?.options.signal.reason), /hunter2/);
  two.abort();
  await second;
});

test("R2 a call that was cancelled before it began reaches nothing", async () => {
  const session = createFakeAgentSession({ echo: () => completed("x") });

  const answer = await serve(session).call(callOf("echo", { signal: AbortSignal.abort() }));

  assert.match(String(said(answer)), /"cancelled"/);
  assert.deepEqual(session.invoked, []);
});

test("R2 an invocation that ended is not aborted by its ending", async () => {
  const session = createFakeAgentSession({ echo: () => completed("x") });

  await serve(session).call(callOf("echo"));
  await new Promise(setImmediate);

  assert.equal(session.invoked[0]?.options.signal.aborted, false);
});

test("R2 reserved keys of the caller's _meta and its progress token never reach the session", async () => {
  const session = createFakeAgentSession({ echo: () => completed("x") });
  const meta = {
    "io.modelcontextprotocol/clientInfo": { name: "evil" },
    progressToken: 1,
    traceparent: "00-a",
  };

  await serve(session).call(callOf("echo", { meta }));
  await serve(session).call(callOf("echo", { meta: { progressToken: 1 } }));

  assert.deepEqual(
    session.invoked.map(({ options }) => options.meta),
    [{ traceparent: "00-a" }, undefined],
  );
});

test("R2 progress is passed on while the call runs, and dropped after it", async () => {
  const seen: number[] = [];
  const session = createFakeAgentSession({
    steps: (_args, { onProgress }) => {
      onProgress?.({ progress: 1 });
      return completed("x");
    },
  });
  await serve(session).call(callOf("steps", { onProgress: ({ progress }) => seen.push(progress) }));

  session.invoked[0]?.options.onProgress?.({ progress: 2 });

  assert.deepEqual(seen, [1]);
});

test("R1 closing ends every invocation, answers whoever waits, and takes no more", async () => {
  const session = createFakeAgentSession({ deaf: () => new Promise(() => undefined) });
  const agent = serve(session);
  const call = agent.call(callOf("deaf"));
  await new Promise(setImmediate);

  agent.close();
  agent.close();

  assert.match(String(said(await call)), /"cancelled"/);
  assert.equal(session.invoked[0]?.options.signal.aborted, true);
  assert.match(String(said(await agent.call(callOf("deaf")))), /"cancelled"/);
  assert.equal(session.invoked.length, 1);
});

interface Deaf {
  readonly agent: ServedAgent;
  readonly session: FakeAgentSession;
  /** Lets one invocation after the other end. */
  readonly finish: () => void;
}

/** A session that goes on whatever its signal says. */
function deaf(invocationsLimit?: number): Deaf {
  const ends: (() => void)[] = [];
  const session = createFakeAgentSession({
    deaf: async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return completed("done");
    },
  });
  const agent = createServedAgent({
    session,
    clock: new FakeClock(),
    random: createCountingRandom(),
    invocationsLimit,
  });
  return { agent, session, finish: () => ends.shift()?.() };
}

for (const [what, given, limit] of [
  ["64", undefined, 64],
  ["as many as are set", 2, 2],
] as const) {
  test(`R8 ${what} invocations run at once, whoever left theirs, and one more is told that the session is busy`, async () => {
    const { agent, session, finish } = deaf(given);
    for (let at = 0; at < limit; at += 1) {
      const leaving = new AbortController();
      const left = agent.call(callOf("deaf", { signal: leaving.signal }));
      await new Promise(setImmediate);
      leaving.abort();
      assert.match(String(said(await left)), /"cancelled"/);
    }

    const refused = agent.call(callOf("deaf"));
    await new Promise(setImmediate);
    assert.equal(session.invoked.length, limit);
    const busy = await refused;
    assert.match(String(said(busy)), /"busy"/);
    assert.equal(busy.kind === "answer" && busy.answer.isError, true);

    finish();
    await new Promise(setImmediate);
    const next = agent.call(callOf("deaf"));
    await new Promise(setImmediate);
    assert.equal(session.invoked.length, limit + 1);
    for (let at = 0; at < limit; at += 1) finish();
    assert.equal(said(await next), "done");
  });
}
