/** Public faults of streams that announce changes, in both eras, each against a real server that shows them. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import { openMcpSession } from "../../src/composition/open-session.ts";
import { HTTP_LIMITS, type HttpLimits } from "../../src/adapters/mcp-sdk/http-link.ts";
import { createSystemRandom } from "../../src/adapters/system/random.ts";
import { valueOf } from "../kit/activation.ts";
import { pushed } from "../kit/changing-servers.ts";
import {
  echo,
  event,
  legacyScript,
  sendStatus,
  startScriptedServer,
  streaming,
  type Script,
  type ScriptedServer,
  type SeenRequest,
} from "../kit/http-mcp-server.ts";
import { agree, isListen, modernScript, onSubscription, TOOLS_CHANGED } from "../kit/modern-script.ts";
import { httpCarrier } from "../kit/sdk-servers.ts";
import { WatchedClock } from "../kit/watched-clock.ts";

interface Opened {
  readonly session: McpSession;
  readonly server: ScriptedServer;
  readonly clock: WatchedClock;
}

const isGet = ({ method }: SeenRequest): boolean => method === "GET";

async function opened(
  t: TestContext,
  era: "legacy" | "2026-07-28",
  { script, limits = {} }: { readonly script: Script; readonly limits?: Partial<HttpLimits> },
): Promise<Opened> {
  const clock = new WatchedClock();
  const server = await startScriptedServer(t, script);
  const session = valueOf(
    await openMcpSession({
      carrier: httpCarrier(t, server.url, { clock, limits: { ...HTTP_LIMITS, ...limits } }),
      serverId: "s",
      ...(era === "legacy" ? {} : { protocolVersion: era }),
      clock,
      random: createSystemRandom(),
    }),
  );
  t.after(() => session.close());
  return { session, server, clock };
}

/** Lets a stream that ends at once be opened again `times` times, each as soon as it may. */
async function reopen({ session, clock }: Opened, times: number): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let opening = 0; opening < times; opening += 1) {
    await pushed(session, "waiting");
    const ms = clock.asked.at(-1) ?? 0;
    waits.push(ms);
    // Whatever the next opening brings, it is no longer waiting while it is open.
    const open = pushed(session, "open");
    await clock.advance(ms);
    await open;
  }
  return waits;
}

test("H3b fault H4 a subscription that is agreed to and closed is opened again ever more slowly", async (t) => {
  const world = await opened(t, "2026-07-28", {
    script: modernScript((request, response) => {
      agree(request, response);
      response.end();
    }),
  });
  world.session.followLists();

  const waits = await reopen(world, 6);

  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  assert.equal((await world.session.callTool("t", {})).ok, true);
});

test("H3b fault H4 a subscription that brings something and closes each time is given up after 30 reopenings", async (t) => {
  const changed: string[] = [];
  const world = await opened(t, "2026-07-28", {
    script: modernScript((request, response) => {
      agree(request, response);
      response.end(onSubscription(request, TOOLS_CHANGED));
    }),
  });
  world.session.onListChanged((kind) => void changed.push(kind));
  world.session.followLists();

  await reopen(world, 30);
  await pushed(world.session, "no-push");
  await world.clock.advance(3_600_000);

  assert.equal(world.server.requests.filter(isListen).length, 31);
  assert.equal(changed.length, 31);
  assert.equal((await world.session.callTool("t", {})).ok, true);
});

test("H3b fault H4 a GET stream that is useful and closes each time is given up, the session says so and works", async (t) => {
  const changed = event({ jsonrpc: "2.0", method: TOOLS_CHANGED }, { retry: 0 });
  const world = await opened(t, "legacy", {
    script: legacyScript({ script: echo, onGet: streaming(changed) }),
  });

  await reopen(world, 30);
  await pushed(world.session, "no-push");
  await world.clock.advance(3_600_000);

  assert.equal(world.server.requests.filter(isGet).length, 31);
  assert.equal((await world.session.callTool("t", {})).ok, true);
});

const plainText: Script = (_, response) =>
  void response.writeHead(200, { "content-type": "text/plain" }).end("hello");

for (const [what, answer] of [
  ["200 text/plain", plainText],
  ["405", (_, response) => sendStatus(response, 405)],
  ["404", (_, response) => sendStatus(response, 404)],
] satisfies readonly (readonly [string, Script])[]) {
  test(`H3b fault H5 a subscription answered ${what} is none, and is not asked for again`, async (t) => {
    const { session, server, clock } = await opened(t, "2026-07-28", { script: modernScript(answer) });
    session.followLists();
    await server.seen(1, isListen);
    assert.equal((await session.callTool("t", {})).ok, true);

    await clock.advance(3_600_000);

    assert.equal(session.listPush, "none");
    assert.equal(server.requests.filter(isListen).length, 1);
  });
}

test("H3b fault H5 a GET stream answered 200 text/plain is none: the session says so and works", async (t) => {
  const script = legacyScript({ script: echo, onGet: plainText });
  const { session, server, clock } = await opened(t, "legacy", { script });
  await server.seen(1, isGet);
  assert.equal((await session.callTool("t", {})).ok, true);

  await clock.advance(3_600_000);

  assert.equal(session.listPush, "none");
  assert.equal(server.requests.filter(isGet).length, 1);
});

test("H3 a subscription may bring more than a call in all, and one event over its cap ends it for good", async (t) => {
  const limits = { messageBytes: 600, callBytes: 1_000 };
  const changed: string[] = [];
  const world = await opened(t, "2026-07-28", {
    limits,
    script: modernScript((request, response) => {
      agree(request, response);
      response.write(onSubscription(request, TOOLS_CHANGED).repeat(20));
      response.write(onSubscription(request, TOOLS_CHANGED, { padding: "x".repeat(600) }));
    }),
  });
  world.session.onListChanged((kind) => void changed.push(kind));
  world.session.followLists();

  await pushed(world.session, "no-push");
  await world.clock.advance(3_600_000);

  assert.equal(changed.length, 20);
  assert.equal(world.server.requests.filter(isListen).length, 1);
  assert.equal((await world.session.callTool("t", {})).ok, true);
});

test("V4 closing a session cuts the stream of its subscription, and nothing is asked for after that", async (t) => {
  const hold: { cut?: () => void } = {};
  const cut = new Promise<void>((resolve) => (hold.cut = resolve));
  const { session, server, clock } = await opened(t, "2026-07-28", {
    script: modernScript((request, response) => {
      agree(request, response);
      response.on("close", () => hold.cut?.());
    }),
  });
  session.followLists();
  await pushed(session, "open");

  await session.close();
  await cut;
  await clock.advance(3_600_000);

  assert.equal(clock.pending, 0);
  assert.equal(server.requests.filter(isListen).length, 1);
});
