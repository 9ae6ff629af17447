import assert from "node:assert/strict";
import { test } from "node:test";

import { sendLoad } from "../../bench/load.ts";
import { createSystemClock } from "../../src/adapters/system/clock.ts";
import { createMcpRemoteHttpHost } from "../../src/composition/node.ts";
import type { GateRecord } from "../../src/domain/gate/gate-record.ts";
import { accept, refuse } from "../../src/domain/outcome.ts";
import type { AccessTokenVerifier } from "../../src/ports/access-token-verifier.ts";
import type { AgentSession } from "../../src/ports/agent-session.ts";
import { signToken } from "../kit/access-tokens.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { ISSUER } from "../kit/issuer-documents.ts";
import { claimsAt, RESOURCE, tokenWorld } from "../kit/token-world.ts";
import { VERIFIED } from "../kit/token-verifiers.ts";

const WARM_CALLS = 50_000;
const ALL_CALLS = 200_000;
/** So many calls on eight connections; then eight new ones. */
const CALLS_A_TURN = 1_000;
/** One call in ten is opened by a token that is verified for good. */
const REAL_ONE_IN = 10;
/** 150,000 calls that each left ten bytes behind would be more. What the runtime itself keeps is less. */
const GROWTH_LIMIT_BYTES = 1.5 * 1024 * 1024;

const BAD_TOKENS = 10_000;
/** More addresses than are tracked (R6): the table is full when the first half is over. */
const BAD_TOKENS_FIRST = 5_000;
/** The second half would hold about as much again as the 4,096 of the first, some 1 MiB. */
const TRACKED_GROWTH_LIMIT_BYTES = 0.5 * 1024 * 1024;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "soak", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("R8 200,000 calls through a remote host, in both eras, leave no memory, handle or listener behind", async (t) => {
  const before = traces();
  const session = countingSession();
  const { verifier, token } = realAndFast();
  const host = remoteHost(session, { verifier });
  const { port } = (await host.start()).listening;
  const request = (index: number): string =>
    callOf({ token: index % REAL_ONE_IN === 0 ? token : "fast", isModern: index % 2 === 0 });
  const heaps: number[] = [];
  for (const until of [WARM_CALLS, ALL_CALLS]) {
    while (session.calls() < until) await sendLoad({ port, request, status: 200 }, CALLS_A_TURN);
    heaps.push(await heapBytes());
  }
  const [early = 0, late = 0] = heaps;
  t.diagnostic(`heap after ${WARM_CALLS} and ${ALL_CALLS} calls: ${early} and ${late} bytes`);

  await host.stop();

  assert.equal(session.calls(), ALL_CALLS);
  assert.ok(late - early < GROWTH_LIMIT_BYTES, `the heap grew by ${late - early} bytes`);
  assert.equal(session.listeners(), 0);
  assert.deepEqual(await settledTraces(before), before);
});

test("R6 10,000 bad tokens from as many addresses are held in bounded memory, and a valid one passes all along", async (t) => {
  const session = countingSession();
  const reasons = new Map<string, number>();
  const audit = ({ reason }: GateRecord): void => void reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  // Its time stands still, so that no failure is ever over.
  const host = remoteHost(session, { verifier: onlyFast(), clock: new FakeClock(), audit });
  t.after(() => host.stop());
  const { port } = (await host.start()).listening;
  const sent = { count: 0 };
  const bad = (): string => callOf({ token: "bad", from: addressAt((sent.count += 1)) });
  const valid = (index: number): string => callOf({ token: "fast", from: addressAt(index) });
  const heaps: number[] = [];
  for (const until of [BAD_TOKENS_FIRST, BAD_TOKENS]) {
    while (sent.count < until) {
      await Promise.all([
        sendLoad({ port, request: bad, status: 401 }, 500),
        sendLoad({ port, request: valid, status: 200 }, 50),
      ]);
    }
    heaps.push(await heapBytes());
  }
  const [early = 0, late = 0] = heaps;
  t.diagnostic(`heap after ${BAD_TOKENS_FIRST} and ${BAD_TOKENS} bad tokens: ${early} and ${late} bytes`);

  // The last address has failed once: 19 more are 401, and then it has to wait, but for its valid token.
  const last = addressAt(BAD_TOKENS);
  await sendLoad({ port, request: callOf({ token: "bad", from: last }), status: 401 }, 19);
  await sendLoad({ port, request: callOf({ token: "bad", from: last }), status: 429 }, 100);
  await sendLoad({ port, request: callOf({ token: "fast", from: last }), status: 200 }, 100);

  assert.ok(late - early < TRACKED_GROWTH_LIMIT_BYTES, `the heap grew by ${late - early} bytes`);
  assert.deepEqual(Object.fromEntries(reasons), { "token-signature": BAD_TOKENS + 19, throttled: 100 });
  assert.equal(session.calls(), (BAD_TOKENS / 500) * 50 + 100);
});

