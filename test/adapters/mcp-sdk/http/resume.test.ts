import assert from "node:assert/strict";
import { test } from "node:test";

import { carrierRefusal, openCarrier, openLegacyCarrier } from "../../../kit/http-carriers.ts";
import {
  event,
  legacyScript,
  openStream,
  sendStatus,
  startScriptedServer,
  streaming,
  type Script,
  type SeenRequest,
} from "../../../kit/http-mcp-server.ts";
import { WatchedClock } from "../../../kit/watched-clock.ts";

const RESULT = { jsonrpc: "2.0", id: 1, result: {} };
const isResume = (request: SeenRequest): boolean => request.headers["last-event-id"] !== undefined;

const primesAndCuts: Script = (_, response) => {
  openStream(response);
  response.write(event("", { id: "e-1" }), () => response.destroy());
};

/** 600 bytes and more, under one event id. */
const filler = (id: string): string =>
  event({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x".repeat(600) } }, { id });

/** Only GETs that resume a call are scripted: the server has no stream of its own. */
const resuming =
  (onResume: Script): Script =>
  (request, response) =>
    isResume(request) ? onResume(request, response) : sendStatus(response, 405);

const primes = streaming(event("", { id: "e-1", retry: 500 }));

test("H3b a legacy call whose stream ended after an event id is resumed after its retry, and answered there", async (t) => {
  const clock = new WatchedClock();
  const onGet = resuming(streaming(event(RESULT, { id: "e-2" })));
  const server = await startScriptedServer(t, legacyScript({ script: primes, onGet, sessions: ["s-1"] }));
  const { received, request } = await openLegacyCarrier(t, server.url, { clock });
  const call = request(1, "tools/call");
  assert.deepEqual(await clock.waits(1), [500]);
  assert.equal(server.requests.filter(isResume).length, 0);
  await clock.advance(500);
  await call;
  assert.deepEqual(received, [RESULT]);
  const get = server.requests.find(isResume);
  assert.equal(get?.headers["last-event-id"], "e-1");
  assert.equal(get?.headers["mcp-session-id"], "s-1");
  assert.equal(get?.headers["mcp-protocol-version"], "2025-11-25");
});

test("H3b a legacy call whose stream was cut after an event id is resumed", async (t) => {
  const clock = new WatchedClock();
  const onGet = resuming(streaming(event(RESULT)));
  const server = await startScriptedServer(t, legacyScript({ script: primesAndCuts, onGet }));
  const { received, request } = await openLegacyCarrier(t, server.url, { clock });
  const call = request(1, "tools/call");
  assert.deepEqual(await clock.waits(1), [1_000]);
  await clock.advance(1_000);
  await call;
  assert.deepEqual(received, [RESULT]);
});

test("H3b in 2026-07-28 a call whose stream ended after an event id is lost, and no GET is sent", async (t) => {
  const server = await startScriptedServer(t, primes);
  const { carrier } = await openCarrier(t, server.url);
  const params = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }, name: "x" };
  const call = carrier.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  assert.equal((await carrierRefusal(call)).reason, "response-lost");
  assert.deepEqual(
    server.requests.map(({ method }) => method),
    ["POST"],
  );
});

for (const { name, onResume } of [
  { name: "405", onResume: ((_, response) => sendStatus(response, 405)) satisfies Script },
  { name: "404", onResume: ((_, response) => sendStatus(response, 404)) satisfies Script },
  {
    name: "text/plain",
    onResume: ((_, response) =>
      void response.writeHead(200, { "content-type": "text/plain" }).end("x")) satisfies Script,
  },
]) {
  test(`H3b a resumption answered ${name} fails the call at once`, async (t) => {
    const clock = new WatchedClock();
    const server = await startScriptedServer(t, legacyScript({ script: primes, onGet: resuming(onResume) }));
    const { request } = await openLegacyCarrier(t, server.url, { clock });
    const call = carrierRefusal(request(1, "tools/call"));
    await clock.waits(1);
    await clock.advance(500);
    assert.equal((await call).reason, "response-lost");
    assert.equal(server.requests.filter(isResume).length, 1);
  });
}

test("H3b a call that five resumptions in a row bring nothing for is lost", async (t) => {
  const clock = new WatchedClock();
  const onGet = resuming(streaming(""));
  const server = await startScriptedServer(t, legacyScript({ script: primes, onGet }));
  const { request } = await openLegacyCarrier(t, server.url, { clock });
  const call = carrierRefusal(request(1, "tools/call"));
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await clock.waits(attempt);
    await clock.advance(clock.asked[attempt - 1] ?? 0);
  }
  assert.equal((await call).reason, "response-lost");
  assert.deepEqual(clock.asked, [500, 500, 1_000, 2_000, 4_000]);
  assert.equal(server.requests.filter(isResume).length, 5);
});

test("H3b a call that is polled with new event ids goes on, slowed to 30 reopenings a minute", async (t) => {
  const clock = new WatchedClock();
  let polls = 0;
  const onGet = resuming((_, response) => {
    polls += 1;
    openStream(response);
    response.end(polls === 32 ? event(RESULT) : event("", { id: `p-${polls}`, retry: 100 }));
  });
  const script = streaming(event("", { id: "e-1", retry: 100 }));
  const server = await startScriptedServer(t, legacyScript({ script, onGet }));
  const { received, request } = await openLegacyCarrier(t, server.url, { clock });
  const call = request(1, "tools/call");
  for (let attempt = 1; attempt <= 32; attempt += 1) {
    await clock.waits(attempt);
    await clock.advance(clock.asked[attempt - 1] ?? 0);
  }
  await call;
  assert.deepEqual(received, [RESULT]);
  assert.deepEqual(new Set(clock.asked.slice(0, 30)), new Set([100]));
  assert.equal(clock.asked[30], 60_000 - 29 * 100);
  assert.equal(clock.asked[31], 100);
});

for (const id of ["é", "a\u0007b", "x".repeat(1_025)]) {
  test(`H3b an event id that no header can carry (${JSON.stringify(id.slice(0, 4))}) is not resumed from`, async (t) => {
    const script = streaming(event("", { id }));
    const server = await startScriptedServer(t, legacyScript({ script }));
    const { request } = await openLegacyCarrier(t, server.url);
    assert.equal((await carrierRefusal(request(1, "tools/call"))).reason, "response-lost");
    assert.equal(server.requests.filter(isResume).length, 0);
  });
}

test("H3 the total cap of a call holds over its resumed streams", async (t) => {
  const clock = new WatchedClock();
  const onGet = resuming(streaming(filler("e-2") + event(RESULT)));
  const server = await startScriptedServer(t, legacyScript({ script: streaming(filler("e-1")), onGet }));
  const { request } = await openLegacyCarrier(t, server.url, { clock, limits: { callBytes: 1_024 } });
  const call = carrierRefusal(request(1, "tools/call"));
  await clock.waits(1);
  await clock.advance(1_000);
  assert.equal((await call).reason, "response-too-large");
});
