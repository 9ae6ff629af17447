import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";

import type { HttpCarrier } from "../../../../src/adapters/mcp-sdk/http-carrier.ts";
import type { PushState } from "../../../../src/adapters/mcp-sdk/http-push.ts";
import { openLegacyCarrier, type Connected } from "../../../kit/http-carriers.ts";
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
  type ScriptedServer,
  type SeenRequest,
} from "../../../kit/http-mcp-server.ts";
import { WatchedClock } from "../../../kit/watched-clock.ts";

const SAID = { jsonrpc: "2.0", method: "notifications/message" };
const CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const isGet = (request: SeenRequest): boolean => request.method === "GET";

interface Pushed extends Connected {
  readonly server: ScriptedServer;
  readonly clock: WatchedClock;
}

async function open(t: TestContext, onGet: Script, limits = {}): Promise<Pushed> {
  const clock = new WatchedClock();
  const server = await startScriptedServer(t, legacyScript({ script: echo, onGet }));
  return { ...(await openLegacyCarrier(t, server.url, { clock, limits })), server, clock };
}

/** Resolves when the carrier's push stream gets into a state. */
function becomes(carrier: HttpCarrier, state: PushState): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (carrier.push === state) resolve();
    };
    carrier.onpush = check;
    check();
  });
}

const closesAtOnce = streaming("");

test("H3b the server's own stream is opened after the handshake, and what it says is handed over", async (t) => {
  let stream: ServerResponse | undefined;
  const { carrier, received, server } = await open(t, (_, response) => {
    openStream(response);
    stream = response;
  });
  await becomes(carrier, "open");
  const arrived = new Promise<void>((resolve) => {
    const { onmessage } = carrier;
    Object.assign(carrier, {
      onmessage: (message: Parameters<NonNullable<typeof onmessage>>[0]) => {
        onmessage?.(message);
        resolve();
      },
    });
  });
  stream?.write(event(CHANGED));
  await arrived;
  assert.deepEqual(received, [CHANGED]);
  const [get] = await server.seen(1, isGet);
  assert.equal(get?.headers.accept, "text/event-stream");
  assert.equal(get?.headers["mcp-protocol-version"], "2025-11-25");
  assert.equal(get?.headers["last-event-id"], undefined);
});

for (const { name, onGet } of [
  { name: "405", onGet: ((_, response) => sendStatus(response, 405)) satisfies Script },
  {
    name: "404, where there never was a stream",
    onGet: ((_, response) => sendStatus(response, 404)) satisfies Script,
  },
  {
    name: "200 text/plain",
    onGet: ((_, response) =>
      void response.writeHead(200, { "content-type": "text/plain" }).end("hello")) satisfies Script,
  },
  { name: "200 without a type", onGet: ((_, response) => sendStatus(response, 200)) satisfies Script },
]) {
  test(`H5 a GET answered ${name} is no stream: nothing is asked again, and the connection works`, async (t) => {
    const { carrier, clock, server, request, received } = await open(t, onGet);
    await server.seen(1, isGet);
    await request(1, "tools/list");
    await clock.advance(3_600_000);
    assert.equal(carrier.push, "none");
    assert.equal(received.length, 1);
    assert.equal(server.requests.filter(isGet).length, 1);
  });
}

