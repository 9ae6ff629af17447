import assert from "node:assert/strict";
import { test } from "node:test";

import { openLoopback, StubHandler } from "../../kit/http-hosts.ts";
import { Wire } from "../../kit/wire.ts";

const TIMEOUT = { reason: "request-timeout", address: "loopback" };
/** Short enough to wait for; what is below them is proved by requests that never come near. */
/** Where a request has to arrive in time on a machine that is busy. */
const ROOMY = { headTimeoutMs: 500, requestTimeoutMs: 500 };
const SHORT_HEAD = { headTimeoutMs: 40 };
const SHORT = { headTimeoutMs: 40, requestTimeoutMs: 80 };

test("R8 a head that does not end is answered 408 and the connection ends, however busy it keeps", async (t) => {
  const { port, head, handler, records } = await openLoopback(t, { limits: SHORT_HEAD });
  const wire = await Wire.open(t, port);
  wire.send(head().slice(0, -2));
  // A slow loris: one more header line whenever it is asked whether it is still there.
  const trickle = setInterval(() => wire.send("a: b\r\n"), 5);
  t.after(() => clearInterval(trickle));

  const answer = await wire.answer();
  await wire.closed;

  assert.equal(answer?.status, 408);
  assert.deepEqual(records, [TIMEOUT]);
  assert.equal(handler.calls.length, 0);
});

test("R8 a body that does not end is answered 408, the connection ends and nothing is called", async (t) => {
  const { port, head, handler, records } = await openLoopback(t, { limits: SHORT });
  const wire = await Wire.open(t, port);
  wire.send(head(["Content-Length: 100000"]));
  const trickle = setInterval(() => wire.send("x"), 5);
  t.after(() => clearInterval(trickle));

  const answer = await wire.answer();
  await wire.closed;

  assert.equal(answer?.status, 408);
  assert.deepEqual(records, [TIMEOUT]);
  assert.equal(handler.calls.length, 0);
});

test("R7 a request that was refused and whose body never ends is told once, and answered once", async (t) => {
  const { port, records } = await openLoopback(t, { limits: SHORT });
  const wire = await Wire.open(t, port);
  wire.send("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n");

  const answer = await wire.answer();
  await wire.closed;

  assert.equal(answer?.status, 403);
  assert.equal(wire.received, "");
  assert.deepEqual(records, [{ reason: "host", address: "loopback" }]);
});

test("R8 a connection that says nothing is closed", async (t) => {
  const { port, records } = await openLoopback(t, { limits: SHORT_HEAD });
  const wire = await Wire.open(t, port);

  await wire.closed;

  assert.deepEqual(records, [TIMEOUT]);
});

test("R8 a body that is refused and goes on forever does not hold its connection", async (t) => {
  const { port, handler, records } = await openLoopback(t, { limits: SHORT });
  const wire = await Wire.open(t, port);
  wire.send(`POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n`);
  const trickle = setInterval(() => wire.send("x"), 5);
  t.after(() => clearInterval(trickle));

  const answer = await wire.answer();
  await wire.closed;

  assert.equal(answer?.status, 403);
  assert.deepEqual(records, [{ reason: "host", address: "loopback" }]);
  assert.equal(handler.calls.length, 0);
});

test("R8 a place that a slow body held is free again", async (t) => {
  const { port, head } = await openLoopback(t, { limits: { ...ROOMY, concurrentRequestsLimit: 1 } });
  const slow = await Wire.open(t, port);
  slow.send(head(["Content-Length: 10"]));
  await slow.closed;
  const next = await Wire.open(t, port);

  next.send(`${head(["Content-Length: 2"])}{}`);

  assert.equal((await next.answer())?.status, 200);
});

test("R8 an answer may take longer than a request: only what comes in has a deadline", async (t) => {
  const handler = new StubHandler();
  const { promise, resolve } = Promise.withResolvers<Response>();
  handler.respond = () => promise;
  const { port, head, records } = await openLoopback(t, { limits: ROOMY, handler });
  const patient = await Wire.open(t, port);
  patient.send(`${head(["Content-Length: 2"])}{}`);
  await handler.arrived(1);
  const slow = await Wire.open(t, port);
  slow.send(head(["Content-Length: 10"]));
  // Another request came to its deadline meanwhile, so this one is past it.
  await slow.closed;

  resolve(new Response("{}", { headers: { "content-type": "application/json" } }));

  assert.equal((await patient.answer())?.status, 200);
  assert.deepEqual(records, [TIMEOUT]);
});
