import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";

import { encodeHeaderText } from "../../../../src/domain/http/header-text.ts";
import { carrierRefusal, openCarrier, openLegacyCarrier } from "../../../kit/http-carriers.ts";
import {
  echo,
  legacyScript,
  openStream,
  sendStatus,
  startScriptedServer,
  type Script,
  type SeenRequest,
} from "../../../kit/http-mcp-server.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const TRACE = { traceparent: PARENT, tracestate: "vendor=1" };
const traceOf = ({ headers }: SeenRequest): unknown[] => [headers["traceparent"], headers["tracestate"]];

test("H2 the admitted headers are on every request as they were written, and only the protocol's are added", async (t) => {
  const server = await startScriptedServer(t, legacyScript({ script: echo, sessions: ["s-1"] }));
  const headers = { Authorization: "Bearer a", "X-Tenant": "t" };
  const { carrier, request } = await openLegacyCarrier(t, server.url, { headers });
  await request(1, "tools/list");
  await server.seen(1, ({ method }) => method === "GET");
  await carrier.close();
  const seen = server.requests.map(({ method, headers }) => ({
    method,
    admitted: [headers.authorization, headers["x-tenant"]],
    own: Object.keys(headers).filter((name) => name.startsWith("mcp-")),
  }));
  const own = ["mcp-protocol-version", "mcp-session-id"];
  const row = (method: string, names: readonly string[] = own): object => ({
    method,
    admitted: ["Bearer a", "t"],
    own: names,
  });
  const [first, second, ...rest] = seen;
  assert.deepEqual([first, second, rest.pop()], [row("POST", []), row("POST"), row("DELETE")]);
  // The stream and the list are sent side by side.
  assert.deepEqual(new Set(rest.map(({ method }) => method)), new Set(["GET", "POST"]));
  for (const { method, ...others } of rest) assert.deepEqual({ method, ...others }, row(method));
});

test("H6 the version header is the body's own version, and method and name repeat the body", async (t) => {
  const server = await startScriptedServer(t, echo);
  const { carrier } = await openCarrier(t, server.url);
  carrier.setProtocolVersion?.("2026-07-28");
  const send = (id: number, method: string, params: object, version: string): Promise<void> =>
    carrier.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: { [VERSION_KEY]: version } } });
  await send(1, "tools/call", { name: "echo" }, "2026-07-28");
  await send(2, "tools/call", { name: "écho" }, "2027-01-01");
  await send(3, "resources/read", { uri: "file:///a" }, "2026-07-28");
  await send(4, "tools/list", { name: "not a name" }, "2026-07-28");
  const seen = server.requests.map(({ headers }) => [
    headers["mcp-protocol-version"],
    headers["mcp-method"],
    headers["mcp-name"],
  ]);
  assert.deepEqual(seen, [
    ["2026-07-28", "tools/call", "echo"],
    ["2027-01-01", "tools/call", "=?base64?w6ljaG8=?="],
    ["2026-07-28", "resources/read", "file:///a"],
    ["2026-07-28", "tools/list", undefined],
  ]);
});

test("H6 a message of 2026-07-28 never carries a session, not even where one is held", async (t) => {
  const server = await startScriptedServer(t, legacyScript({ script: echo, sessions: ["s-1"] }));
  const { carrier } = await openLegacyCarrier(t, server.url);
  const params = { _meta: { [VERSION_KEY]: "2026-07-28" } };
  await carrier.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
  const sent = server.requests.find(({ body }) => body?.method === "tools/list");
  assert.equal(sent?.headers["mcp-session-id"], undefined);
});

test("H6 a notification of 2026-07-28 carries its version and method too", async (t) => {
  const server = await startScriptedServer(t, (_, response) => sendStatus(response, 202));
  const { carrier } = await openCarrier(t, server.url);
  const params = { _meta: { [VERSION_KEY]: "2026-07-28" } };
  await carrier.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed", params });
  const [seen] = server.requests;
  assert.equal(seen?.headers["mcp-protocol-version"], "2026-07-28");
  assert.equal(seen?.headers["mcp-method"], "notifications/roots/list_changed");
});

for (const { text, header } of [
  { text: "plain name-1", header: "plain name-1" },
  { text: "a\tb", header: "a\tb" },
  { text: "", header: "=?base64??=" },
  { text: " a", header: "=?base64?IGE=?=" },
  { text: "a ", header: "=?base64?YSA=?=" },
  { text: "a\r\nb: c", header: "=?base64?YQ0KYjogYw==?=" },
  { text: "é", header: "=?base64?w6k=?=" },
  { text: "=?base64?YQ==?=", header: "=?base64?PT9iYXNlNjQ/WVE9PT89?=" },
  { text: "=?base64?=", header: "=?base64?PT9iYXNlNjQ/PQ==?=" },
]) {
  test(`H6 the name ${JSON.stringify(text)} travels as ${JSON.stringify(header)}`, () => {
    assert.equal(encodeHeaderText(text), header);
  });
}

test("H6 a mirrored parameter travels with its own call alone", async (t) => {
  const server = await startScriptedServer(t, echo);
  const { request } = await openCarrier(t, server.url);
  await request(1, "tools/call", { headers: { "Mcp-Param-Region": "eu" } });
  await request(2, "tools/call");
  assert.deepEqual(
    server.requests.map(({ headers }) => headers["mcp-param-region"]),
    ["eu", undefined],
  );
});

