import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import {
  legacyScript,
  sendJson,
  sendStatus,
  startScriptedServer,
  type Script,
} from "../../../kit/http-mcp-server.ts";
import { httpCarrier } from "../../../kit/sdk-servers.ts";

const TRACEPARENT = `00-${"1".repeat(32)}-${"2".repeat(16)}-01`;

async function open(t: TestContext, script: Script, options: { readonly auto?: boolean } = {}) {
  const server = await startScriptedServer(t, script);
  const opened = await openMcpSession({
    carrier: httpCarrier(t, server.url, { traceOrigins: [server.origin] }),
    serverId: "s",
    clock: createSystemClock(),
    random: createSystemRandom(),
    ...(options.auto === true && { protocolVersion: "auto" }),
  });
  if (opened.ok) t.after(() => opened.value.close());
  return { server, opened };
}

function posted(requests: readonly { readonly body: { readonly method?: string } | undefined }[]) {
  return requests.flatMap(({ body }) => (body?.method === undefined ? [] : [body.method]));
}

for (const status of [400, 404, 405]) {
  test(`C1 auto goes on to the handshake with an HTTP server that answers the probe with ${status}`, async (t) => {
    const answer = legacyScript({ script: (_request, response) => sendStatus(response, status) });

    const { opened, server } = await open(t, answer, { auto: true });

    assert.equal(opened.ok && opened.value.server.era, "legacy");
    assert.deepEqual(posted(server.requests), ["server/discover", "initialize", "notifications/initialized"]);
  });
}

for (const [status, reason] of [
  [401, "auth-required"],
  [403, "auth-required"],
  [429, "http-status"],
  [500, "http-status"],
  [503, "http-status"],
] as const) {
  test(`C7b auto ends with an HTTP server that answers the probe with ${status}: no second era`, async (t) => {
    const answer = legacyScript({ script: (_request, response) => sendStatus(response, status) });

    const { opened, server } = await open(t, answer, { auto: true });

    assert.deepEqual(opened, {
      ok: false,
      refusal: { refusal: { kind: "session", reason, serverId: "s", stage: "connect", code: status } },
    });
    assert.deepEqual(posted(server.requests), ["server/discover"]);
  });
}

test("H5 a call's trace travels on its POST and its cancellation, and on nothing else", async (t) => {
  const { opened, server } = await open(
    t,
    legacyScript({
      script: ({ body }, response) => {
        if (body?.method === "tools/list")
          sendJson(response, { jsonrpc: "2.0", id: body.id, result: { tools: [] } });
        if (body?.method === "notifications/cancelled") sendStatus(response, 202);
      },
    }),
  );
  if (!opened.ok) throw new Error(opened.refusal.refusal.reason);
  const control = new AbortController();
  const trace = { traceparent: TRACEPARENT, tracestate: "a=1" };
  const asked = opened.value.callTool("slow", {}, { trace, signal: control.signal });
  await server.seen(1, ({ body }) => body?.method === "tools/call");
  await opened.value.discover();

  control.abort(new Error("private"));
  const answer = await asked;
  await server.seen(1, ({ body }) => body?.method === "notifications/cancelled");

  assert.equal(!answer.ok && answer.refusal.refusal.reason, "outcome-unknown");
  const traced = server.requests.filter(({ headers }) => headers["traceparent"] === TRACEPARENT);
  assert.deepEqual(posted(traced), ["tools/call", "notifications/cancelled"]);
  assert.deepEqual(new Set(traced.map(({ headers }) => headers["tracestate"])), new Set(["a=1"]));
  const others = server.requests.filter((request) => !traced.includes(request));
  assert.ok(others.every(({ headers }) => headers["traceparent"] === undefined));
  assert.doesNotMatch(JSON.stringify(server.requests), /private/);
});

test("H3c a call that meets an expired session is not repeated, and the session says that it is another", async (t) => {
  let calls = 0;
  const { opened } = await open(
    t,
    legacyScript({
      sessions: ["one", "two"],
      script: ({ headers, body }, response) => {
        calls += 1;
        if (headers["mcp-session-id"] === "one") sendStatus(response, 404);
        else sendJson(response, { jsonrpc: "2.0", id: body?.id, result: { content: [] } });
      },
    }),
  );
  if (!opened.ok) throw new Error(opened.refusal.refusal.reason);
  const session = opened.value;
  const before = session.identity;
  let told = 0;
  session.onRenewed(() => (told += 1));

  const lost = await session.callTool("write", {});
  assert.equal(calls, 1);
  const next = await session.callTool("write", {});

  assert.equal(!lost.ok && lost.refusal.refusal.reason, "session-expired");
  assert.equal(next.ok, true);
  assert.equal(told, 1);
  assert.notEqual(session.identity.carrierGeneration, before.carrierGeneration);
});
