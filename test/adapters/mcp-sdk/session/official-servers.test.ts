import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { createSchemaValidator } from "../../../../src/adapters/json-schema/validator.ts";
import type { Carrier } from "../../../../src/adapters/mcp-sdk/carrier.ts";
import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import { createDiscoveredTool, type DiscoveredTool } from "../../../../src/composition/flows/call-tool.ts";
import type { McpSession } from "../../../../src/composition/flows/mcp-session.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import { buildServerCatalog } from "../../../../src/domain/catalog/build-server-catalog.ts";
import type { ServerCatalog } from "../../../../src/domain/catalog/catalog.ts";
import { httpCarrier, officialServer, scriptCarrier, startEverything } from "../../../kit/sdk-servers.ts";
import { tempFolder } from "../../../kit/temp-folder.ts";

interface Used {
  readonly session: McpSession;
  readonly catalog: ServerCatalog;
  readonly tool: (sourceName: string) => DiscoveredTool;
}

/** `auto` all the way: these servers are of the older era, and have to be found to be. */
async function use(t: TestContext, carrier: Carrier): Promise<Used> {
  const opened = await openMcpSession({
    carrier,
    serverId: "official",
    protocolVersion: "auto",
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const session = opened.value;
  t.after(() => session.close());
  const lists = await session.discover();
  const catalog = buildServerCatalog({
    serverId: "official",
    tools: lists.tools.items,
    prompts: lists.prompts.items,
    resources: lists.resources.items,
    resourceTemplates: lists.resourceTemplates.items,
  });
  const validator = createSchemaValidator();
  return {
    session,
    catalog,
    tool: (sourceName) => {
      const found = catalog.tools.find((tool) => tool.sourceName === sourceName);
      assert.ok(found, `the server has no tool ${sourceName}`);
      return createDiscoveredTool(found, { session, validator });
    },
  };
}

async function textOf(tool: DiscoveredTool, args: unknown): Promise<string> {
  const answer = await tool.call(args);
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
  return answer.value.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

const EVERYTHING: readonly (readonly [string, (t: TestContext) => Promise<Carrier>])[] = [
  ["stdio", (t) => scriptCarrier(t, officialServer("everything"), "stdio")],
  ["HTTP", async (t) => httpCarrier(t, await startEverything(t))],
];

for (const [transport, connect] of EVERYTHING) {
  test(`C1 K1 K5 the official everything server is listed and called over ${transport}`, async (t) => {
    const { session, catalog, tool } = await use(t, await connect(t));

    assert.equal(session.server.era, "legacy");
    assert.deepEqual(session.compatibilityDiagnostics[0], { code: "modern-era-unavailable" });
    assert.deepEqual(catalog.rejected, []);
    assert.ok(catalog.prompts.length > 0 && catalog.resources.length > 0);
    assert.match(await textOf(tool("echo"), { message: "hi" }), /hi/);
    assert.match(await textOf(tool("get-sum"), { a: 2, b: 3 }), /5/);
  });
}

test("C1 a pin is refused by the official everything server over HTTP, and the older era is not tried", async (t) => {
  const carrier = httpCarrier(t, await startEverything(t));
  const sent: unknown[] = [];
  const send = carrier.send.bind(carrier);
  carrier.send = (message, options) => {
    sent.push("method" in message && message.method);
    return send(message, options);
  };

  const opened = await openMcpSession({
    carrier,
    serverId: "official",
    protocolVersion: "2026-07-28",
    clock: createSystemClock(),
    random: createSystemRandom(),
  });

  assert.deepEqual(opened, {
    ok: false,
    refusal: {
      refusal: {
        kind: "session",
        reason: "version-unsupported",
        serverId: "official",
        stage: "connect",
        revision: "2026-07-28",
      },
    },
  });
  assert.deepEqual(sent, ["server/discover"]);
});

test("C1 K1 K5 the official memory server is listed and called over stdio", async (t) => {
  const { tool } = await use(t, await scriptCarrier(t, officialServer("memory")));

  assert.match(await textOf(tool("search_nodes"), { query: "nothing has this name" }), /entities/);
});

test("C1 K1 K5 the official filesystem server is listed and called over stdio", async (t) => {
  const folder = await tempFolder(t);
  await mkdir(join(folder, "root"));
  await writeFile(join(folder, "root", "note.txt"), "a note");
  const { tool } = await use(t, await scriptCarrier(t, officialServer("filesystem"), join(folder, "root")));

  assert.equal(await textOf(tool("read_text_file"), { path: join(folder, "root", "note.txt") }), "a note");
});

test("C1 K1 K5 the official sequential-thinking server is listed and called over stdio", async (t) => {
  const { tool } = await use(t, await scriptCarrier(t, officialServer("sequential-thinking")));
  const thought = { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };

  assert.match(await textOf(tool("sequentialthinking"), thought), /"thoughtNumber": 1/);
});
