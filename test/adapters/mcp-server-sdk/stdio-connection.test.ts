import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test, type TestContext } from "node:test";

import { openStdioServing } from "../../../src/adapters/mcp-server-sdk/stdio-serving.ts";
import type { StdioServeLimits } from "../../../src/adapters/mcp-server-sdk/stdio-limits.ts";
import { createNodeBytePipe } from "../../../src/adapters/node-streams/byte-pipe.ts";
import { createServedAgent } from "../../../src/composition/flows/serve.ts";
import type { AgentSession } from "../../../src/ports/agent-session.ts";
import { completed, createCountingRandom, createFakeAgentSession } from "../../kit/fake-agent-session.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { IDENTITY } from "../../kit/served-clients.ts";

const echo = createFakeAgentSession({ echo: ({ text }) => completed(String(text)) });

function opened(
  t: TestContext,
  {
    session = echo,
    limits = {},
    stdout = new PassThrough(),
  }: {
    readonly session?: AgentSession;
    readonly limits?: Partial<StdioServeLimits>;
    readonly stdout?: Writable;
  } = {},
) {
  const stdin = new PassThrough({ highWaterMark: 1_024 });
  const agent = createServedAgent({ session, clock: new FakeClock(), random: createCountingRandom() });
  const connection = openStdioServing({
    pipe: createNodeBytePipe({ stdin, stdout }),
    identity: IDENTITY,
    askClient: false,
    limits,
  });
  t.after(async () => {
    agent.close();
    await connection.stop();
  });
  let text = "";
  if (stdout instanceof PassThrough) {
    stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
  }
  const frames = (): readonly { readonly [key: string]: unknown }[] =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  return { stdin, stdout, connection, agent, frames };
}

function call(id: number | string, text = "hi", name = "echo"): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: { text } } })}\n`;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}

test("R3 frames that come before the session is ready wait, and are answered in their order", async (t) => {
  const { stdin, connection, agent, frames } = opened(t);
  stdin.write(call(1));
  stdin.write(call(2));
  await new Promise(setImmediate);
  assert.deepEqual(frames(), []);

  connection.serve(agent);
  await until(() => frames().length === 2);

  assert.deepEqual(
    frames().map(({ id }) => id),
    [1, 2],
  );
});

test("R3 early frames that came in pieces are kept whole", async (t) => {
  const { stdin, connection, agent, frames } = opened(t);
  for (const id of [1, 2, 3]) {
    const frame = call(id, `text ${id}`);
    stdin.write(frame.slice(0, 40));
    await new Promise(setImmediate);
    stdin.write(frame.slice(40));
    await new Promise(setImmediate);
  }

  connection.serve(agent);
  await until(() => frames().length === 3);

  assert.deepEqual(
    frames().map(({ id, result }) => [id, JSON.stringify(result).includes(`text ${String(id)}`)]),
    [
      [1, true],
      [2, true],
      [3, true],
    ],
  );
});

test("R3 more than a pipe's worth before the session is ready stays in the pipe", async (t) => {
  const { stdin, connection, agent, frames } = opened(t, { limits: { earlyBytes: 4_096 } });
  const sent = 100;
  for (let id = 0; id < sent; id += 1) stdin.write(call(id, "x".repeat(200)));
  for (let at = 0; at < 50; at += 1) await new Promise(setImmediate);
  assert.ok(stdin.readableLength + stdin.writableLength > 20_000, "it was read");

  connection.serve(agent);
  await until(() => frames().length === sent);

  assert.deepEqual(
    frames().map(({ id }) => id),
    Array.from({ length: sent }, (_, id) => id),
  );
});

test("R3 an input that ends before the session is ready is seen", async (t) => {
  const { stdin, connection } = opened(t);
  stdin.end(call(1));

  assert.equal(await connection.closed, "input-ended");
});

test("R3 an input that ends ends the connection", async (t) => {
  const { stdin, connection, agent } = opened(t);
  connection.serve(agent);
  stdin.end();

  assert.equal(await connection.closed, "input-ended");
});

test("R3 a frame of the limit is read, and a longer one ends the connection", async (t) => {
  const frame = call(1);
  const { stdin, connection, agent, frames } = opened(t, { limits: { frameBytes: frame.length - 1 } });
  connection.serve(agent);
  stdin.write(frame);
  await until(() => frames().length === 1);

  stdin.write("x".repeat(frame.length));

  assert.equal(await connection.closed, "frame-limit");
  assert.equal(frames().length, 1);
});

for (const why of ["fails", "is closed by the other side"] as const) {
  test(`R3 an output that ${why} ends the connection, with nobody writing`, async (t) => {
    const { stdout, connection } = opened(t);
    stdout.destroy(why === "fails" ? new Error("EPIPE") : undefined);

    assert.equal(await connection.closed, "output-failed");
  });
}

test("R3 an output that fails at a write ends the connection, and the process lives", async (t) => {
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
  const { stdin, connection, agent } = opened(t, { stdout });
  connection.serve(agent);
  stdin.write(call(1));

  assert.equal(await connection.closed, "output-failed");
});

const IGNORED = [
  "",
  "not json",
  "[]",
  `[${call(9).trim()}]`,
  "null",
  '{"jsonrpc":"1.0","id":9,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":9,"method":7}',
  '{"jsonrpc":"2.0","id":9,"method":"tools/list","params":[]}',
  '{"jsonrpc":"2.0","result":{}}',
  '{"jsonrpc":"2.0","id":"nobody-asked","result":{}}',
];

test("R3 what is no message is not answered, and what follows it is", async (t) => {
  const { stdin, connection, agent, frames } = opened(t);
  connection.serve(agent);
  for (const line of IGNORED) stdin.write(`${line}\n`);
  stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
  stdin.write(call(1));
  await until(() => frames().length > 0);
  await new Promise(setImmediate);

  assert.deepEqual(
    frames().map(({ id }) => id),
    [1],
  );
});

function broken(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":{}}}}\n`;
}

