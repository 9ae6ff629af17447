import assert from "node:assert/strict";
import { test } from "node:test";

import { HTTP_LIMITS, httpLimits } from "../../../src/composition/serve/http-limits.ts";
import { openLoopback, StubHandler } from "../../kit/http-hosts.ts";
import { Wire } from "../../kit/wire.ts";

const TOO_LARGE = { reason: "body-too-large", address: "loopback" };
const jsonOf = (length: number): string => `"${"x".repeat(length - 2)}"`;
const chunked = (...pieces: readonly string[]): string =>
  `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("")}0\r\n\r\n`;

test("R8 the bounds are the contract's when nothing is said", () => {
  assert.deepEqual(HTTP_LIMITS, {
    bodyLimitBytes: 1_048_576,
    concurrentRequestsLimit: 16,
    connectionsLimit: 32,
    headLimitBytes: 16_384,
    headTimeoutMs: 5_000,
    requestTimeoutMs: 15_000,
  });
});

for (const [what, limits] of [
  ["0", { bodyLimitBytes: 0 }],
  ["a fraction", { connectionsLimit: 1.5 }],
  ["infinity", { concurrentRequestsLimit: Number.POSITIVE_INFINITY }],
  ["no number", { headLimitBytes: Number.NaN }],
  ["more than a timer can wait", { requestTimeoutMs: 2 ** 31 }],
  ["a request that has to be there before its head", { requestTimeoutMs: 4_999 }],
] as const) {
  test(`R8 ${what} is no bound: none can be switched off`, () => {
    assert.throws(() => httpLimits(limits), { name: "TypeError", code: "limit-invalid" });
  });
}

for (const [what, length, passes] of [
  ["one byte below the limit", 1_048_575, true],
  ["at the limit", 1_048_576, true],
  ["one byte above the limit", 1_048_577, false],
] as const) {
  test(`R8 a body ${what} ${passes ? "is handed over whole" : "is answered 413 by its announced length"}`, async (t) => {
    const { port, head, handler, records } = await openLoopback(t);
    const wire = await Wire.open(t, port);

    wire.send(`${head([`Content-Length: ${length}`])}${jsonOf(length)}`);
    const answer = await wire.answer();

    assert.equal(answer?.status, passes ? 200 : 413);
    assert.deepEqual(
      handler.calls.map(({ body }) => body.length),
      passes ? [length] : [],
    );
    assert.deepEqual(records, passes ? [] : [TOO_LARGE]);
  });

  test(`R8 a body without a length ${what} ${passes ? "is handed over whole" : "is answered 413 when it gets there"}`, async (t) => {
    const { port, head, handler, records } = await openLoopback(t);
    const wire = await Wire.open(t, port);

    wire.send(`${head(["Transfer-Encoding: chunked"])}${chunked(jsonOf(length - 10), "x".repeat(10))}`);
    const answer = await wire.answer();

    assert.equal(answer?.status, passes ? 200 : 413);
    assert.deepEqual(
      handler.calls.map(({ body }) => body.length),
      passes ? [length] : [],
    );
    assert.deepEqual(records, passes ? [] : [TOO_LARGE]);
  });
}

test("R8 a body that is too long is answered 413 although the client is still sending it, and then the connection ends", async (t) => {
  const { port, head } = await openLoopback(t, { limits: { bodyLimitBytes: 1_000 } });
  const wire = await Wire.open(t, port);

  wire.send(head(["Content-Length: 100000000"]));
  wire.send("x".repeat(200_000));
  const answer = await wire.answer();
  wire.send("x".repeat(200_000));
  await wire.closed;

  assert.equal(answer?.status, 413);
  assert.match(answer?.head ?? "", /\r\nconnection: close/i);
});

test("R8 a client that waits to be told is told, and one whose body is too long is told at once", async (t) => {
  const { port, head, handler } = await openLoopback(t, { limits: { bodyLimitBytes: 10 } });
  const welcome = await Wire.open(t, port);
  const unwelcome = await Wire.open(t, port);

  welcome.send(head(["Content-Length: 10", "Expect: 100-continue"]));
  const told = await welcome.answer();
  welcome.send(jsonOf(10));
  unwelcome.send(head(["Content-Length: 11", "Expect: 100-continue"]));

  assert.equal(told?.status, 100);
  assert.equal((await welcome.answer())?.status, 200);
  assert.equal((await unwelcome.answer())?.status, 413);
  await unwelcome.closed;
  assert.equal(handler.calls.length, 1);
});

test("R4 a client without the bearer that waits to be told is never told to send its body", async (t) => {
  const { port } = await openLoopback(t);
  const wire = await Wire.open(t, port);

  wire.send(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
  );
  const answer = await wire.answer();
  await wire.closed;

  assert.equal(answer?.status, 401);
  assert.equal(wire.received, "");
});

