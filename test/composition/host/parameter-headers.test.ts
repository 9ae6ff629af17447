import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";

import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import type { McpHostOptions } from "../../../src/composition/host/host-options.ts";
import { approveAll, hostFolders, hostIn } from "../../kit/hosts.ts";

/* Apart, since the package's type of a schema knows no keyword of extensions. */
const REGION = { type: "string", "x-mcp-header": "Region" } as const;

const ASKS = fromJsonSchema<{ region: string; token?: string }>({
  type: "object",
  properties: { region: REGION, token: { type: "string" } },
  required: ["region"],
});

interface World {
  readonly open: (options?: McpHostOptions) => Promise<McpHost>;
  /** Headers of each `tools/call` request. */
  readonly called: readonly IncomingHttpHeaders[];
  /** Calls that a tool got to see. */
  readonly acted: readonly string[];
}

/** An official server of 2026-07-28 with two tools that ask for their region in a header, and insist. */
async function world(t: TestContext): Promise<World> {
  const called: IncomingHttpHeaders[] = [];
  const acted: string[] = [];
  const handler = createMcpHandler(() => {
    const made = new McpServer({ name: "regions", version: "1.0.0" });
    for (const name of ["query", "other"]) {
      made.registerTool(name, { inputSchema: ASKS }, ({ region }) => {
        acted.push(`${name} ${region}`);
        return { content: [{ type: "text", text: region }] };
      });
    }
    return made;
  });
  const node = toNodeHandler(handler);
  const server = createServer((request, response) => {
    if (request.headers["mcp-method"] === "tools/call") called.push(request.headers);
    // The package's own type forbids the explicit undefined that Node's declares.
    void node(request as Parameters<typeof node>[0], response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const folders = await hostFolders(t, { web: { url, protocolVersion: "2026-07-28" } });
  await approveAll(await hostIn(t, folders), "web");
  return { called, acted, open: (options = {}) => hostIn(t, folders, options) };
}

test("K5b an official server that insists is refused with a reason, and its tool did nothing", async (t) => {
  const { open, called, acted } = await world(t);
  const host = await open();

  const { tools } = await host.catalog();
  const answer = await host.call("web__query", { region: "eu" });

  assert.deepEqual(
    tools.get("web__query")?.reasons.map(({ reason }) => reason),
    ["arguments-in-headers"],
  );
  assert.deepEqual(!answer.ok && answer.refusal, {
    refusal: { kind: "call", reason: "headers-not-allowed" },
  });
  assert.equal(called.length, 1);
  assert.equal(
    Object.keys(called[0] ?? {}).some((name) => name.startsWith("mcp-param-")),
    false,
  );
  assert.deepEqual(acted, []);
});

test("K5b the permission is for exactly one tool of one server, and only what was declared is mirrored", async (t) => {
  const { open, called, acted } = await world(t);
  const host = await open({ parameterHeaders: [{ server: "web", tool: "query" }] });

  const allowed = await host.call("web__query", { region: "Zürich", token: "canary" });
  const other = await host.call("web__other", { region: "eu" });

  assert.equal(allowed.ok, true);
  assert.equal(!other.ok && other.refusal.refusal.reason, "headers-not-allowed");
  assert.deepEqual(
    called.map((headers) => Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-"))),
    [[["mcp-param-region", "=?base64?WsO8cmljaA==?="]], []],
  );
  assert.doesNotMatch(JSON.stringify(called), /canary/);
  assert.deepEqual(acted, ["query Zürich"]);
});

for (const parameterHeaders of [
  [{ server: "web", tool: "web__query" }],
  [{ server: "other", tool: "query" }],
  [{ server: "web", tool: "*" }],
]) {
  test(`K5b ${JSON.stringify(parameterHeaders)} allows nothing for the tool query of web`, async (t) => {
    const { open, acted } = await world(t);
    const host = await open({ parameterHeaders });

    const answer = await host.call("web__query", { region: "eu" });

    assert.equal(!answer.ok && answer.refusal.refusal.reason, "headers-not-allowed");
    assert.deepEqual(acted, []);
  });
}
