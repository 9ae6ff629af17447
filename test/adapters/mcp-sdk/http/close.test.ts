import assert from "node:assert/strict";
import { test } from "node:test";

import { carrierRefusal, openCarrier, openLegacyCarrier } from "../../../kit/http-carriers.ts";
import {
  echo,
  event,
  legacyScript,
  openStream,
  sendJson,
  sendStatus,
  startScriptedServer,
  streaming,
  type Script,
} from "../../../kit/http-mcp-server.ts";
import { WatchedClock } from "../../../kit/watched-clock.ts";

const silent: Script = (_, response) => openStream(response);
const failing = (): never => {
  throw new Error("s3cret");
};
const result = { jsonrpc: "2.0", id: 1, result: {} };

test("E8 closing ends every call at once, fires onclose once, and ends the server's session", async (t) => {
  const server = await startScriptedServer(t, legacyScript({ script: silent, sessions: ["s-1"] }));
  const { carrier, request } = await openLegacyCarrier(t, server.url);
  let closes = 0;
  Object.assign(carrier, { onclose: () => (closes += 1) });
  const calls = [carrierRefusal(request(1, "tools/call")), carrierRefusal(request(2, "tools/call"))];
  await server.seen(2, ({ body }) => body?.method === "tools/call");
  await Promise.all([carrier.close(), carrier.close()]);
  await carrier.close();
  assert.deepEqual(
    (await Promise.all(calls)).map(({ reason }) => reason),
    ["closed", "closed"],
  );
  assert.equal(closes, 1);
  assert.equal(carrier.closeFailure, undefined);
  const deletes = server.requests.filter(({ method }) => method === "DELETE");
  assert.deepEqual(
    deletes.map(({ headers }) => headers["mcp-session-id"]),
    ["s-1"],
  );
});

test("H6 a server that gave no session is told nothing at close", async (t) => {
  const server = await startScriptedServer(t, legacyScript({ script: silent }));
  const { carrier } = await openLegacyCarrier(t, server.url);
  await carrier.close();
  assert.equal(server.requests.filter(({ method }) => method === "DELETE").length, 0);
});

test("E8 a server that refuses to end its session does not delay close", async (t) => {
  const rest = legacyScript({ script: silent, sessions: ["s-1"] });
  const server = await startScriptedServer(t, (request, response) =>
    request.method === "DELETE" ? sendStatus(response, 405) : rest(request, response),
  );
  const { carrier } = await openLegacyCarrier(t, server.url);
  await carrier.close();
  assert.equal(server.requests.at(-1)?.method, "DELETE");
});

test("E8 a server that is silent to the end of its session delays close by 2 s and no longer", async (t) => {
  const clock = new WatchedClock();
  const rest = legacyScript({ script: silent, sessions: ["s-1"] });
  const server = await startScriptedServer(t, (request, response) =>
    request.method === "DELETE" ? undefined : rest(request, response),
  );
  const { carrier } = await openLegacyCarrier(t, server.url, { clock });
  const closing = carrier.close();
  await server.seen(1, ({ method }) => method === "DELETE");
  assert.equal(clock.asked.at(-1), 2_000);
  await clock.advance(2_000);
  await closing;
  assert.equal(clock.pending, 0);
});

test("E8 nothing is sent after close", async (t) => {
  const server = await startScriptedServer(t, silent);
  const { carrier, request } = await openCarrier(t, server.url);
  await carrier.close();
  assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "closed");
  assert.equal(
    (await carrierRefusal(carrier.send({ jsonrpc: "2.0", method: "notifications/x" }))).reason,
    "closed",
  );
  assert.equal(server.requests.length, 0);
});

test("H3b a stream that goes on after its answer is cut after a second, and what it still says is dropped", async (t) => {
  const clock = new WatchedClock();
  let closed: Promise<void> | undefined;
  const server = await startScriptedServer(t, (_, response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    openStream(response);
    response.write(event(result));
    response.write(event({ jsonrpc: "2.0", method: "notifications/late" }));
  });
  const { received, request } = await openCarrier(t, server.url, { clock });
  await request(1, "tools/call");
  assert.deepEqual(await clock.waits(1), [1_000]);
  await clock.advance(1_000);
  await closed;
  assert.deepEqual(received, [result]);
});

test("H3b a stream that pours on after its answer is cut at 64 KiB", async (t) => {
  const clock = new WatchedClock();
  let closed: Promise<void> | undefined;
  const server = await startScriptedServer(t, (_, response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    openStream(response);
    response.write(event(result));
    const pour = (): void => {
      if (!response.destroyed) response.write(": ".padEnd(16_384, "x"), () => setImmediate(pour));
    };
    setImmediate(pour);
  });
  const { request } = await openCarrier(t, server.url, { clock });
  await request(1, "tools/call");
  await closed;
});

test("H3b a stream that ends after its answer leaves no timer", async (t) => {
  const clock = new WatchedClock();
  const server = await startScriptedServer(t, streaming(event(result)));
  const { carrier, request } = await openCarrier(t, server.url, { clock });
  await request(1, "tools/call");
  await carrier.close();
  assert.equal(clock.pending, 0);
});

test("H3b a listener that throws on an answer fails the call instead of leaving it waiting", async (t) => {
  const server = await startScriptedServer(t, (_, response) => sendJson(response, result));
  const { carrier, request } = await openCarrier(t, server.url);
  Object.assign(carrier, { onmessage: failing });
  assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "invalid-response");
});

test("H3b listeners that throw on a notification, a state or the end break nothing", async (t) => {
  const onGet = streaming(event({ jsonrpc: "2.0", method: "notifications/x" }));
  const server = await startScriptedServer(t, legacyScript({ script: echo, onGet }));
  const { carrier, received, request } = await openLegacyCarrier(t, server.url);
  Object.assign(carrier, { onpush: failing, onclose: failing });
  await request(1, "ping");
  await carrier.close();
  assert.ok(received.length > 0);
});