function remoteHost(
  session: AgentSession,
  {
    verifier,
    clock,
    audit,
  }: {
    readonly verifier: AccessTokenVerifier;
    readonly clock?: FakeClock;
    readonly audit?: (record: GateRecord) => void;
  },
): ReturnType<typeof createMcpRemoteHttpHost> {
  return createMcpRemoteHttpHost({
    name: "soak",
    version: "1.0.0",
    session,
    ...(clock !== undefined && { clock }),
    authorization: {
      publicUrl: RESOURCE,
      issuer: ISSUER,
      scopes: ["mcp:use"],
      verifier,
      trustedProxies: ["127.0.0.1"],
      ...(audit !== undefined && { audit }),
    },
  });
}

/** Counts and keeps nothing. */
function countingSession(): AgentSession & { calls(): number; listeners(): number } {
  const counted = { calls: 0, listeners: 0 };
  const tools = [{ name: "echo", inputSchema: { type: "object" } }];
  return {
    tools: () => Promise.resolve(tools),
    invoke: (_toolName, { text }) => {
      counted.calls += 1;
      return Promise.resolve({ status: "completed", content: [{ type: "text", text: String(text) }] });
    },
    onToolsChanged: () => {
      counted.listeners += 1;
      return () => void (counted.listeners -= 1);
    },
    calls: () => counted.calls,
    listeners: () => counted.listeners,
  };
}

function onlyFast(): AccessTokenVerifier {
  return {
    verify: async (token) =>
      token === "fast" ? accept(VERIFIED) : refuse({ kind: "token", reason: "signature" }),
  };
}

/** The real verifier with an issuer in this process, and one word that is taken at once. */
function realAndFast(): { readonly verifier: AccessTokenVerifier; readonly token: string } {
  const clock = createSystemClock();
  const world = tokenWorld({ clock });
  const fast = onlyFast();
  const token = signToken(
    { header: { alg: "ES256", typ: "at+jwt", kid: "one" }, claims: claimsAt(clock.nowMs()) },
    world.key,
  );
  const verifier: AccessTokenVerifier = {
    verify: (given, call) => (given === "fast" ? fast : world.verifier).verify(given, call),
  };
  return { verifier, token };
}

/** A forwarded address for each index, none like another. */
function addressAt(index: number): string {
  return `203.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

function callOf({
  token,
  isModern = false,
  from = "203.0.0.0",
}: {
  readonly token: string;
  readonly isModern?: boolean;
  readonly from?: string;
}): string {
  const params = { name: "echo", arguments: { text: "a text" }, ...(isModern && { _meta: META }) };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return [
    "POST /mcp HTTP/1.1",
    "Host: mcp.example",
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `MCP-Protocol-Version: ${isModern ? "2026-07-28" : "2025-11-25"}`,
    ...(isModern ? ["Mcp-Method: tools/call", "Mcp-Name: echo"] : []),
    `Authorization: Bearer ${token}`,
    `X-Forwarded-For: ${from}`,
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

async function heapBytes(): Promise<number> {
  assert.ok(globalThis.gc !== undefined, "run with --expose-gc");
  // What the last turns left behind goes first.
  for (let turn = 0; turn < 4; turn += 1) {
    await nextTurn();
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

/** What the process holds open, and who listens to it. */
function traces(): readonly string[] {
  // Node opens them when they are first looked at; importing `node:process`, as the SDK does, looks at all three.
  for (const stream of [process.stdin, process.stdout, process.stderr])
    assert.ok(stream.listenerCount("data") >= 0);
  const listeners = process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`);
  return [...process.getActiveResourcesInfo(), ...listeners].toSorted();
}

/** The same once what was closed has been let go of, which takes the loop some turns. */
async function settledTraces(expected: readonly string[]): Promise<readonly string[]> {
  for (let turn = 0; turn < 1_000 && traces().join() !== expected.join(); turn += 1) await nextTurn();
  return traces();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
