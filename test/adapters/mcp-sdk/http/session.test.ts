import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";

import { carrierRefusal, openCarrier, openLegacyCarrier } from "../../../kit/http-carriers.ts";
import {
  INITIALIZE_RESULT,
  legacyScript,
  openStream,
  sendJson,
  sendStatus,
  startScriptedServer,
  type Script,
  type SeenRequest,
} from "../../../kit/http-mcp-server.ts";
import { WatchedClock } from "../../../kit/watched-clock.ts";

const sessionOf = (request: SeenRequest): unknown => request.headers["mcp-session-id"];

const notFound: Script = (_, response) => sendStatus(response, 404);

/** Holds the call 9 open and knows no session. */
const forgetful: Script = (request, response) =>
  request.body?.id === 9 ? openStream(response) : sendStatus(response, 404);

/** Knows only the session `alive`; any other is 404. */
const knowing =
  (alive: string): Script =>
  (request, response) =>
    sessionOf(request) === alive
      ? sendJson(response, { jsonrpc: "2.0", id: request.body?.id, result: {} })
      : sendStatus(response, 404);

/** Answers whatever lists, and forgets the session at each call. */
const forgettingAtCalls: Script = (request, response) =>
  request.body?.method === "tools/call"
    ? sendStatus(response, 404)
    : sendJson(response, { jsonrpc: "2.0", id: request.body?.id, result: {} });

test("H1 an expired session is replaced once for all who wait, and what only reads is sent again", async (t) => {
  const server = await startScriptedServer(
    t,
    legacyScript({ script: knowing("s-2"), sessions: ["s-1", "s-2"] }),
  );
  const { carrier, received, request } = await openLegacyCarrier(t, server.url);
  const renewed: unknown[] = [];
  carrier.onsessionrenewed = (result) => renewed.push(result);
  await Promise.all([request(1, "tools/list"), request(2, "prompts/list"), request(3, "ping")]);
  assert.equal(received.length, 3);
  assert.deepEqual(renewed, [INITIALIZE_RESULT]);
  const handshakes = server.requests.filter(({ body }) => body?.method === "initialize");
  assert.equal(handshakes.length, 2);
  assert.deepEqual(handshakes[1]?.body?.params, handshakes[0]?.body?.params);
  assert.equal(sessionOf(handshakes[1] as SeenRequest), undefined);
  assert.equal(handshakes[1]?.headers["mcp-protocol-version"], undefined);
  const initialized = server.requests.filter(({ body }) => body?.method === "notifications/initialized");
  assert.deepEqual(initialized.map(sessionOf), ["s-1", "s-2"]);
});

test("H3c a tool call that met an expired session is not repeated, and the next one works", async (t) => {
  const server = await startScriptedServer(
    t,
    legacyScript({ script: knowing("s-2"), sessions: ["s-1", "s-2"] }),
  );
  const { carrier, request } = await openLegacyCarrier(t, server.url);
  assert.deepEqual(await carrierRefusal(request(1, "tools/call")), {
    kind: "session",
    reason: "session-expired",
    serverId: "docs",
    stage: "call",
  });
  assert.equal(server.requests.filter(({ body }) => body?.method === "tools/call").length, 1);
  assert.equal(carrier.closeFailure, undefined);
  await request(2, "tools/call");
});

test("H3c a request that is sent while the session is being renewed waits for it", async (t) => {
  const held: ServerResponse[] = [];
  let handshakes = 0;
  const server = await startScriptedServer(t, (request, response) => {
    if (request.body?.method === "initialize" && (handshakes += 1) === 2) return void held.push(response);
    return legacyScript({ script: knowing("s-2"), sessions: ["s-1"] })(request, response);
  });
  const { request } = await openLegacyCarrier(t, server.url);
  const first = request(1, "tools/list");
  const [, handshake] = await server.seen(2, ({ body }) => body?.method === "initialize");
  const second = request(2, "prompts/list");
  held[0]?.setHeader("mcp-session-id", "s-2");
  sendJson(held[0] as ServerResponse, { jsonrpc: "2.0", id: handshake?.body?.id, result: INITIALIZE_RESULT });
  await Promise.all([first, second]);
  const second404 = server.requests.filter(({ body }) => body?.method === "prompts/list");
  assert.deepEqual(second404.map(sessionOf), ["s-2"]);
});

