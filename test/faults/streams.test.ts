/** Public faults of hosts with sessions, streams and deadlines, each against a real server that shows them. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";

import { FakeClock } from "../kit/fake-clock.ts";
import { callsOf, faultHost, startFaultServer } from "../kit/fault-servers.ts";
import {
  event,
  legacyScript,
  openStream,
  sendJson,
  sendStatus,
  startScriptedServer,
  type Script,
  type ScriptedServer,
  type SeenRequest,
} from "../kit/http-mcp-server.ts";

const TOOL = { name: "t", inputSchema: { type: "object" } };
const LIST = { tools: [TOOL] };

/** A server that restarts: it knows the newest session it gave out, and answers others with a status. */
async function restartingServer(
  t: TestContext,
  status: number,
): Promise<{ readonly server: ScriptedServer; readonly restart: () => void }> {
  let alive = "one";
  const known: Script = (request, response) => {
    if (request.headers["mcp-session-id"] !== alive) return sendStatus(response, status);
    const result = request.body?.method === "tools/list" ? LIST : { content: [] };
    return sendJson(response, { jsonrpc: "2.0", id: request.body?.id, result });
  };
  const server = await startScriptedServer(t, legacyScript({ script: known, sessions: ["one", "two"] }));
  return { server, restart: () => (alive = "two") };
}

function handshakes({ requests }: ScriptedServer): number {
  return requests.filter(({ body }) => body?.method === "initialize").length;
}

test("H3c fault H1 after a restart the session is made anew once, and the call that met it is told, not repeated", async (t) => {
  const { server, restart } = await restartingServer(t, 404);
  const { host } = await faultHost(t, { s: { url: server.url } });
  await host.call("s__t", {});

  restart();
  const met = await Promise.all([host.call("s__t", {}), host.call("s__t", {})]);
  const next = await host.call("s__t", {});

  assert.deepEqual(
    met.map((answer) => !answer.ok && answer.refusal.refusal.reason),
    ["session-expired", "session-expired"],
  );
  assert.equal(next.ok, true);
  assert.equal(handshakes(server), 2);
  assert.equal(callsOf(server).length, 4);
});

test("H3c fault H2 a status that says nothing of the session is an error of the call, and no new session is made", async (t) => {
  const { server, restart } = await restartingServer(t, 503);
  const { host } = await faultHost(t, { s: { url: server.url } });
  await host.call("s__t", {});

  restart();
  const call = await host.call("s__t", {});

  const refusal = call.ok ? undefined : call.refusal.refusal;
  assert.equal(refusal?.reason, "http-status");
  assert.equal("code" in refusal ? refusal.code : undefined, 503);
  assert.equal(handshakes(server), 1);
});

interface HeldCall {
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  /** Sends a step of the call that is running. */
  readonly progress: (value: number, of?: "its own" | "another") => void;
  readonly finish: () => void;
  readonly host: Awaited<ReturnType<typeof faultHost>>["host"];
}

/** A server whose tool says nothing until a test lets it, and a host whose clock stands still. */
async function heldCall(t: TestContext): Promise<HeldCall> {
  const held: { request: SeenRequest; response: ServerResponse }[] = [];
  const server = await startFaultServer(t, {
    list: () => LIST,
    call: (request, response) => {
      openStream(response);
      held.push({ request, response });
      return undefined;
    },
  });
  const clock = new FakeClock();
  const { host } = await faultHost(t, { s: { url: server.url } }, { parts: { clock } });
  await host.catalog();
  const write = (message: object): void =>
    void held[0]?.response.write(event({ jsonrpc: "2.0", ...message }));
  return {
    server,
    clock,
    host,
    progress: (progress, of = "its own") => {
      const meta: unknown = held[0]?.request.body?.params?.["_meta"];
      const own =
        typeof meta === "object" && meta !== null && "progressToken" in meta ? meta.progressToken : "";
      const progressToken = of === "its own" ? own : "somebody else's";
      write({ method: "notifications/progress", params: { progressToken, progress } });
    },
    finish: () => write({ id: held[0]?.request.body?.id, result: { content: [] } }),
  };
}

async function seenCall({ server }: HeldCall): Promise<void> {
  await server.seen(1, ({ body }) => body?.method === "tools/call");
}

