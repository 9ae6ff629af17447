import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createMcpRequestHandler } from "../../../src/composition/serve-agent.ts";
import type { AgentRequestHandler } from "../../../src/composition/serve-agent.ts";
import { completed, createFakeAgentSession, fakeTool, untilAborted } from "../../kit/fake-agent-session.ts";
import type { FakeAgentSession } from "../../kit/fake-agent-session.ts";
import { handlerOf, IDENTITY } from "../../kit/served-clients.ts";

const NEVER = new AbortController().signal;
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo", arguments: {} } };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function served(t: TestContext): {
  readonly session: FakeAgentSession;
  readonly handler: AgentRequestHandler;
} {
  const session = createFakeAgentSession({ echo: () => completed("x") });
  return { session, handler: handlerOf(t, session) };
}

function post(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request("http://served.test/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

function modern(method: string, params: object = {}, name?: string): Request {
  return post(
    { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } },
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    },
  );
}

for (const method of ["GET", "DELETE", "PUT", "HEAD", "OPTIONS"]) {
  test(`R8 ${method} has no stream and no session to speak of`, async (t) => {
    const { handler, session } = served(t);

    const request = new Request("http://served.test/mcp", {
      method,
      headers: { accept: "text/event-stream" },
    });
    const response = await handler.fetch(request, { caller: "a", signal: NEVER });

    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "POST");
    assert.deepEqual(session.invoked, []);
  });
}

