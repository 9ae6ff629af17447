import assert from "node:assert/strict";
import { test } from "node:test";

import { SdkError } from "@modelcontextprotocol/client";

import type { AgentTool } from "../../../src/ports/agent-session.ts";
import { completed, createFakeAgentSession, fakeTool, untilAborted } from "../../kit/fake-agent-session.ts";
import { clientOf, connectOverHttp, ERAS, handlerOf } from "../../kit/served-clients.ts";

const TOOLS: readonly AgentTool[] = [
  {
    name: "files.read/all",
    title: "Read",
    description: "Reads <everything>",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { path: { type: "string", "x-note": "kept" } },
      $defs: { a: { type: "null" } },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  fakeTool("plain"),
];

for (const era of ERAS) {
  test(`R2 ${era} over HTTP lists the session's tools as they are, and the submission tool`, async (t) => {
    const session = createFakeAgentSession(
      {},
      { listed: TOOLS, submit: () => Promise.resolve(completed("x")) },
    );
    const client = await connectOverHttp(t, handlerOf(t, session), { era });

    const { tools } = await client.listTools();

    assert.deepEqual(tools.slice(0, 2), TOOLS);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["files.read/all", "plain", "agent_submit"],
    );
    assert.deepEqual(client.getServerVersion(), { name: "served", version: "1.2.3" });
  });

  test(`R2 ${era} over HTTP has tools and neither prompts nor resources`, async (t) => {
    const client = await connectOverHttp(t, handlerOf(t, createFakeAgentSession({})), { era });

    const { tools, ...others } = client.getServerCapabilities() ?? {};
    assert.deepEqual([Boolean(tools), others], [true, {}]);
    for (const method of ["prompts/list", "resources/list", "resources/templates/list"] as const) {
      await assert.rejects(client.request({ method }), /Method not found/);
    }
  });

  test(`R2 ${era} over HTTP calls a tool and gets its content`, async (t) => {
    const session = createFakeAgentSession({ echo: ({ text }) => completed(String(text)) });
    const client = await connectOverHttp(t, handlerOf(t, session), { era });

    const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });

    assert.deepEqual(result.content, [{ type: "text", text: "hi" }]);
    assert.equal(result.isError, undefined);
  });

  test(`R2 ${era} over HTTP gives a value as structured content and as an envelope`, async (t) => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } } } as const;
    const session = createFakeAgentSession(
      { count: () => ({ status: "completed", structured: { value: { n: 1 } } }) },
      { listed: [fakeTool("count", { outputSchema })] },
    );
    const client = await connectOverHttp(t, handlerOf(t, session), { era });
    await client.listTools();

    const result = await client.callTool({ name: "count" });

    assert.deepEqual(result.structuredContent, { n: 1 });
    assert.deepEqual(result.content, [{ type: "text", text: '{"status":"completed","value":{"n":1}}' }]);
  });

  for (const value of [[1, 2], "text", null, 7]) {
    test(`R2 ${era} over HTTP gives ${JSON.stringify(value)} in the way of its revision`, async (t) => {
      const session = createFakeAgentSession({ any: () => ({ status: "completed", structured: { value } }) });
      const client = await connectOverHttp(t, handlerOf(t, session), { era });

      const { structuredContent } = await client.callTool({ name: "any" });

      assert.deepEqual(structuredContent, era === "2026-07-28" ? value : { result: value });
    });
  }

  test(`R2 ${era} over HTTP makes every failure a visible tool error`, async (t) => {
    const session = createFakeAgentSession({
      denied: () => ({ status: "denied" }),
      busy: () => ({ status: "busy", message: "At noon." }),
      thrown: () => Promise.reject(new Error("password=hunter2")),
      strange: () => ({ status: "completed", content: [{ type: "secret", text: "hunter2" }] }),
      broken: () => ({
        status: "completed",
        content: [{ type: "image", data: "hunter2!", mimeType: "a/b" }],
      }),
    });
    const client = await connectOverHttp(t, handlerOf(t, session), { era });

    for (const name of ["denied", "busy", "thrown", "strange", "broken", "nowhere"]) {
      const result = await client.callTool({ name });
      assert.equal(result.isError, true, name);
      assert.doesNotMatch(JSON.stringify(result), /hunter2/, name);
    }
  });

  test(`R1 ${era} over HTTP tells a client that the tools cannot be served, and calls nothing`, async (t) => {
    const session = createFakeAgentSession({ a: () => completed("x") });
    const handler = handlerOf(t, session);
    await handler.checkTools();
    const client = await connectOverHttp(t, handler, { era });
    session.change([fakeTool("a"), fakeTool("a")]);

    await assert.rejects(client.listTools(), { code: -32_603, message: /same name/ });
    const result = await client.callTool({ name: "a" });

    assert.equal(result.isError, true);
    assert.deepEqual(session.invoked, []);
  });

  test(`R2 ${era} over HTTP reads the tools again for each list and call`, async (t) => {
    const session = createFakeAgentSession({ late: () => completed("x") }, { listed: [] });
    const client = await connectOverHttp(t, handlerOf(t, session), { era });
    assert.equal((await client.callTool({ name: "late" })).isError, true);

    session.change([fakeTool("late")]);

    assert.deepEqual((await client.callTool({ name: "late" })).content, [{ type: "text", text: "x" }]);
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ["late"],
    );
  });

  test(`R2 ${era} over HTTP passes progress on to the token of the call`, async (t) => {
    const session = createFakeAgentSession({
      steps: (_args, { onProgress }) => {
        for (const progress of [0, 50, 100])
          onProgress?.({ progress, total: 100, message: `at ${progress}` });
        return completed("done");
      },
    });
    const client = await connectOverHttp(t, handlerOf(t, session), { era });
    const seen: unknown[] = [];

    await client.callTool({ name: "steps" }, { onprogress: (progress) => seen.push(progress) });
    await client.callTool({ name: "steps" });

    assert.deepEqual(
      seen,
      [0, 50, 100].map((progress) => ({ progress, total: 100, message: `at ${progress}` })),
    );
  });

  test(`R2 ${era} over HTTP a caller's reserved _meta never reaches the session`, async (t) => {
    const session = createFakeAgentSession({ echo: () => completed("x") });
    const client = await connectOverHttp(t, handlerOf(t, session), { era });

    await client.callTool(
      {
        name: "echo",
        _meta: { "io.modelcontextprotocol/related-task": { taskId: "1" }, "com.example/a": 1 },
      },
      { onprogress: () => undefined },
    );

    assert.deepEqual(session.invoked[0]?.options.meta, { "com.example/a": 1 });
  });

  test(`R3b ${era} over HTTP two clients with equal ids at once each get their own answer`, async (t) => {
    const waiting: (() => void)[] = [];
    const session = createFakeAgentSession({
      echo: async ({ text }) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return completed(String(text));
      },
    });
    const handler = handlerOf(t, session);
    const clients = await Promise.all(
      ["a", "b"].map(() => connectOverHttp(t, handler, { era, caller: "same" })),
    );
    const calls = clients.map((client, at) =>
      client.callTool({ name: "echo", arguments: { text: `${at}` } }),
    );
    while (waiting.length < 2) await new Promise(setImmediate);

    for (const go of waiting.toReversed()) go();

    const texts = (await Promise.all(calls)).map(({ content }) => content);
    assert.deepEqual(texts, [[{ type: "text", text: "0" }], [{ type: "text", text: "1" }]]);
  });
}

