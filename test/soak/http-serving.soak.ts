import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { completed, createFakeAgentSession } from "../kit/fake-agent-session.ts";
import { createMcpRemoteHttpHost } from "../../src/composition/serve/http-hosts.ts";
import { FakeTokenVerifier } from "../kit/token-verifiers.ts";
import { Wire } from "../kit/wire.ts";

const ROUNDS = 120;
/** Rounds after which caches, pools and compiled code are warm, and the throttle's table is full. */
const WARM_ROUNDS = 60;
const REFUSED_A_ROUND = 100;
const CALLS_A_ROUND = 20;
/** What the heap may grow by after that. A leak of one request in three would show far above it. */
const GROWTH_LIMIT_BYTES = 3 * 1024 * 1024;

const headOf = (lines: readonly string[]): string =>
  ["POST /mcp HTTP/1.1", "Host: mcp.example.com", ...lines, "", ""].join("\r\n");

function messageOf(method: string, params: object): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const lines = [
    "Authorization: Bearer valid",
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${body.length}`,
  ];
  return `${headOf(lines)}${body}`;
}

const INITIALIZE = messageOf("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "x", version: "1" },
});
const CALL = messageOf("tools/call", { name: "echo", arguments: { text: "x" } });

/** Refused tokens of ever new addresses, handshakes that go nowhere, calls, and a client that leaves in the middle. */
async function round(t: TestContext, port: number, at: number): Promise<void> {
  const cleanups: (() => void)[] = [];
  const own = {
    after: (cleanup?: unknown) => void (typeof cleanup === "function" && cleanups.push(() => cleanup())),
  };
  const wire = await Wire.open(own, port);
  for (let request = 0; request < REFUSED_A_ROUND; request += 1) {
    const number = at * REFUSED_A_ROUND + request;
    const from = `${20 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}.1`;
    wire.send(headOf([`Authorization: Bearer bad${number}`, `X-Forwarded-For: ${from}`]));
    assert.equal((await wire.answer())?.status, 401);
  }
  for (let request = 0; request < CALLS_A_ROUND; request += 1) {
    wire.send(request % 2 === 0 ? INITIALIZE : CALL);
    const answer = await wire.answer();
    assert.equal(answer?.status, 200);
    if (/transfer-encoding: chunked/i.test(answer?.head ?? "")) await wire.skip("\r\n0\r\n\r\n");
  }
  const leaving = await Wire.open(own, port);
  leaving.send(CALL);
  leaving.reset();
  for (const cleanup of cleanups) cleanup();
  await Promise.all([wire.closed, leaving.closed]);
  t.signal.throwIfAborted();
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

test("R6 R8 12,000 refused tokens of as many addresses and 2,400 handshakes and calls leave the heap as it was", async (t) => {
  assert.ok(globalThis.gc, "run with --expose-gc");
  const host = createMcpRemoteHttpHost({
    name: "served",
    version: "1",
    session: createFakeAgentSession({ echo: ({ text }) => completed(String(text)) }),
    authorization: {
      publicUrl: "https://mcp.example.com/mcp",
      issuer: "https://issuer.example.com",
      scopes: ["mcp:use"],
      verifier: { verify: (token, options) => new FakeTokenVerifier().verify(token, options) },
      trustedProxies: ["127.0.0.1"],
    },
  });
  t.after(() => host.stop());
  const { listening } = await host.start();
  const heaps: number[] = [];

  for (let at = 0; at < ROUNDS; at += 1) {
    await round(t, listening.port, at);
    if (at >= WARM_ROUNDS - 1) heaps.push(heapBytes());
  }

  const [warm = 0] = heaps;
  const grown = (heaps.at(-1) ?? 0) - warm;
  t.diagnostic(`heap after ${WARM_ROUNDS} rounds ${warm} bytes, grown by ${grown} in as many more`);
  assert.ok(grown < GROWTH_LIMIT_BYTES, `${grown} bytes`);
});