test("H3c A7 a tool call that is made while the session is being renewed is not sent into the new one", async (t) => {
  const held: ServerResponse[] = [];
  let handshakes = 0;
  const server = await startScriptedServer(t, (request, response) => {
    if (request.body?.method === "initialize" && (handshakes += 1) === 2) return void held.push(response);
    return legacyScript({ script: knowing("s-2"), sessions: ["s-1"] })(request, response);
  });
  const { request } = await openLegacyCarrier(t, server.url);
  const list = request(1, "tools/list");
  const [, handshake] = await server.seen(2, ({ body }) => body?.method === "initialize");
  const call = carrierRefusal(request(2, "tools/call"));
  held[0]?.setHeader("mcp-session-id", "s-2");
  sendJson(held[0] as ServerResponse, { jsonrpc: "2.0", id: handshake?.body?.id, result: INITIALIZE_RESULT });
  await list;

  assert.equal((await call).reason, "session-expired");
  assert.equal(server.requests.filter(({ body }) => body?.method === "tools/call").length, 0);
  await request(3, "tools/call");
});

test("H3c a session that is gone again before it answered anything ends the carrier: no third handshake", async (t) => {
  const server = await startScriptedServer(
    t,
    legacyScript({ script: knowing("none"), sessions: ["s-1", "s-2", "s-3"] }),
  );
  const { carrier, request } = await openLegacyCarrier(t, server.url);
  let closes = 0;
  Object.assign(carrier, { onclose: () => (closes += 1) });
  assert.equal((await carrierRefusal(request(1, "tools/list"))).reason, "session-expired");
  await carrier.close();
  assert.equal(closes, 1);
  assert.equal(carrier.closeFailure?.refusal.reason, "session-expired");
  const posted = server.requests.filter(({ method }) => method === "POST").map(({ body }) => body?.method);
  const once = ["initialize", "notifications/initialized", "tools/list"];
  assert.deepEqual(posted, [...once, ...once]);
});

for (const { waitMs, last } of [
  { waitMs: 0, last: "ends the carrier" },
  { waitMs: 59_999, last: "ends the carrier" },
  { waitMs: 60_000, last: "is replaced" },
]) {
  test(`H3c H3b after 30 renewals the next one ${waitMs} ms later ${last}`, async (t) => {
    const clock = new WatchedClock();
    const sessions = Array.from({ length: 40 }, (_, index) => `s-${index}`);
    const server = await startScriptedServer(t, legacyScript({ script: forgettingAtCalls, sessions }));
    const { carrier, request } = await openLegacyCarrier(t, server.url, { clock });
    let id = 1;
    const expire = async (): Promise<void> => {
      await request((id += 1), "tools/list");
      await carrierRefusal(request((id += 1), "tools/call"));
    };
    for (let renewals = 0; renewals < 30; renewals += 1) await expire();
    assert.equal(server.requests.filter(({ body }) => body?.method === "initialize").length, 31);
    await clock.advance(waitMs);

    await expire();

    const handshakes = server.requests.filter(({ body }) => body?.method === "initialize").length;
    assert.equal(handshakes, last === "is replaced" ? 32 : 31);
    const failure = carrier.closeFailure?.refusal.reason;
    assert.equal(failure, last === "is replaced" ? undefined : "session-expired");
  });
}

for (const { name, answer } of [
  { name: "is refused", answer: ((_, response) => sendStatus(response, 500)) satisfies Script },
  {
    name: "agrees on another version",
    answer: ((request, response) =>
      sendJson(response, {
        jsonrpc: "2.0",
        id: request.body?.id,
        result: { ...INITIALIZE_RESULT, protocolVersion: "2025-06-18" },
      })) satisfies Script,
  },
  { name: "is answered with 401", answer: ((_, response) => sendStatus(response, 401)) satisfies Script },
]) {
  test(`H3c a renewal that ${name} ends the carrier and everything in flight`, async (t) => {
    let handshakes = 0;
    const server = await startScriptedServer(t, (request, response) => {
      if (request.body?.method === "initialize" && (handshakes += 1) === 2) return answer(request, response);
      return legacyScript({ script: forgetful, sessions: ["s-1"] })(request, response);
    });
    const { carrier, request } = await openLegacyCarrier(t, server.url);
    const inFlight = carrierRefusal(request(9, "tools/call"));
    await server.seen(1, ({ body }) => body?.id === 9);
    assert.equal((await carrierRefusal(request(1, "tools/list"))).reason, "session-expired");
    assert.equal((await inFlight).reason, "session-expired");
    assert.equal(carrier.closeFailure?.refusal.reason, "session-expired");
    assert.equal((await carrierRefusal(request(2, "tools/list"))).reason, "closed");
  });
}