for (const headers of [
  { authorization: "x" },
  { "mcp-session-id": "x" },
  { "mcp-method": "x" },
  { "x-other": "x" },
  { "mcp-param-a b": "x" },
  { "mcp-param-a": "x\r\ny: z" },
]) {
  test(`H2 a call that asks for ${JSON.stringify(headers)} is a caller's bug, and sends nothing`, async (t) => {
    const server = await startScriptedServer(t, echo);
    const { request } = await openCarrier(t, server.url);
    await assert.rejects(request(1, "tools/call", { headers }), {
      code: "call-header",
    });
    assert.equal(server.requests.length, 0);
  });
}

test("H5 a call's trace context is on its own POST and its cancellation, and on nothing else", async (t) => {
  const held: ServerResponse[] = [];
  const script: Script = (request, response) => {
    if (request.body?.method === "tools/call") return void held.push(response);
    return request.body?.id === undefined ? sendStatus(response, 202) : echo(request, response);
  };
  const server = await startScriptedServer(t, legacyScript({ script }));
  const { carrier, request } = await openLegacyCarrier(t, server.url, { traceOrigins: [server.origin] });
  const call = carrierRefusal(request(1, "tools/call", { headers: TRACE }));
  await server.seen(1, ({ body }) => body?.method === "tools/call");
  await request(2, "tools/list", { headers: TRACE });
  await carrier.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1, reason: "r" },
  });
  await call;
  const traced = server.requests.filter((seen) => traceOf(seen).some((value) => value !== undefined));
  assert.deepEqual(
    traced.map(({ body }) => body?.method),
    ["tools/call", "notifications/cancelled"],
  );
  for (const seen of traced) assert.deepEqual(traceOf(seen), [PARENT, "vendor=1"]);
});

for (const { name, origins, headers } of [
  {
    name: "towards an origin that is not listed",
    origins: (own: string) => [`${own}0`, "http://127.0.0.1"],
    headers: TRACE,
  },
  { name: "without a list", origins: () => [], headers: TRACE },
  { name: "that is malformed", origins: (own: string) => [own], headers: { ...TRACE, traceparent: "00-x" } },
]) {
  test(`H5 a trace context ${name} is not sent`, async (t) => {
    const server = await startScriptedServer(t, echo);
    const { request } = await openCarrier(t, server.url, { traceOrigins: origins(server.origin) });
    await request(1, "tools/call", { headers });
    assert.deepEqual(server.requests.map(traceOf), [[undefined, undefined]]);
  });
}

test("C8 cancelling in the legacy era ends that exchange alone and says so on the wire, without the reason", async (t) => {
  const closed: unknown[] = [];
  const held = new Map<unknown, ServerResponse>();
  const script: Script = ({ body }, response) => {
    if (body?.id === undefined) return sendStatus(response, 202);
    openStream(response);
    held.set(body.id, response);
    response.on("close", () => closed.push(body.id));
    return undefined;
  };
  const server = await startScriptedServer(t, legacyScript({ script, sessions: ["s-1"] }));
  const { carrier, received, request } = await openLegacyCarrier(t, server.url);
  const first = carrierRefusal(request(1, "tools/call"));
  const second = request(2, "tools/call");
  await server.seen(2, ({ body }) => body?.method === "tools/call");
  await carrier.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1, reason: "secret why" },
  });
  assert.equal((await first).reason, "cancelled");
  const [told] = await server.seen(1, ({ body }) => body?.method === "notifications/cancelled");
  assert.deepEqual(told?.body?.params, { requestId: 1 });
  assert.equal(told?.headers["mcp-session-id"], "s-1");
  held.get(2)?.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 2, result: {} })}\n\n`);
  await second;
  assert.deepEqual(closed[0], 1);
  assert.deepEqual(received, [{ jsonrpc: "2.0", id: 2, result: {} }]);
});

test("C8 in 2026-07-28 the closed exchange is the cancellation, and nothing more is sent", async (t) => {
  let closed: Promise<void> | undefined;
  const server = await startScriptedServer(t, (_, response) => {
    openStream(response);
    closed = new Promise((resolve) => response.on("close", resolve));
  });
  const { carrier, request } = await openCarrier(t, server.url);
  carrier.setProtocolVersion?.("2026-07-28");
  const abort = new AbortController();
  const call = carrierRefusal(request(1, "tools/call", { requestSignal: abort.signal }));
  await server.seen(1);
  abort.abort("secret why");
  assert.equal((await call).reason, "cancelled");
  await carrier.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await closed;
  assert.equal(server.requests.length, 1);
});

test("C8 in 2026-07-28 a cancellation message ends the exchange, and is not sent itself", async (t) => {
  const server = await startScriptedServer(t, (_, response) => openStream(response));
  const { carrier, request } = await openCarrier(t, server.url);
  carrier.setProtocolVersion?.("2026-07-28");
  const call = carrierRefusal(request("listen:1", "subscriptions/listen"));
  await server.seen(1);
  await carrier.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: "listen:1" },
  });
  assert.equal((await call).reason, "cancelled");
  assert.equal(server.requests.length, 1);
});

test("C8 a request that was aborted before it began is never sent, and the cancellation of an unknown one neither", async (t) => {
  const server = await startScriptedServer(t, echo);
  const { carrier, request } = await openCarrier(t, server.url);
  assert.equal(
    (await carrierRefusal(request(1, "tools/call", { requestSignal: AbortSignal.abort() }))).reason,
    "cancelled",
  );
  await carrier.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  assert.equal(server.requests.length, 0);
});