test("R3 a request that the SDK would leave unanswered is answered, and keeps no place", async (t) => {
  const session = createFakeAgentSession({ echo: () => completed("hi") });
  const { stdin, connection, agent, frames } = opened(t, { session });
  connection.serve(agent);

  for (let id = 0; id < 300; id += 1) stdin.write(broken(id));
  stdin.write(call(300));
  await until(() => frames().length === 301);

  assert.deepEqual(frames()[0], {
    jsonrpc: "2.0",
    id: 0,
    error: { code: -32_600, message: "Invalid request" },
  });
  assert.ok("result" in (frames()[300] ?? {}));
  assert.equal(session.invoked.length, 1);
});

test("R3b a request whose id is still in use is dropped, and the id is good again after the answer", async (t) => {
  const { promise: isGoing, resolve: go } = Promise.withResolvers<void>();
  const session = createFakeAgentSession({
    echo: async ({ text }) => {
      if (text === "slow") await isGoing;
      return completed(String(text));
    },
  });
  const { stdin, connection, agent, frames } = opened(t, { session });
  connection.serve(agent);
  stdin.write(call(1, "slow") + call(1, "again") + call("1", "text"));
  await until(() => frames().length === 1);
  assert.equal(session.invoked.length, 2);

  go();
  await until(() => frames().length === 2);
  stdin.write(call(1, "later"));
  await until(() => frames().length === 3);

  assert.deepEqual(
    frames().map(({ id }) => id),
    ["1", 1, 1],
  );
});

