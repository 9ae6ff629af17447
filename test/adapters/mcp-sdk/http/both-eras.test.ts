import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { Client } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { carrierRefusal, openCarrier, realEgress } from "../../../kit/http-carriers.ts";
import {
  echo,
  legacyScript,
  sendJson,
  sendStatus,
  startScriptedServer,
  type Script,
} from "../../../kit/http-mcp-server.ts";

async function startSdkServer(t: TestContext): Promise<{ url: string; methods: string[] }> {
  const methods: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "fixture", version: "1" });
    server.registerTool("echo", { description: "Says it again" }, () => ({
      content: [{ type: "text", text: "again" }],
    }));
    return server;
  });
  const node = toNodeHandler(handler);
  const server = createServer((request, response) => {
    methods.push(request.method ?? "");
    // The package's own type forbids the explicit undefined that Node's declares.
    void node(request as Parameters<typeof node>[0], response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, methods };
}

const MODES = [
  { mode: "legacy", era: "legacy" },
  { mode: { pin: "2026-07-28" }, era: "modern" },
  { mode: "auto", era: "modern" },
] as const;

for (const { mode, era } of MODES) {
  test(`H1 the official client lists and calls over the carrier, mode ${JSON.stringify(mode)}`, async (t) => {
    const { url } = await startSdkServer(t);
    const { carrier } = await openCarrier(t, url, { egress: realEgress(t) });
    const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(carrier);
    assert.equal(client.getProtocolEra(), era);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      ["echo"],
    );
    const result = await client.callTool({ name: "echo", arguments: {} });
    assert.deepEqual(result.content, [{ type: "text", text: "again" }]);
    await client.close();
  });
}

test("H6 in the 2026-07-28 era nothing but POST is sent, from connect to close", async (t) => {
  const { url, methods } = await startSdkServer(t);
  const { carrier } = await openCarrier(t, url);
  const client = new Client(
    { name: "c", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(carrier);
  await client.listTools();
  await client.close();
  assert.deepEqual(methods, ["POST", "POST"]);
});

const nullId = { jsonrpc: "2.0", id: null, error: { code: -32_000, message: "Server not initialized" } };
const OLDER: readonly { readonly name: string; readonly probe: Script }[] = [
  { name: "a bare 400", probe: (_, response) => sendStatus(response, 400) },
  { name: "a bare 404", probe: (_, response) => sendStatus(response, 404) },
  { name: "a page of 405", probe: (_, response) => void response.writeHead(405).end("<html>") },
  { name: "an error without an id", probe: (_, response) => sendJson(response, nullId, 400) },
];

for (const { name, probe } of OLDER) {
  test(`C1 an older server that answers the probe with ${name} is connected to in its own era by auto`, async (t) => {
    const rest = legacyScript({ script: echo });
    const server = await startScriptedServer(t, (request, response) =>
      request.body?.method === "server/discover" ? probe(request, response) : rest(request, response),
    );
    const { carrier } = await openCarrier(t, server.url);
    const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(carrier);
    assert.equal(client.getProtocolEra(), "legacy");
    await client.close();
  });
}

for (const status of [401, 403, 408, 429, 500, 503]) {
  test(`C7b a probe answered ${status} never leads to the other era`, async (t) => {
    const server = await startScriptedServer(t, (_, response) => sendStatus(response, status));
    const { carrier, request } = await openCarrier(t, server.url);
    assert.equal(
      (await carrierRefusal(request("p", "server/discover"))).reason,
      status < 404 ? "auth-required" : "http-status",
    );
    const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await assert.rejects(client.connect(carrier));
    assert.deepEqual(new Set(server.requests.map(({ body }) => body?.method)), new Set(["server/discover"]));
  });
}
