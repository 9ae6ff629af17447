import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { Client, ClientOptions } from "@modelcontextprotocol/client";

import { createMcpTransport } from "../../../src/composition/serve/stdio.ts";
import type { ServeAgentOptions } from "../../../src/composition/serve-agent.ts";
import type { AgentPrompt, AgentSession } from "../../../src/ports/agent-session.ts";
import { completed, createFakeAgentSession, fakeTool, untilAborted } from "../../kit/fake-agent-session.ts";
import { clientOf, createWires, type Era, ERAS, IDENTITY, LineTransport } from "../../kit/served-clients.ts";

const NEVER = new AbortController().signal;

/** A session served over two streams, and the official client at their other end. */
async function connect(
  t: TestContext,
  session: AgentSession,
  {
    era,
    client = clientOf(era),
    options = {},
  }: {
    readonly era: Era;
    readonly client?: Client;
    readonly options?: Partial<ServeAgentOptions>;
  },
) {
  const wires = createWires();
  const transport = createMcpTransport({ ...IDENTITY, ...options, ...wires });
  t.after(() => transport.stop());
  transport.attach(session);
  await transport.start();
  const lines = new LineTransport(wires);
  await client.connect(lines);
  t.after(() => client.close());
  return { client, transport, lines };
}

for (const era of ERAS) {
  test(`R3 ${era} over stdio lists and calls, and only frames are written`, async (t) => {
    const session = createFakeAgentSession(
      { echo: ({ text }) => completed(String(text)) },
      { submit: (prompt) => Promise.resolve(completed(`turn ${prompt}`)) },
    );
    const { client, transport, lines } = await connect(t, session, { era });

    const { tools } = await client.listTools();
    const echoed = await client.callTool({ name: "echo", arguments: { text: "a\nb" } });
    const turn = await client.callTool({ name: "agent_submit", arguments: { prompt: "go" } });

    assert.deepEqual(
      tools.map(({ name }) => name),
      ["echo", "agent_submit"],
    );
    assert.deepEqual(echoed.content, [{ type: "text", text: "a\nb" }]);
    assert.deepEqual(turn.content, [{ type: "text", text: "turn go" }]);
    assert.deepEqual(lines.junk, []);
    assert.equal(transport.getServer()?.getNegotiatedProtocolVersion(), era);
  });

  test(`R2 ${era} over stdio a cancelled call ends its own invocation and no other`, async (t) => {
    const ended: unknown[] = [];
    const session = createFakeAgentSession({
      wait: async ({ who }, { signal }) => {
        await untilAborted(signal);
        ended.push(who);
        return { status: "cancelled" };
      },
    });
    const { client } = await connect(t, session, { era });
    const cancel = new AbortController();
    const first = client.callTool({ name: "wait", arguments: { who: 1 } }, { signal: cancel.signal });
    void client.callTool({ name: "wait", arguments: { who: 2 } }).catch(() => undefined);
    while (session.invoked.length < 2) await new Promise(setImmediate);

    cancel.abort();
    await assert.rejects(first);
    while (ended.length === 0) await new Promise(setImmediate);

    assert.deepEqual(ended, [1]);
    assert.equal(session.invoked[1]?.options.signal.aborted, false);
  });

  test(`R2 ${era} over stdio passes progress on before the answer`, async (t) => {
    const session = createFakeAgentSession({
      steps: (_args, { onProgress }) => {
        onProgress?.({ progress: 1, total: 2 });
        onProgress?.({ progress: Number.NaN });
        onProgress?.({ progress: 2, total: 2 });
        return completed("x");
      },
    });
    const { client } = await connect(t, session, { era });
    const seen: unknown[] = [];

    await client.callTool({ name: "steps" }, { onprogress: ({ progress }) => seen.push(progress) });

    assert.deepEqual(seen, [1, 2]);
  });

  test(`R3 ${era} over stdio hears that the tools changed`, async (t) => {
    const session = createFakeAgentSession({ a: () => completed("x") });
    const heard: string[] = [];
    const client = clientOf(era, {
      listChanged: {
        tools: {
          debounceMs: 0,
          onChanged: (_error, tools) => heard.push((tools ?? []).map(({ name }) => name).join()),
        },
      },
    });
    const { transport } = await connect(t, session, { era, client });

    session.change([fakeTool("b")]);
    while (heard.length === 0) await new Promise(setImmediate);
    assert.deepEqual(heard, ["b"]);

    await transport.stop();
    assert.equal(session.listeners(), 0);
  });

  test(`R10 ${era} over stdio asks the client that declared forms`, async (t) => {
    const forms: string[] = [];
    const client = askedClient(era, { capabilities: { elicitation: { form: {} } } }, forms);
    const { client: connected } = await connect(t, guarded(), { era, client, options: { askClient: true } });

    const result = await connected.callTool({ name: "rm" });

    assert.deepEqual(result.content, [{ type: "text", text: "allow-once" }]);
    assert.deepEqual(forms, ['May the tool "rm" run this once?']);
  });

  test(`R10 ${era} over stdio asks nobody who declared no forms, and nobody without askClient`, async (t) => {
    const forms: string[] = [];
    const deaf = await connect(t, guarded(), { era, options: { askClient: true } });
    const able = askedClient(era, { capabilities: { elicitation: { form: {} } } }, forms);
    const unasked = await connect(t, guarded(), { era, client: able });

    for (const { client } of [deaf, unasked]) {
      const result = await client.callTool({ name: "rm" });
      assert.deepEqual(result.content, [{ type: "text", text: "undefined" }]);
    }
    assert.deepEqual(forms, []);
  });
}

