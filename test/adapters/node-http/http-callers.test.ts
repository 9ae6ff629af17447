/** What a remote host holds against each of its callers: their share, and the end of their token. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { TOKEN_SKEW_MS } from "../../../src/domain/gate/remote.ts";
import { accept } from "../../../src/domain/outcome.ts";
import type { HttpLimits } from "../../../src/adapters/node-http/http-limits.ts";
import { openLoopback, openRemote, StubHandler, type OpenedRemote } from "../../kit/http-hosts.ts";
import { VERIFIED } from "../../kit/token-verifiers.ts";
import { Wire } from "../../kit/wire.ts";

const EVENT_STREAM = { headers: { "content-type": "text/event-stream" } };
const SUBSCRIBE = '{"method":"subscriptions/listen"}';

/** Streams that say one thing, and nothing more until the test says so. */
function streams(): {
  readonly respond: StubHandler["respond"];
  readonly end: () => void;
  cancelled: number;
} {
  const open: ReadableStreamDefaultController<Uint8Array>[] = [];
  const made = {
    cancelled: 0,
    respond: () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => {
            open.push(controller);
            controller.enqueue(new TextEncoder().encode("data: one\n\n"));
          },
          cancel: () => void (made.cancelled += 1),
        }),
        EVENT_STREAM,
      ),
    end: () => open.shift()?.close(),
  };
  return made;
}

interface Remote extends OpenedRemote {
  /** Sends a body under a token, on a connection of its own. */
  readonly post: (token: string, body?: string) => Promise<Wire>;
}

async function remote(t: TestContext, limits: Partial<HttpLimits> = {}): Promise<Remote> {
  const opened = await openRemote(t, { limits });
  const post = async (token: string, body = "{}"): Promise<Wire> => {
    const wire = await Wire.open(t, opened.port);
    wire.send(`${opened.head(token, [`Content-Length: ${body.length}`])}${body}`);
    return wire;
  };
  return { ...opened, post };
}

/** The verifier lets everybody in for as long as it is said. */
function letInFor(opened: Remote, leftMs: number): void {
  const expiresAtMs = opened.clock.nowMs() + leftMs;
  opened.verifier.verify = async () => accept({ ...VERIFIED, expiresAtMs });
}

test("R5 R9 a stream ends when its caller's token does and 60 s have passed, and the handler hears of it", async (t) => {
  const opened = await remote(t);
  const made = streams();
  opened.handler.respond = made.respond;
  letInFor(opened, 1_000);
  const wire = await opened.post("valid");
  await wire.until("data: one\n\n");

  await opened.clock.advance(1_000 + TOKEN_SKEW_MS - 1);
  assert.equal(opened.handler.calls[0]?.context.signal.aborted, false);
  await opened.clock.advance(1);
  await wire.closed;

  assert.doesNotMatch(wire.received, /\r\n0\r\n\r\n$/);
  while (made.cancelled === 0) await new Promise(setImmediate);
  assert.equal(opened.handler.calls[0]?.context.signal.aborted, true);
  assert.equal(opened.clock.pending, 0);
});

test("R5 a stream that ends before its caller's token leaves no timer", async (t) => {
  const opened = await remote(t);
  const made = streams();
  opened.handler.respond = made.respond;
  const wire = await opened.post("valid");
  await wire.until("data: one\n\n");
  assert.equal(opened.clock.pending, 1);

  made.end();
  await wire.until("\r\n0\r\n\r\n");
  while (opened.clock.pending > 0) await new Promise(setImmediate);
});

test("R5 a stream whose client leaves before its token ends leaves no timer", async (t) => {
  const opened = await remote(t);
  opened.handler.respond = streams().respond;
  const wire = await opened.post("valid");
  await wire.until("data: one\n\n");

  wire.destroy();
  while (opened.clock.pending > 0) await new Promise(setImmediate);
});

test("R5 a token that lasts longer than a timer can wait is waited for in pieces", async (t) => {
  const opened = await remote(t);
  opened.handler.respond = streams().respond;
  letInFor(opened, 2 ** 31 - TOKEN_SKEW_MS);
  const asked: number[] = [];
  const wait = opened.clock.wait.bind(opened.clock);
  opened.clock.wait = (ms, options) => {
    asked.push(ms);
    return wait(ms, options);
  };
  const wire = await opened.post("valid");
  await wire.until("data: one\n\n");

  await opened.clock.advance(2 ** 31 - 1);
  assert.equal(opened.handler.calls[0]?.context.signal.aborted, false);
  await opened.clock.advance(1);
  await wire.closed;
  assert.deepEqual(asked, [2 ** 31 - 1, 1]);
});

test("R5 an answer that is no stream starts no timer", async (t) => {
  const opened = await remote(t);
  let waits = 0;
  opened.clock.wait = async () => void (waits += 1);

  const wire = await opened.post("valid");

  assert.equal((await wire.answer())?.status, 200);
  assert.equal(waits, 0);
});