test("H4 a stream that closes at once is reopened ever more slowly, and a minute never holds more than 30", async (t) => {
  const { carrier, clock, server } = await open(t, closesAtOnce);
  for (let opening = 1; opening <= 8; opening += 1) {
    await server.seen(opening, isGet);
    await clock.waits(opening);
    await clock.advance(clock.asked[opening - 1] ?? 0);
  }
  assert.deepEqual(clock.asked.slice(0, 8), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  assert.notEqual(carrier.push, "no-push");
});

for (const { retry, waits } of [
  { retry: 0, waits: [100, 200] },
  { retry: 5_000, waits: [5_000, 10_000] },
  { retry: 99_999_999_999, waits: [30_000, 30_000] },
]) {
  test(`H4 retry: ${retry} is honoured within its bounds`, async (t) => {
    const { clock } = await open(t, streaming(`retry: ${retry}\n\n`));
    await clock.waits(1);
    await clock.advance(waits[0] ?? 0);
    assert.deepEqual(await clock.waits(2), waits);
  });
}

test("H3b useful traffic resets the wait, and the last event is named at the next opening", async (t) => {
  let opening = 0;
  const { clock, server } = await open(t, (_, response) => {
    opening += 1;
    openStream(response);
    response.end(opening === 3 ? event(CHANGED, { id: "e-3" }) : "");
  });
  for (const ms of [1_000, 2_000, 1_000]) {
    await clock.waits(clock.asked.length + (clock.pending === 0 ? 1 : 0));
    assert.equal(clock.asked.at(-1), ms);
    await clock.advance(ms);
  }
  const gets = await server.seen(4, isGet);
  assert.deepEqual(
    gets.map((get) => get.headers["last-event-id"]),
    [undefined, undefined, undefined, "e-3"],
  );
});

test("H3b a stream that is useful and closes each time is given up as no-push after 30 reopenings in a minute", async (t) => {
  const { carrier, clock, server } = await open(t, streaming(event(CHANGED, { retry: 0 })));
  for (let opening = 1; opening <= 30; opening += 1) {
    await clock.waits(opening);
    await clock.advance(100);
  }
  await becomes(carrier, "no-push");
  await clock.advance(3_600_000);
  assert.equal(server.requests.filter(isGet).length, 31);
  assert.deepEqual(new Set(clock.asked), new Set([100]));
});

for (const { name, text } of [
  { name: "an event over the cap", text: `data: ${"x".repeat(500)}\n\n` },
  { name: "malformed JSON", text: "data: {\n\n" },
]) {
  test(`H3 ${name} on the server's own stream ends it as no-push and leaves the calls`, async (t) => {
    const { carrier, request, received } = await open(
      t,
      (_, response) => {
        openStream(response);
        response.write(text);
      },
      { messageBytes: 400 },
    );
    await becomes(carrier, "no-push");
    await request(1, "tools/list");
    assert.equal(received.length, 1);
  });
}

test("H3b a response on the server's own stream answers nobody", async (t) => {
  const held: ServerResponse[] = [];
  let stream: ServerResponse | undefined;
  const onGet: Script = (_, response) => {
    openStream(response);
    stream = response;
  };
  const script: Script = (_, response) => void held.push(response);
  const server = await startScriptedServer(t, legacyScript({ script, onGet }));
  const { carrier, received, request } = await openLegacyCarrier(t, server.url);
  await becomes(carrier, "open");
  const call = request(1, "tools/call");
  await server.seen(1, ({ body }) => body?.method === "tools/call");
  await new Promise((resolve) =>
    stream?.write(event({ jsonrpc: "2.0", id: 1, result: { forged: true } }), resolve),
  );
  stream?.end(event(CHANGED));
  await becomes(carrier, "waiting");
  sendJson(held[0] as ServerResponse, { jsonrpc: "2.0", id: 1, result: {} });
  await call;
  assert.deepEqual(received, [CHANGED, { jsonrpc: "2.0", id: 1, result: {} }]);
});

test("H3b closing ends a wait for reopening, and leaves no timer", async (t) => {
  const { carrier, clock, server } = await open(t, closesAtOnce);
  await clock.waits(1);
  await carrier.close();
  await clock.advance(60_000);
  assert.equal(clock.pending, 0);
  assert.equal(server.requests.filter(isGet).length, 1);
});

test("X5 what a server says unasked over the rate is dropped, and answers still come", async (t) => {
  let stream: ServerResponse | undefined;
  const { carrier, received, request } = await open(
    t,
    (_, response) => {
      openStream(response);
      stream = response;
    },
    { unasked: { burst: 3, perSecond: 0 } },
  );
  await becomes(carrier, "open");

  stream?.write(event(SAID).repeat(50));
  await request(1, "tools/list");
  stream?.write(event(SAID));
  await request(2, "tools/list");

  assert.equal(received.filter((message) => "method" in message).length, 3);
  assert.equal(received.filter((message) => !("method" in message)).length, 2);
});

test("V4 X5 a list that changed is heard of behind a flood, and a request of that name is not", async (t) => {
  let stream: ServerResponse | undefined;
  const { carrier, received } = await open(
    t,
    (_, response) => {
      openStream(response);
      stream = response;
    },
    { unasked: { burst: 3, perSecond: 0 } },
  );
  await becomes(carrier, "open");

  stream?.end(event(SAID).repeat(50) + event({ ...CHANGED, id: 7 }) + event(CHANGED));
  await becomes(carrier, "waiting");

  assert.deepEqual(received, [SAID, SAID, SAID, CHANGED]);
});