function guarded(): AgentSession {
  const prompt: AgentPrompt = { kind: "permission", toolName: "rm", description: "" };
  return createFakeAgentSession({
    rm: async (_args, { ask }) => completed(String((await ask?.(prompt, { signal: NEVER }))?.kind)),
  });
}

function askedClient(era: Era, options: ClientOptions, forms: string[]): Client {
  const client = clientOf(era, options);
  client.setRequestHandler("elicitation/create", ({ params }) => {
    forms.push(params.message);
    return { action: "accept", content: { decision: "allow-once" } };
  });
  return client;
}

test("R10 an earlier client is told that a prompt is over when its call ends, and no reason of ours", async (t) => {
  const withdrawn = new AbortController();
  const session = createFakeAgentSession({
    rm: async (_args, { ask }) => {
      const answer = ask?.(
        { kind: "permission", toolName: "rm", description: "" },
        { signal: withdrawn.signal },
      );
      return completed(String((await answer)?.kind));
    },
  });
  const client = clientOf("2025-11-25", { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", async (_request, { mcpReq }) => {
    withdrawn.abort(new Error("hunter2"));
    await untilAborted(mcpReq.signal);
    return { action: "cancel" };
  });
  const { lines } = await connect(t, session, { era: "2025-11-25", client, options: { askClient: true } });

  const result = await client.callTool({ name: "rm" });

  assert.deepEqual(result.content, [{ type: "text", text: "cancelled" }]);
  const cancelled = lines.received.findLast((message) => "method" in message);
  assert.match(JSON.stringify(cancelled), /"notifications\/cancelled".*"withdrawn"/);
  assert.doesNotMatch(JSON.stringify(lines.received), /hunter2/);
});

test("R3b two transports serve two clients with equal ids at once, each its own", async (t) => {
  const session = createFakeAgentSession({ who: ({ name }) => completed(String(name)) });
  const clients = await Promise.all(["a", "b"].map(() => connect(t, session, { era: "2025-11-25" })));

  const results = await Promise.all(
    clients.map(({ client }, at) => client.callTool({ name: "who", arguments: { name: `${at}` } })),
  );

  assert.deepEqual(
    results.map(({ content }) => content),
    [[{ type: "text", text: "0" }], [{ type: "text", text: "1" }]],
  );
});