test("H3c a renewal that is never answered ends after 30 s", async (t) => {
  const clock = new WatchedClock();
  let handshakes = 0;
  const server = await startScriptedServer(t, (request, response) => {
    if (request.body?.method === "initialize" && (handshakes += 1) === 2) return openStream(response);
    return legacyScript({ script: knowing("none"), sessions: ["s-1"] })(request, response);
  });
  const { request } = await openLegacyCarrier(t, server.url, { clock });
  const list = carrierRefusal(request(1, "tools/list"));
  assert.deepEqual(await clock.waits(1), [30_000]);
  await clock.advance(30_000);
  assert.equal((await list).reason, "session-expired");
});

test("H3c a 404 at notifications/initialized makes a new session as well", async (t) => {
  let initialized = 0;
  const rest = legacyScript({ script: knowing("s-2"), sessions: ["s-1", "s-2"] });
  const server = await startScriptedServer(t, (request, response) => {
    const isFirst = request.body?.method === "notifications/initialized" && (initialized += 1) === 1;
    return isFirst ? sendStatus(response, 404) : rest(request, response);
  });
  const { request } = await openLegacyCarrier(t, server.url);
  await request(1, "tools/call");
  const handshakes = server.requests.filter(({ body }) => body?.method === "initialize");
  assert.equal(handshakes.length, 2);
});

test("H3c a GET answered 404 where there never was a stream does not cost the session", async (t) => {
  const server = await startScriptedServer(
    t,
    legacyScript({ script: knowing("s-1"), onGet: notFound, sessions: ["s-1"] }),
  );
  const { request } = await openLegacyCarrier(t, server.url);
  await server.seen(1, ({ method }) => method === "GET");
  await request(1, "tools/call");
  await request(2, "tools/call");
  assert.equal(server.requests.filter(({ body }) => body?.method === "initialize").length, 1);
});

test("H3c a 404 on a push stream that had been open makes a new session", async (t) => {
  const clock = new WatchedClock();
  let gets = 0;
  const onGet: Script = (_, response) => {
    gets += 1;
    if (gets === 2) return sendStatus(response, 404);
    openStream(response);
    if (gets === 1) response.end();
    return undefined;
  };
  const server = await startScriptedServer(
    t,
    legacyScript({ script: knowing("s-2"), onGet, sessions: ["s-1", "s-2"] }),
  );
  const { carrier } = await openLegacyCarrier(t, server.url, { clock });
  const renewed = new Promise((resolve) => (carrier.onsessionrenewed = resolve));
  await clock.waits(1);
  await clock.advance(1_000);
  await renewed;
  const seen = await server.seen(3, ({ method }) => method === "GET");
  assert.deepEqual(seen.map(sessionOf), ["s-1", "s-1", "s-2"]);
});

for (const session of ["a b", "é", "x".repeat(1_025)]) {
  test(`H3c a session id that is not visible ASCII of 1024 characters (${session.slice(0, 3)}) fails the handshake`, async (t) => {
    const server = await startScriptedServer(t, (request, response) => {
      const name = "mcp-session-id";
      response.writeHead(200, {
        "content-type": "application/json",
        [name]: Buffer.from(session).toString("latin1"),
      });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: request.body?.id, result: INITIALIZE_RESULT }));
    });
    const { request } = await openCarrier(t, server.url);
    assert.equal((await carrierRefusal(request(0, "initialize"))).reason, "invalid-response");
  });
}

test("H6 in 2026-07-28 a session id that a server gives is not taken, and a 404 renews nothing", async (t) => {
  const server = await startScriptedServer(t, (request, response) => {
    response.setHeader("mcp-session-id", "s-1");
    if (request.body?.id === 2) return sendStatus(response, 404);
    return sendJson(response, { jsonrpc: "2.0", id: request.body?.id, result: {} });
  });
  const { carrier } = await openCarrier(t, server.url);
  carrier.setProtocolVersion?.("2026-07-28");
  const params = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
  await carrier.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
  const second = carrier.send({ jsonrpc: "2.0", id: 2, method: "tools/list", params });
  assert.equal((await carrierRefusal(second)).reason, "http-status");
  await carrier.close();
  assert.deepEqual(server.requests.map(sessionOf), [undefined, undefined]);
});
