import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { openMcpSession } from "../../../../src/composition/open-session.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import type { Refusal } from "../../../../src/domain/refusal.ts";
import type { Clock } from "../../../../src/ports/clock.ts";
import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { legacyScript, sendStatus, startScriptedServer } from "../../../kit/http-mcp-server.ts";
import { httpCarrier } from "../../../kit/sdk-servers.ts";

/** The machine's clock, but for the date: an HTTP date is compared with it. */
const CLOCK: Clock = { ...createSystemClock(), nowMs: () => Date.UTC(2026, 6, 28, 12, 0, 0) };

/** Connects to a real server that answers every POST so. */
async function connectTo(
  t: TestContext,
  answer: { readonly status: number; readonly headers?: Record<string, string> },
): Promise<Refusal | undefined> {
  const server = await startScriptedServer(t, (_, response) =>
    sendStatus(response, answer.status, answer.headers),
  );
  const carrier = httpCarrier(t, server.url, { clock: CLOCK });
  const opened = await openMcpSession({
    carrier,
    serverId: "docs",
    clock: CLOCK,
    random: createSystemRandom(),
  });
  return opened.ok ? undefined : opened.refusal.refusal;
}

const STATUS = { kind: "session", reason: "http-status", serverId: "docs", stage: "connect" } as const;

for (const [status, value, retryAfterMs] of [
  [503, "7", 7_000],
  [429, "0", 0],
  [503, "Tue, 28 Jul 2026 12:01:00 GMT", 60_000],
  [429, "31536000", 86_400_000],
] as const) {
  test(`V2 a ${status} with \`Retry-After: ${value}\` fails the connect with ${retryAfterMs} ms`, async (t) => {
    const refusal = await connectTo(t, { status, headers: { "retry-after": value } });

    assert.deepEqual(refusal, { ...STATUS, code: status, retryAfterMs });
  });
}

for (const [status, headers] of [
  [503, {}],
  [503, { "retry-after": "soon" }],
  [500, { "retry-after": "7" }],
  [404, { "retry-after": "7" }],
] as const) {
  test(`V2 a ${status} with ${JSON.stringify(headers)} says nothing about when to come back`, async (t) => {
    assert.deepEqual(await connectTo(t, { status, headers }), { ...STATUS, code: status });
  });
}

test("V2 a call that a busy server turns away says how long it asks to be left alone", async (t) => {
  const server = await startScriptedServer(
    t,
    legacyScript({ script: (_, response) => sendStatus(response, 429, { "retry-after": "2" }) }),
  );
  const opened = await openMcpSession({
    carrier: httpCarrier(t, server.url),
    serverId: "docs",
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
  assert.ok(opened.ok);
  t.after(() => opened.value.close());

  const answer = await opened.value.callTool("echo", {});

  assert.deepEqual(answer, {
    ok: false,
    refusal: { refusal: { ...STATUS, stage: "call", code: 429, retryAfterMs: 2_000 } },
  });
  assert.equal(server.requests.filter(({ body }) => body?.method === "tools/call").length, 1);
});
