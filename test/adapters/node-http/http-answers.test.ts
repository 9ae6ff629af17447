import assert from "node:assert/strict";
import { test } from "node:test";

import { openLoopback, StubHandler } from "../../kit/http-hosts.ts";
import { Wire } from "../../kit/wire.ts";

const EVENTS = { headers: { "content-type": "text/event-stream" } };
const event = (text: string): Uint8Array => new TextEncoder().encode(`data: ${text}\n\n`);

/** A stream that the test writes to, and that knows when it was cancelled. */
function stream(): {
  readonly body: ReadableStream<Uint8Array>;
  readonly controller: () => ReadableStreamDefaultController<Uint8Array>;
  readonly cancelled: Promise<void>;
} {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  let held: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      held = controller;
    },
    cancel: () => resolve(),
  });
  return { body, controller: () => held ?? assert.fail(), cancelled };
}

const post = (head: (lines: readonly string[]) => string): string => `${head(["Content-Length: 2"])}{}`;

test("R3b the handler sees the configured URL, the caller and the headers of MCP, and neither token nor anything of proxies", async (t) => {
  const { port, head, handler, token } = await openLoopback(t);
  const wire = await Wire.open(t, port);
  const lines = [
    "Accept: application/json, text/event-stream",
    "Content-Type: application/json",
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: tools/call",
    "Mcp-Param-Region: eu",
    "Cookie: a=b",
    "X-Forwarded-For: 8.8.8.8",
    "Forwarded: for=8.8.8.8",
    "User-Agent: canary",
    "Content-Length: 2",
  ];

  wire.send(`${head(lines).replace("POST /mcp ", "POST /mcp?a=b ")}{}`);
  await wire.answer();

  const [call = assert.fail()] = handler.calls;
  assert.equal(call.request.url, `http://127.0.0.1:${port}/mcp`);
  assert.equal(call.request.method, "POST");
  assert.equal(call.context.caller, "loopback");
  assert.deepEqual(Object.fromEntries(call.request.headers), {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-method": "tools/call",
    "mcp-param-region": "eu",
    "mcp-protocol-version": "2026-07-28",
  });
  assert.doesNotMatch(JSON.stringify([...call.request.headers, call.context.caller]), new RegExp(token));
});

test("R3b a handler's answer goes out as it is, with its length", async (t) => {
  const handler = new StubHandler();
  handler.respond = () =>
    new Response('{"ä":1}', { status: 400, headers: { "content-type": "application/json", "x-own": "1" } });
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);

  wire.send(post(head));
  const answer = await wire.answer();

  assert.equal(answer?.status, 400);
  assert.equal(answer?.body, '{"ä":1}');
  assert.match(answer?.head ?? "", /\r\nx-own: 1\r\n/);
});

test("R3b an answer without a body has the length 0", async (t) => {
  const handler = new StubHandler();
  handler.respond = () => new Response(null, { status: 202 });
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);

  wire.send(post(head));
  const answer = await wire.answer();

  assert.equal(answer?.status, 202);
  assert.match(answer?.head ?? "", /\r\ncontent-length: 0/i);
});

for (const [what, respond] of [
  ["throws", () => Promise.reject(new Error("canary-in-a-fault"))],
  [
    "gives an answer that breaks",
    () => new Response(new ReadableStream({ pull: (c) => c.error(new Error("canary-in-a-fault")) })),
  ],
] as const) {
  test(`R3b a handler that ${what} is a fixed error, and its words stay here`, async (t) => {
    const handler = new StubHandler();
    handler.respond = respond;
    const { port, head } = await openLoopback(t, { handler });
    const wire = await Wire.open(t, port);

    wire.send(post(head));
    const answer = await wire.answer();

    assert.equal(answer?.status, 500);
    assert.equal(
      answer?.body,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}',
    );
  });
}

test("R8 an event stream is passed on event by event while it is open", async (t) => {
  const handler = new StubHandler();
  const { body, controller } = stream();
  handler.respond = () => new Response(body, EVENTS);
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);

  wire.send(post(head));
  const early = await wire.until("\r\n\r\n");
  controller().enqueue(event("one"));
  const first = await wire.until("data: one\n\n");
  controller().enqueue(event("two"));
  controller().close();
  const all = await wire.until("0\r\n\r\n");

  assert.match(early, /content-type: text\/event-stream/);
  assert.doesNotMatch(first, /two/);
  assert.match(all, /data: two/);
});

test("R8 a stream that breaks breaks the connection, so that nobody takes it for whole", async (t) => {
  const handler = new StubHandler();
  const { body, controller } = stream();
  handler.respond = () => new Response(body, EVENTS);
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);
  wire.send(post(head));
  controller().enqueue(event("one"));
  await wire.until("data: one\n\n");

  controller().error(new Error("canary-in-a-fault"));
  await wire.closed;

  assert.doesNotMatch(wire.received, /canary/);
  assert.doesNotMatch(wire.received, /\r\n0\r\n/);
});

test("R8 a client that does not read is not written for: the stream waits", async (t) => {
  const handler = new StubHandler();
  const piece = new Uint8Array(64 * 1024).fill(120);
  const pieces = 1_024;
  let pulled = 0;
  handler.respond = () =>
    new Response(
      new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            pulled += 1;
            controller.enqueue(piece);
            if (pulled === pieces) controller.close();
          },
        },
        { highWaterMark: 0 },
      ),
      EVENTS,
    );
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);
  wire.send(post(head));
  await wire.until("\r\n\r\n");
  wire.pause();
  // Until nothing moves any more: the buffers in between are full.
  for (let last = -1; last !== pulled;) {
    last = pulled;
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  const whileWaiting = pulled;

  wire.resumeForTail();
  await wire.until("\r\n0\r\n\r\n");

  assert.ok(whileWaiting < pieces / 2, `${whileWaiting} of ${pieces} pieces`);
  assert.equal(pulled, pieces);
});

