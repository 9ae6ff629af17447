import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

import { createDiscoveredTool } from "../../../src/composition/flows/call-tool.ts";
import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import { createSchemaValidator } from "../../../src/adapters/json-schema/validator.ts";
import { SCHEMA_PROFILES, type SchemaProfile } from "../../../src/domain/catalog/profile-rules.ts";
import { valueOf } from "../../kit/activation.ts";
import { approveAll, hostFolders, hostIn } from "../../kit/hosts.ts";
import { brokenRules } from "../../kit/profile-checkers.ts";
import { startSdkServer } from "../../kit/sdk-servers.ts";

/* What an official server sees of a call: it checks the arguments itself, and takes no null. */
const FINDS = fromJsonSchema<{ query: string; limit?: number }>({
  type: "object",
  properties: {
    query: { type: "string", minLength: 2 },
    limit: { type: "integer", exclusiveMinimum: 0 },
    $top: { type: "integer" },
  },
  required: ["query"],
  additionalProperties: false,
});

interface World {
  readonly host: McpHost;
  readonly seen: readonly unknown[];
}

async function world(t: TestContext, schemaProfile?: SchemaProfile): Promise<World> {
  const seen: unknown[] = [];
  const url = await startSdkServer(t, () => {
    const server = new McpServer({ name: "finder", version: "1.0.0" });
    server.registerTool("find", { inputSchema: FINDS }, (args) => {
      seen.push(args);
      return { content: [{ type: "text", text: "found" }] };
    });
    return server;
  });
  const folders = await hostFolders(t, { web: { url, protocolVersion: "2026-07-28" } });
  const host = await hostIn(t, folders, schemaProfile === undefined ? {} : { schemaProfile });
  await approveAll(host, "web");
  return { host, seen };
}

for (const profile of SCHEMA_PROFILES) {
  test(`K4 the catalog of a host for ${profile} shows what that API takes, and says what it left out`, async (t) => {
    const { host } = await world(t, profile);

    const tool = (await host.catalog()).tools.get("web__find");
    const again = (await host.catalog()).tools.get("web__find");

    assert.ok(tool);
    assert.deepEqual(brokenRules(profile, tool.inputSchema), []);
    assert.equal(tool.reasons.length > 0, profile !== "openai");
    assert.equal(again, tool);
  });
}

test("K5 a host for strict mode calls without the nulls that say absent, and the server finds nothing wrong", async (t) => {
  const { host, seen } = await world(t, "openai-strict");

  const answer = await host.call("web__find", { query: "ab", limit: null, $top: null });

  assert.equal(valueOf(answer).result.isError, false);
  assert.deepEqual(seen, [{ query: "ab" }]);
});

test("K5 a host for strict mode holds calls to what the server wants and was not shown", async (t) => {
  const { host, seen } = await world(t, "openai-strict");

  const answer = await host.call("web__find", { query: "a", limit: null, $top: null });

  assert.equal(!answer.ok && answer.refusal.refusal.reason, "invalid-arguments");
  assert.deepEqual(seen, []);
});

test("K5 a host for anthropic calls with the server's own names", async (t) => {
  const { host, seen } = await world(t, "anthropic");
  const { inputSchema } = (await host.catalog()).tools.get("web__find") ?? {};
  const renamed = Object.keys(inputSchema?.["properties"] ?? {}).find((name) => name.includes("top"));

  const answer = await host.call("web__find", { query: "ab", [renamed ?? ""]: 3 });

  assert.equal(valueOf(answer).result.isError, false);
  assert.match(renamed ?? "", /^_top_[0-9a-f]{8}$/);
  assert.deepEqual(seen, [{ query: "ab", $top: 3 }]);
});

test("K5 a tool of the catalog brings its profile to a session of the host", async (t) => {
  const { host, seen } = await world(t, "openai-strict");
  const tool = (await host.catalog()).tools.get("web__find");
  const session = valueOf(await host.connect("web"));
  assert.ok(tool);

  const answer = await createDiscoveredTool(tool, { session, validator: createSchemaValidator() }).call({
    query: "ab",
    limit: null,
    $top: 1,
  });

  assert.equal(answer.ok, true);
  assert.deepEqual(seen, [{ query: "ab", $top: 1 }]);
});

test("K4 a host without a profile shows the narrowed schema and takes no null for absent", async (t) => {
  const { host, seen } = await world(t);

  const tool = (await host.catalog()).tools.get("web__find");
  const answer = await host.call("web__find", { query: "ab", limit: null });

  assert.equal(tool?.profiled, undefined);
  assert.deepEqual(Object.keys(tool?.inputSchema["properties"] ?? {}), ["query", "limit", "$top"]);
  assert.equal(!answer.ok && answer.refusal.refusal.reason, "invalid-arguments");
  assert.deepEqual(seen, []);
});
