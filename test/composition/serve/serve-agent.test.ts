import assert from "node:assert/strict";
import { test } from "node:test";

import { InMemoryTransport } from "@modelcontextprotocol/client";

import { createAgentMcpServer, createMcpTransport } from "../../../src/composition/server.ts";
import { completed, createFakeAgentSession, fakeTool, untilAborted } from "../../kit/fake-agent-session.ts";
import { clientOf, connectOverHttp, handlerOf, IDENTITY } from "../../kit/served-clients.ts";

test("R1 a server of one's own transport answers for the session", async (t) => {
  const session = createFakeAgentSession({ echo: ({ text }) => completed(String(text)) });
  const server = await createAgentMcpServer({ ...IDENTITY, session });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = clientOf("2025-11-25");
  t.after(() => client.close());

  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });

  assert.deepEqual(result.content, [{ type: "text", text: "hi" }]);
});

for (const [reason, names] of [
  ["duplicate-tool", ["a", "a"]],
  ["submit-tool-name", ["agent_submit"]],
] as const) {
  test(`R1 no server comes to be for tools with ${reason}`, async () => {
    const session = createFakeAgentSession(
      {},
      { listed: names.map((name) => fakeTool(name)), submit: () => Promise.resolve(completed("x")) },
    );

    await assert.rejects(createAgentMcpServer({ ...IDENTITY, session }), {
      name: "McpServeError",
      code: "catalog",
      refusal: { kind: "served-catalog", reason },
    });
  });
}

test("R2 closing the server ends what runs for it, and listens to the session no more", async () => {
  const session = createFakeAgentSession({
    wait: async (_args, { signal }) => {
      await untilAborted(signal);
      return { status: "cancelled" };
    },
  });
  const server = await createAgentMcpServer({ ...IDENTITY, session });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = clientOf("2025-11-25");
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const call = client.callTool({ name: "wait" }).catch(() => undefined);
  while (session.invoked.length < 1) await new Promise(setImmediate);

  await server.close();
  await call;

  assert.equal(session.invoked[0]?.options.signal.aborted, true);
  assert.equal(session.listeners(), 0);
});

test("R3 a session is served over web streams, which stay open afterwards", async () => {
  const toServer = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  const transport = createMcpTransport({ ...IDENTITY, stdin: toServer.readable, stdout: toClient.writable });
  transport.attach(createFakeAgentSession({}));
  await transport.start();
  const reader = toClient.readable.getReader();
  const writer = toServer.writable.getWriter();

  for (let round = 0; round < 2; round += 1) {
    void writer.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'));
    const { value } = await reader.read();
    assert.equal(new TextDecoder().decode(value), '{"result":{},"jsonrpc":"2.0","id":1}\n');
    await transport.stop();
    assert.equal(await transport.waitForClose(), "stopped");
    transport.attach(createFakeAgentSession({}));
    await transport.start();
  }
  await writer.close();

  assert.equal(await transport.waitForClose(), "input-ended");
});

test("R2 a submission tool without a name is refused before anything is served", async () => {
  const session = createFakeAgentSession({}, { submit: () => Promise.resolve(completed("x")) });

  await assert.rejects(
    createAgentMcpServer({ ...IDENTITY, session, submitTool: { name: "", description: "" } }),
    { name: "TypeError", code: "submit-tool-name-empty" },
  );
});

test("R8 no bound on invocations can be switched off", async () => {
  for (const invocationsLimit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    await assert.rejects(
      createAgentMcpServer({ ...IDENTITY, session: createFakeAgentSession({}), invocationsLimit }),
      { name: "TypeError", code: "limit-invalid" },
    );
  }
});

const deaf = (): Promise<never> => new Promise(() => undefined);

test("R8 a session whose invocations all run is busy to clients of HTTP and of a connection alike", async (t) => {
  const options = { invocationsLimit: 1 };
  const session = createFakeAgentSession({ deaf });
  const server = await createAgentMcpServer({ ...IDENTITY, ...options, session });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const connected = clientOf("2025-11-25");
  t.after(() => connected.close());
  await Promise.all([server.connect(ours), connected.connect(theirs)]);
  const other = createFakeAgentSession({ deaf });
  const overHttp = await connectOverHttp(t, handlerOf(t, other, options), { era: "2026-07-28" });

  for (const [client, { invoked }] of [
    [connected, session],
    [overHttp, other],
  ] as const) {
    client.callTool({ name: "deaf" }).catch(() => undefined); // Ends with its connection.
    while (invoked.length === 0) await new Promise(setImmediate);
    const { isError, content } = await client.callTool({ name: "deaf" });
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /busy/);
    assert.equal(invoked.length, 1);
  }
});