test("R4 a stream of a loopback host does not end by itself", async (t) => {
  const handler = new StubHandler();
  const made = streams();
  handler.respond = made.respond;
  const { port, head } = await openLoopback(t, { handler });
  const wire = await Wire.open(t, port);

  wire.send(`${head(["Content-Length: 2"])}{}`);
  await wire.until("data: one\n\n");
  made.end();

  await wire.until("\r\n0\r\n\r\n");
});

test("R8 one caller has half of the places for requests, and another still comes in", async (t) => {
  const opened = await remote(t);
  const made = streams();
  opened.handler.respond = made.respond;
  const held: Wire[] = [];
  for (let at = 0; at < 8; at += 1) held.push(await opened.post("valid-a"));
  await opened.handler.arrived(8);

  const refused = await opened.post("valid-a");
  const answer = await refused.answer();
  const other = await opened.post("valid-b");
  await other.until("data: one\n\n");

  assert.equal(answer?.status, 503);
  assert.match(answer?.head ?? "", /\r\nretry-after: 1\r\n/i);
  assert.deepEqual(opened.records, [{ reason: "caller-busy", address: "loopback" }]);
  assert.equal(opened.handler.calls.length, 9);

  made.end();
  await held[0]?.until("\r\n0\r\n\r\n");
  const later = await opened.post("valid-a");
  await later.until("data: one\n\n");
});

test("R8 where there is one place in all, a caller may have it", async (t) => {
  const opened = await remote(t, { concurrentRequestsLimit: 1 });

  assert.equal((await (await opened.post("valid")).answer())?.status, 200);
});

test("R8 one caller has half of the subscriptions, other calls of it go on, and another's too", async (t) => {
  const opened = await remote(t);
  const made = streams();
  opened.handler.respond = made.respond;
  const held: Wire[] = [];
  for (let at = 0; at < 4; at += 1) held.push(await opened.post("valid-a", SUBSCRIBE));
  await opened.handler.arrived(4);

  const refused = await opened.post("valid-a", SUBSCRIBE);
  const answer = await refused.answer();
  assert.equal(answer?.status, 503);
  assert.match(answer?.head ?? "", /\r\nretry-after: 1\r\n/i);
  assert.deepEqual(opened.records, [{ reason: "caller-busy", address: "loopback" }]);
  assert.equal(opened.handler.calls.length, 4);
  for (const [token, body] of [
    ["valid-a", "{}"],
    ["valid-b", SUBSCRIBE],
  ] as const) {
    await (await opened.post(token, body)).until("data: one\n\n");
  }

  made.end();
  await held[0]?.until("\r\n0\r\n\r\n");
  await (await opened.post("valid-a", SUBSCRIBE)).until("data: one\n\n");
});

test("R8 a subscription that is turned away after its chunks were read is answered at once", async (t) => {
  const opened = await remote(t);
  opened.handler.respond = streams().respond;
  for (let at = 0; at < 4; at += 1) await opened.post("valid", SUBSCRIBE);
  await opened.handler.arrived(4);
  const wire = await Wire.open(t, opened.port);

  for (let turn = 0; turn < 2; turn += 1) {
    wire.send(opened.head("valid", ["Transfer-Encoding: chunked"]));
    wire.send(`${SUBSCRIBE.length.toString(16)}\r\n${SUBSCRIBE}\r\n0\r\n\r\n`);
    assert.equal((await wire.answer())?.status, 503);
  }
});

test("R4 the one caller of a loopback host has every place", async (t) => {
  const handler = new StubHandler();
  handler.respond = streams().respond;
  const { port, head, records } = await openLoopback(t, { handler });
  for (let at = 0; at < 16; at += 1) {
    const wire = await Wire.open(t, port);
    wire.send(`${head([`Content-Length: ${SUBSCRIBE.length}`])}${SUBSCRIBE}`);
    await wire.until("data: one\n\n");
  }
  assert.deepEqual(records, []);
});

test("R5 a tunnel is judged by Host, then by path, and never told of methods", async (t) => {
  const { port, records, handler, verifier } = await openRemote(t);
  const statuses: (number | undefined)[] = [];
  for (const host of ["evil.example.com", "mcp.example.com"]) {
    const wire = await Wire.open(t, port);
    wire.send(`CONNECT mcp.example.com:443 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer valid\r\n\r\n`);
    const answer = await wire.answer();
    await wire.closed;
    statuses.push(answer?.status);
    assert.doesNotMatch(answer?.head ?? "", /allow/i);
  }

  assert.deepEqual(statuses, [403, 404]);
  assert.deepEqual(
    records.map(({ reason }) => reason),
    ["host", "path"],
  );
  assert.deepEqual([handler.calls.length, verifier.asked.length], [0, 0]);
});

test("R3b a tunnel behind a request that is not answered ends the connection without a word", async (t) => {
  const opened = await remote(t);
  opened.handler.respond = () => new Promise<Response>(() => undefined);
  const wire = await opened.post("valid");
  await opened.handler.arrived(1);

  wire.send("CONNECT mcp.example.com:443 HTTP/1.1\r\nHost: mcp.example.com\r\n\r\n");
  await wire.closed;

  assert.equal(wire.received, "");
  assert.deepEqual(opened.records, [{ reason: "malformed-request", address: "loopback" }]);
});