test("R2 a client that goes away ends its own call, and no other", async (t) => {
  const handler = new StubHandler();
  const { promise, resolve } = Promise.withResolvers<void>();
  handler.respond = async () => {
    await promise;
    return new Response("{}", { headers: { "content-type": "application/json" } });
  };
  const { port, head, records } = await openLoopback(t, { handler });
  const [leaving, staying] = [await Wire.open(t, port), await Wire.open(t, port)];
  leaving.send(post(head));
  await handler.arrived(1);
  staying.send(post(head));
  await handler.arrived(2);
  const [left = assert.fail(), stays = assert.fail()] = handler.calls;
  const aborted = new Promise<void>((done) => left.context.signal.addEventListener("abort", () => done()));

  leaving.destroy();
  await aborted;
  const others = stays.context.signal.aborted;
  resolve();

  assert.equal((await staying.answer())?.status, 200);
  assert.equal(others, false);
  assert.deepEqual(records, []);
});

test("R2 a client that goes away in the middle of a stream cancels that stream", async (t) => {
  const handler = new StubHandler();
  const { body, controller, cancelled } = stream();
  handler.respond = () => new Response(body, EVENTS);
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);
  wire.send(post(head));
  controller().enqueue(event("one"));
  await wire.until("data: one\n\n");

  wire.destroy();
  await cancelled;

  assert.equal(handler.calls[0]?.context.signal.aborted, true);
});

test("R2 an answered call is not aborted afterwards", async (t) => {
  const { port, head, handler } = await openLoopback(t);
  const wire = await Wire.open(t, port);
  wire.send(post(head));
  await wire.answer();
  wire.send(post(head));
  await wire.answer();

  wire.destroy();
  await wire.closed;

  assert.deepEqual(
    handler.calls.map(({ context }) => context.signal.aborted),
    [false, false],
  );
});

const message = (who: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { who } });

// J1: one server object for all clients sends the answer of an id to whoever used that id last.
test("R3b two clients with the same id at once each get their own answer", async (t) => {
  const handler = new StubHandler();
  const both = Promise.withResolvers<void>();
  handler.respond = async ({ body }) => {
    if (handler.calls.length === 2) both.resolve();
    await both.promise;
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const { port, head } = await openLoopback(t, { handler });
  const [one, two] = [await Wire.open(t, port), await Wire.open(t, port)];
  const send = (wire: Wire, who: string): void => {
    wire.send(`${head([`Content-Length: ${message(who).length}`])}${message(who)}`);
  };

  send(one, "one");
  send(two, "two");

  assert.equal((await one.answer())?.body, message("one"));
  assert.equal((await two.answer())?.body, message("two"));
});

test("R3b a second request before the first was answered ends the connection and both", async (t) => {
  const handler = new StubHandler();
  handler.respond = () => new Promise(() => undefined);
  const { port, head, records } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);

  wire.send(`${post(head)}${post(head).repeat(50)}`);
  await wire.closed;

  assert.ok(handler.calls.length <= 1);
  assert.deepEqual(records, [{ reason: "malformed-request", address: "loopback" }]);
});

test("R3b requests one after the other share a connection, refused ones with short bodies too", async (t) => {
  const { port, head, handler } = await openLoopback(t);
  const wire = await Wire.open(t, port);
  const statuses: (number | undefined)[] = [];

  for (const lines of [[], ["Origin: null"], [], ["Origin: null"], []]) {
    wire.send(`${head(["Content-Length: 2", ...lines])}{}`);
    statuses.push((await wire.answer())?.status);
  }

  assert.deepEqual(statuses, [200, 403, 200, 403, 200]);
  assert.equal(handler.calls.length, 3);
});

test("R3b a tunnel whose client resets its connection ends nothing but itself", async (t) => {
  const { port, head } = await openLoopback(t);
  for (let at = 0; at < 20; at += 1) {
    const tunnel = await Wire.open(t, port);
    tunnel.send("CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n");
    tunnel.reset();
  }
  const wire = await Wire.open(t, port);

  wire.send(post(head));

  assert.equal((await wire.answer())?.status, 200);
});

for (const [what, line] of [
  ["WebSocket", "Upgrade: websocket"],
  ["HTTP/2", "Upgrade: h2c"],
] as const) {
  test(`R3b an offer to go on in ${what} is passed over`, async (t) => {
    const { port, head, handler } = await openLoopback(t);
    const wire = await Wire.open(t, port);

    wire.send(`${head(["Content-Length: 2", "Connection: upgrade", line])}{}`);

    assert.equal((await wire.answer())?.status, 200);
    assert.equal(handler.calls.length, 1);
  });
}

for (const [what, bytes] of [
  ["a head", (head: string) => head.slice(0, -2)],
  ["a body", (head: string) => `${head.slice(0, -2)}Content-Length: 9\r\n\r\n{}`],
] as const) {
  test(`R7 a client that leaves in the middle of ${what} is no refusal, and nothing is called`, async (t) => {
    const { port, head, handler, records } = await openLoopback(t);
    const wire = await Wire.open(t, port);
    wire.send(bytes(head()));

    wire.end();
    await wire.closed;

    assert.equal(wire.received, "");
    assert.deepEqual(records, []);
    assert.deepEqual(handler.calls, []);
  });
}
