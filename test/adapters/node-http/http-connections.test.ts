import assert from "node:assert/strict";
import { test } from "node:test";

import { openLoopback, StubHandler } from "../../kit/http-hosts.ts";
import { Wire } from "../../kit/wire.ts";

/** What a handler may write that is made for another server: the SDK's does. */
const OTHERS_HEADERS = {
  "content-type": "text/event-stream",
  connection: "keep-alive",
  "keep-alive": "timeout=600",
  upgrade: "h2c",
};

test("R3b a client that says it will close is closed once it is answered, whatever the handler says of connections", async (t) => {
  const handler = new StubHandler();
  handler.respond = () => new Response("data: one\n\n", { headers: OTHERS_HEADERS });
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);

  wire.send(`${head(["Content-Length: 2", "Connection: close"])}{}`);
  await wire.closed;

  assert.match(wire.received, /\r\nConnection: close\r\n/);
  assert.match(wire.received, /data: one/);
  assert.doesNotMatch(wire.received, /keep-alive|timeout=600|h2c/i);
});

test("R3b a client that says nothing of its connection keeps it, and is told for how long by Node alone", async (t) => {
  const handler = new StubHandler();
  handler.respond = () => new Response(`data: ${handler.calls.length}\n\n`, { headers: OTHERS_HEADERS });
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);

  for (const turn of [1, 2]) {
    wire.send(`${head(["Content-Length: 2"])}{}`);
    await wire.until(`data: ${turn}\n\n\r\n0\r\n\r\n`);
  }

  assert.doesNotMatch(wire.received, /timeout=600|h2c/);
});

test("R8 a handler is told whether its client keeps up with reading", async (t) => {
  const handler = new StubHandler();
  const piece = new Uint8Array(4 * 1024 * 1024).fill(120);
  let open: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (open = controller) });
  handler.respond = () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);
  wire.send(`${head(["Content-Length: 2"])}{}`);
  await wire.until("\r\n\r\n");
  const isBehind = handler.calls[0]?.context.isBehind ?? assert.fail();
  assert.equal(isBehind(), false);

  wire.pause();
  for (let at = 0; at < 8; at += 1) open?.enqueue(piece);
  while (!isBehind()) await new Promise(setImmediate);

  wire.resumeForTail();
  open?.close();
  await wire.until("\r\n0\r\n\r\n");
  assert.equal(isBehind(), false);
});