test("R3 requests over the bound are answered as too many, and nothing is invoked for them", async (t) => {
  const session = createFakeAgentSession({ echo: () => new Promise(() => undefined) });
  const { stdin, connection, agent, frames } = opened(t, { session, limits: { requests: 3 } });
  connection.serve(agent);
  stdin.write(call(1) + call(2) + call(3) + call(4));
  await until(() => frames().length === 1);

  assert.deepEqual(frames()[0], {
    jsonrpc: "2.0",
    id: 4,
    error: { code: -32_000, message: "Too many requests are waiting for their answers" },
  });
  assert.equal(session.invoked.length, 3);
  stdin.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n');
  stdin.write(call(5));
  await until(() => session.invoked.length === 4);
});

test("R3 from a client that does not read nothing more is read, and no progress is kept for it", async (t) => {
  const released: (() => void)[] = [];
  let written = "";
  const stdout = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      written += chunk.toString("utf8");
      released.push(done);
    },
  });
  const session = createFakeAgentSession({
    echo: (_args, { onProgress }) => {
      for (let progress = 0; progress < 100; progress += 1) onProgress?.({ progress });
      return completed("x".repeat(1_000));
    },
  });
  const { stdin, connection, agent } = opened(t, { session, stdout, limits: { waitingBytes: 2_000 } });
  connection.serve(agent);
  const params = { name: "echo", _meta: { progressToken: "p" } };
  for (let id = 0; id < 200; id += 1) {
    stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params, pad: "x".repeat(500) })}\n`,
    );
  }
  for (let at = 0; at < 100; at += 1) await new Promise(setImmediate);
  assert.ok(session.invoked.length < 100, `${session.invoked.length} calls were read`);

  const count = (word: string): number => written.split(word).length - 1;
  while (count('"result"') < 200) {
    released.shift()?.();
    await new Promise(setImmediate);
  }
  assert.ok(count("notifications/progress") < 200 * 100, "all progress was kept");
  assert.ok(count("notifications/progress") > 0, "no progress was told");
});

const LISTEN = `${JSON.stringify({
  jsonrpc: "2.0",
  id: "sub",
  method: "subscriptions/listen",
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
})}\n`;

test("R3 a stop waits for no client that does not read", async (t) => {
  let writes = 0;
  const stdout = new Writable({
    write: () => {
      writes += 1;
    },
  });
  const { stdin, connection, agent } = opened(t, { stdout });
  connection.serve(agent);
  stdin.write(LISTEN);
  await until(() => writes === 1);

  await connection.stop();

  assert.equal(await connection.closed, "stopped");
});

test("R3 a stop tells each subscription that it is over", async (t) => {
  const { stdin, connection, agent, frames } = opened(t);
  connection.serve(agent);
  stdin.write(LISTEN);
  stdin.write(LISTEN.replace('"sub"', '"other"'));
  await until(() => frames().length === 2);

  await connection.stop();
  await until(() => frames().length === 4);

  assert.deepEqual(
    frames()
      .slice(2)
      .map(({ id }) => id),
    ["sub", "other"],
  );
});

test("R3 a connection that is stopped leaves its streams open for the next one", async (t) => {
  const { stdin, stdout, connection, agent, frames } = opened(t);
  connection.serve(agent);
  await connection.stop();
  await connection.stop();
  assert.equal(await connection.closed, "stopped");
  assert.deepEqual([stdin.destroyed, stdout.destroyed, stdin.listenerCount("readable")], [false, false, 0]);

  stdin.write(call(1));
  const pipe = createNodeBytePipe({ stdin, stdout });
  const next = openStdioServing({ pipe, identity: IDENTITY, askClient: false });
  t.after(() => next.stop());
  next.serve(agent);
  await until(() => frames().length === 1);

  assert.equal(frames()[0]?.["id"], 1);
});

test("R3 what is served after the connection is over is not served", async (t) => {
  const { stdin, connection, agent, frames } = opened(t);
  stdin.write(call(1));
  await connection.stop();

  connection.serve(agent);
  await new Promise(setImmediate);

  assert.deepEqual(frames(), []);
  assert.equal(connection.server(), undefined);
});