const TURNED_AWAY: readonly (readonly [
  what: string,
  request: () => Request,
  status: number,
  code: number,
])[] = [
  ["a batch", () => post([CALL, CALL]), 400, -32_600],
  ["an empty batch", () => post([]), 400, -32_600],
  ["no JSON", () => post("{"), 400, -32_700],
  ["no body", () => post(""), 400, -32_700],
  ["another content type", () => post(CALL, { "content-type": "text/plain" }), 415, -32_000],
  ["a compressed body", () => post(CALL, { "content-encoding": "gzip" }), 415, -32_000],
  ["a body over the limit", () => post({ ...CALL, pad: "x".repeat(2_000) }), 413, -32_000],
  [
    "a revision that nobody speaks",
    () =>
      post({
        ...CALL,
        params: {
          ...CALL.params,
          _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
        },
      }),
    400,
    -32_022,
  ],
  [
    "a header that names another method than the body",
    () =>
      post(
        { ...CALL, params: { ...CALL.params, _meta: META } },
        { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list", "mcp-name": "echo" },
      ),
    400,
    -32_020,
  ],
];

for (const [what, request, status, code] of TURNED_AWAY) {
  test(`R3b ${what} is turned away, and nothing is called`, async (t) => {
    const session = createFakeAgentSession({ echo: () => completed("x") });
    const handler = createMcpRequestHandler({ ...IDENTITY, session, bodyLimitBytes: 1_500 });
    t.after(() => handler.close());

    const response = await handler.fetch(request(), { caller: "a", signal: NEVER });

    assert.equal(response.status, status);
    assert.equal(JSON.parse(await response.text()).error.code, code);
    assert.deepEqual(session.invoked, []);
  });
}

test("R3b a body of just the limit is read", async (t) => {
  const session = createFakeAgentSession({ echo: () => completed("x") });
  const bodyLimitBytes = JSON.stringify(CALL).length;
  const handler = createMcpRequestHandler({ ...IDENTITY, session, bodyLimitBytes });
  t.after(() => handler.close());

  const response = await handler.fetch(post(CALL), { caller: "a", signal: NEVER });

  assert.equal(response.status, 200);
  await response.text();
  assert.equal(session.invoked.length, 1);
});

test("R8 a call of an earlier revision needs no handshake before it, and there is no session id", async (t) => {
  const { handler } = served(t);

  const response = await handler.fetch(post(CALL), { caller: "a", signal: NEVER });

  assert.equal(response.status, 200);
  assert.equal(response.headers.get("mcp-session-id"), null);
  assert.match(await response.text(), /"text":"x"/);
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

test("R8 two hundred handshakes are each answered like the first, and leave nothing with the session", async (t) => {
  const { handler, session } = served(t);
  const answers = new Set<string>();

  for (let at = 0; at < 200; at += 1) {
    const response = await handler.fetch(post(INITIALIZE), { caller: "a", signal: NEVER });
    answers.add(`${response.status} ${response.headers.get("mcp-session-id")} ${await response.text()}`);
  }

  assert.equal(answers.size, 1);
  assert.match([...answers].join(), /^200 null .*"protocolVersion":"2025-11-25"/s);
  assert.equal(session.listeners(), 1);
});

test("R8 the id of a session that never was changes nothing", async (t) => {
  const { handler } = served(t);

  const response = await handler.fetch(post(CALL, { "mcp-session-id": "stolen" }), {
    caller: "a",
    signal: NEVER,
  });

  assert.equal(response.status, 200);
  assert.equal(response.headers.get("mcp-session-id"), null);
  assert.match(await response.text(), /"text":"x"/);
});

test("R8 a parsed body is taken as it is, and the request's own is not read", async (t) => {
  const { handler, session } = served(t);
  const request = post("not json");

  const response = await handler.fetch(request, { caller: "a", signal: NEVER, parsedBody: CALL });

  assert.equal(response.status, 200);
  await response.text();
  assert.equal(request.bodyUsed, false);
  assert.equal(session.invoked.length, 1);
});

test("R8 of progress nothing is kept for a client that does not keep up, and all of it goes to one that does", async (t) => {
  let behind = false;
  const session = createFakeAgentSession({
    steps: (_args, { onProgress }) => {
      for (const progress of [1, 2, 3, 4]) {
        behind = progress === 2 || progress === 3;
        onProgress?.({ progress });
      }
      return completed("done");
    },
  });
  const handler = handlerOf(t, session);
  const params = { name: "steps", _meta: { progressToken: "p" } };

  const response = await handler.fetch(post({ ...CALL, params }), {
    caller: "a",
    signal: NEVER,
    isBehind: () => behind,
  });
  const told = [...(await response.text()).matchAll(/"progress":(\d)/g)].map(([, progress]) => progress);

  assert.deepEqual(told, ["1", "4"]);
});

for (const [what, request] of [
  ["a call of an earlier revision", () => post({ ...CALL, params: { name: "wait" } })],
  ["a call of 2026-07-28", () => modern("tools/call", { name: "wait" }, "wait")],
] as const) {
  test(`R2 ${what} whose client is gone ends its own invocation`, async (t) => {
    const session = createFakeAgentSession({
      wait: async (_args, { signal }) => {
        await untilAborted(signal);
        return { status: "cancelled" };
      },
    });
    const handler = handlerOf(t, session);
    const gone = new AbortController();
    const other = new AbortController();
    const answers = [gone, other].map(({ signal }) =>
      handler.fetch(request(), { caller: "a", signal }).then(
        (response) => response.text(),
        () => "",
      ),
    );
    while (session.invoked.length < 2) await new Promise(setImmediate);

    gone.abort();
    await answers[0];

    const [first, second] = session.invoked;
    assert.deepEqual([first?.options.signal.aborted, second?.options.signal.aborted], [true, false]);
    other.abort();
    await answers[1];
  });

  test(`R3 closing ends ${what} that still runs`, async () => {
    const session = createFakeAgentSession({ wait: () => new Promise(() => undefined) });
    const handler = createMcpRequestHandler({ ...IDENTITY, session });
    const answer = handler.fetch(request(), { caller: "a", signal: NEVER }).then(
      (response) => response.text(),
      () => "",
    );
    while (session.invoked.length < 1) await new Promise(setImmediate);

    await handler.close();

    assert.equal(session.invoked[0]?.options.signal.aborted, true);
    await answer;
  });
}

test("R3 a closed handler serves nothing more", async (t) => {
  const { handler, session } = served(t);
  await handler.close();

  const response = await handler.fetch(post(CALL), { caller: "a", signal: NEVER });

  assert.equal(response.status, 503);
  assert.deepEqual(session.invoked, []);
});

test("R3 eight subscriptions are held at once, and the ninth is refused", async (t) => {
  const { handler } = served(t);
  const listen = (signal: AbortSignal): Promise<Response> =>
    handler.fetch(modern("subscriptions/listen", { notifications: { toolsListChanged: true } }), {
      caller: "a",
      signal,
    });
  const first = new AbortController();
  const held = [await listen(first.signal)];
  for (let at = 1; at < 8; at += 1) held.push(await listen(NEVER));
  assert.ok(held.every(({ headers }) => headers.get("content-type") === "text/event-stream"));

  assert.match(await (await listen(NEVER)).text(), /Subscription limit reached/);
  first.abort();
  const next = await listen(NEVER);

  assert.equal(next.headers.get("content-type"), "text/event-stream");
});

test("R1 tools that cannot be served are told before anything is served", async (t) => {
  const tools = [fakeTool("a"), fakeTool("a")];
  const handler = handlerOf(t, createFakeAgentSession({}, { listed: tools }));

  await assert.rejects(handler.checkTools(), {
    name: "McpServeError",
    code: "catalog",
    refusal: { kind: "served-catalog", reason: "duplicate-tool" },
  });
});

test("R2 a session that takes no turns cannot have its submission tool renamed", () => {
  const session = createFakeAgentSession({});

  assert.throws(
    () => createMcpRequestHandler({ ...IDENTITY, session, submitTool: { name: "ask", description: "" } }),
    { name: "TypeError", code: "session-takes-no-turns" },
  );
});

const submit = () => Promise.resolve(completed("turn"));

function submission(name: string): Request {
  return post({ ...CALL, params: { name, arguments: { prompt: "go" } } });
}

test("R2 the submission tool is renamed or left out", async (t) => {
  for (const [submitTool, present, absent] of [
    [{ name: "ask", description: "Asks" }, "ask", "agent_submit"],
    [undefined, "agent_submit", "ask"],
  ] as const) {
    const session = createFakeAgentSession({}, { submit });
    const handler = handlerOf(t, session, submitTool === undefined ? {} : { submitTool });
    const answered = async (name: string): Promise<string> =>
      (await handler.fetch(submission(name), { caller: "a", signal: NEVER })).text();
    assert.match(await answered(present), /"turn"/);
    assert.match(await answered(absent), /unknown-tool/);
  }
  const without = handlerOf(t, createFakeAgentSession({}, { submit }), { submitTool: false });
  const response = await without.fetch(submission("agent_submit"), { caller: "a", signal: NEVER });
  assert.match(await response.text(), /unknown-tool/);
});