test("R2 a 2026-07-28 client that cancels ends its own invocation and no other", async (t) => {
  const ended: unknown[] = [];
  const session = createFakeAgentSession({
    wait: async ({ who }, { signal }) => {
      await untilAborted(signal);
      ended.push(who);
      return { status: "cancelled" };
    },
  });
  const handler = handlerOf(t, session);
  const [one, two] = await Promise.all([
    connectOverHttp(t, handler, { era: "2026-07-28" }),
    connectOverHttp(t, handler, { era: "2026-07-28" }),
  ]);
  const cancel = new AbortController();
  const first = one.callTool({ name: "wait", arguments: { who: 1 } }, { signal: cancel.signal });
  void two.callTool({ name: "wait", arguments: { who: 2 } }).catch(() => undefined);
  while (session.invoked.length < 2) await new Promise(setImmediate);

  cancel.abort("hunter2");
  await assert.rejects(first, SdkError);
  while (ended.length === 0) await new Promise(setImmediate);

  assert.deepEqual(ended, [1]);
  assert.equal(session.invoked[1]?.options.signal.aborted, false);
});

test("R3 a 2026-07-28 subscriber hears that the tools changed, once for many changes at a time", async (t) => {
  const session = createFakeAgentSession({ a: () => completed("x") });
  const heard: string[] = [];
  const client = clientOf("2026-07-28", {
    listChanged: {
      tools: {
        debounceMs: 0,
        onChanged: (_error, tools) => heard.push((tools ?? []).map(({ name }) => name).join()),
      },
    },
  });
  await connectOverHttp(t, handlerOf(t, session), { era: "2026-07-28", client });
  assert.equal(client.getServerCapabilities()?.tools?.listChanged, true);

  session.change([fakeTool("b")]);
  session.change([fakeTool("b"), fakeTool("c")]);
  while (heard.length === 0) await new Promise(setImmediate);
  await new Promise(setImmediate);

  assert.deepEqual(heard, ["b,c"]);
});

test("R3 an earlier client over HTTP is promised no changes, as it could not hear of them", async (t) => {
  const client = await connectOverHttp(t, handlerOf(t, createFakeAgentSession({})), { era: "2025-11-25" });

  assert.deepEqual(client.getServerCapabilities()?.tools, {});
});

test("R3 a handler that is closed listens to the session no more", async (t) => {
  const session = createFakeAgentSession({});
  const handler = handlerOf(t, session);
  await connectOverHttp(t, handler, { era: "2026-07-28" });
  assert.equal(session.listeners(), 1);

  await handler.close();
  await handler.close();

  assert.equal(session.listeners(), 0);
});