test("C7b fault H7 a call whose progress goes on for 100 s outlasts its 60 s", async (t) => {
  const world = await heldCall(t);
  const told = listener();
  const call = world.host.call("s__t", {}, { onProgress: ({ progress }) => told.tell(progress) });
  await seenCall(world);

  for (const step of [1, 2, 3, 4, 5]) {
    world.progress(step);
    await told.about(step);
    await world.clock.advance(20_000);
  }
  world.finish();

  assert.equal((await call).ok, true);
  const sent = world.server.requests.find(({ body }) => body?.method === "tools/call");
  assert.ok(sent?.body?.params?.["_meta"]);
});

test("C7b fault H7 progress of another call keeps none alive, and a deadline says its length", async (t) => {
  const world = await heldCall(t);
  const call = world.host.call("s__t", {});
  await seenCall(world);

  world.progress(1, "another");
  await world.clock.advance(59_999);
  const early = await Promise.race([call, Promise.resolve("runs")]);
  await world.clock.advance(1);

  const answer = await call;
  assert.equal(early, "runs");
  assert.deepEqual(!answer.ok && answer.refusal.refusal, {
    kind: "session",
    reason: "outcome-unknown",
    serverId: "s",
    stage: "call",
    ended: "timeout",
    limitMs: 60_000,
  });
});

test("C7b fault H8 progress for ever ends at the absolute limit, which is told, and the server is told to stop", async (t) => {
  const world = await heldCall(t);
  const told = listener();
  const call = world.host.call("s__t", {}, { onProgress: ({ progress }) => told.tell(progress) });
  await seenCall(world);

  for (let step = 1; step <= 12; step += 1) {
    world.progress(step);
    await told.about(step);
    await world.clock.advance(50_000);
  }

  const answer = await call;
  const refusal = answer.ok ? undefined : answer.refusal.refusal;
  assert.equal(refusal?.reason, "outcome-unknown");
  assert.deepEqual("ended" in refusal && [refusal.ended, refusal.limitMs], ["total-timeout", 600_000]);
  const [cancelled] = await world.server.seen(1, ({ body }) => body?.method === "notifications/cancelled");
  assert.deepEqual(Object.keys(cancelled?.body?.params ?? {}), ["requestId"]);
});

test("C7b fault H8 progress that does not grow keeps no call alive", async (t) => {
  const world = await heldCall(t);
  const told = listener();
  const call = world.host.call("s__t", {}, { onProgress: ({ progress }) => told.tell(progress) });
  await seenCall(world);

  world.progress(5);
  await told.about(5);
  await world.clock.advance(30_000);
  for (const value of [5, 4, 1]) world.progress(value);
  await world.clock.advance(30_000);

  const answer = await call;
  assert.equal(!answer.ok && answer.refusal.refusal.reason, "outcome-unknown");
  assert.deepEqual(told.values, [5]);
});

/** Collects what was told, and lets a test wait for a value. */
function listener(): {
  readonly values: readonly number[];
  readonly tell: (value: number) => void;
  readonly about: (value: number) => Promise<void>;
} {
  const values: number[] = [];
  const waiting = new Map<number, () => void>();
  return {
    values,
    tell: (value) => {
      values.push(value);
      waiting.get(value)?.();
    },
    about: (value) =>
      new Promise((resolve) => (values.includes(value) ? resolve() : void waiting.set(value, resolve))),
  };
}

/** Accepts and never says a word. */
async function silentListener(t: TestContext): Promise<string> {
  const server = createServer((socket) => void socket.on("error", () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test("V7 C7b fault H11 servers that never answer keep no other waiting, and each ends at its own deadline with a reason", async (t) => {
  const good = await startFaultServer(t, { list: () => LIST });
  const heads = await startScriptedServer(t, (_, response) => openStream(response));
  const entries = {
    child: { command: process.execPath, args: ["-e", "process.stdin.resume()"] },
    good: { url: good.url },
    heads: { url: heads.url },
    socket: { url: await silentListener(t) },
  };
  const { host } = await faultHost(t, entries, { timeouts: { startupMs: 400 } });

  const silent = new Set(["child", "heads", "socket"]);
  const all = host.catalog();
  const first = await Promise.race([all, host.call("good__t", {})]);
  const { servers, tools } = await all;

  assert.equal("ok" in first && first.ok, true);
  assert.deepEqual([...tools.keys()], ["good__t"]);
  for (const server of servers.filter(({ name }) => silent.has(name))) {
    assert.equal(server.state, "failed", server.name);
    assert.equal(server.error.refusal.reason, "timeout", server.name);
  }
});