/** A handler whose calls wait until the test lets them go. */
function held(): { readonly handler: StubHandler; readonly release: () => void } {
  const handler = new StubHandler();
  const { promise: released, resolve } = Promise.withResolvers<void>();
  handler.respond = async () => {
    await released;
    return new Response("{}", { headers: { "content-type": "application/json" } });
  };
  return { handler, release: () => resolve() };
}

test("R8 so many requests are answered at once, one more is 503, and a place is free again afterwards", async (t) => {
  const { handler, release } = held();
  const { port, head, records } = await openLoopback(t, { handler });
  const wires = await Promise.all(Array.from({ length: 17 }, () => Wire.open(t, port)));
  const [last = assert.fail(), ...running] = wires.toReversed();
  for (const wire of running) wire.send(`${head(["Content-Length: 2"])}{}`);
  await handler.arrived(16);

  last.send(`${head(["Content-Length: 2"])}{}`);
  const busy = await last.answer();
  release();
  const statuses = await Promise.all(running.map(async (wire) => (await wire.answer())?.status));
  last.send(`${head(["Content-Length: 2"])}{}`);

  assert.equal(busy?.status, 503);
  assert.match(busy?.head ?? "", /\r\nretry-after: 1\r\n/i);
  assert.deepEqual(records, [{ reason: "busy", address: "loopback" }]);
  assert.deepEqual(
    statuses,
    Array.from({ length: 16 }, () => 200),
  );
  assert.equal((await last.answer())?.status, 200);
});

test("R8 a place is held until the answer has left, not until it was made", async (t) => {
  const handler = new StubHandler();
  const long = "x".repeat(32 * 1024 * 1024);
  handler.respond = () => new Response(handler.calls.length === 1 ? long : "{}");
  const { port, head } = await openLoopback(t, { handler, limits: { concurrentRequestsLimit: 1 } });
  const [slow, other] = [await Wire.open(t, port), await Wire.open(t, port)];
  slow.pause();
  slow.send(`${head(["Content-Length: 2"])}{}`);
  await handler.arrived(1);
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);

  other.send(`${head(["Content-Length: 2"])}{}`);
  const meanwhile = await other.answer();
  slow.destroy();
  await slow.closed;

  assert.equal(meanwhile?.status, 503);
});

test("R5 who holds no token is told so although every place is taken", async (t) => {
  const { handler, release } = held();
  const { port, head, records } = await openLoopback(t, { handler, limits: { concurrentRequestsLimit: 1 } });
  const running = await Wire.open(t, port);
  running.send(`${head(["Content-Length: 2"])}{}`);
  await handler.arrived(1);
  const other = await Wire.open(t, port);

  other.send(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  const answer = await other.answer();
  release();

  assert.equal(answer?.status, 401);
  assert.deepEqual(records, [{ reason: "no-token", address: "loopback" }]);
  assert.equal((await running.answer())?.status, 200);
});

test("R8 so many connections are kept, one more is dropped without a word, and a place is free again afterwards", async (t) => {
  const { port, head, records } = await openLoopback(t);
  const wires = await Promise.all(Array.from({ length: 32 }, () => Wire.open(t, port)));
  const use = async (wire: Wire): Promise<number | undefined> => {
    wire.send(`${head(["Content-Length: 2"])}{}`);
    return (await wire.answer())?.status;
  };
  const statuses: (number | undefined)[] = [];
  for (const wire of wires) statuses.push(await use(wire));

  const dropped = await Wire.open(t, port);
  await dropped.closed;
  const told = [...records];
  const [first = assert.fail()] = wires;
  first.destroy();
  await first.closed;
  let later: number | undefined;
  // The listener sees the end of the first connection some time after the client does.
  while (later === undefined) later = await use(await Wire.open(t, port));

  assert.deepEqual(
    statuses,
    Array.from({ length: 32 }, () => 200),
  );
  assert.equal(dropped.received, "");
  assert.deepEqual(told, [{ reason: "too-many-connections", address: "loopback" }]);
  assert.equal(later, 200);
});

for (const [what, extraBytes, status] of [
  ["below the limit", -1, 200],
  ["at the limit", 0, 431],
  ["above the limit", 1, 431],
] as const) {
  test(`R8 a head ${what} is answered ${status}`, async (t) => {
    const { port, head, handler, records } = await openLoopback(t);
    const wire = await Wire.open(t, port);
    // Node counts the target, names and values.
    const counted = `/mcpHost127.0.0.1:${port}AuthorizationBearer ${"x".repeat(43)}Content-Length2X-Pad`
      .length;

    wire.send(`${head(["Content-Length: 2", `X-Pad: ${"p".repeat(16_384 - counted + extraBytes)}`])}{}`);
    const answer = await wire.answer();

    assert.equal(answer?.status, status);
    assert.equal(handler.calls.length, status === 200 ? 1 : 0);
    assert.deepEqual(records, status === 200 ? [] : [{ reason: "head-too-large", address: "loopback" }]);
  });
}
