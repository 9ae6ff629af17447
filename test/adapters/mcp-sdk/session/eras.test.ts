import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { Carrier } from "../../../../src/adapters/mcp-sdk/carrier.ts";
import { createSchemaValidator } from "../../../../src/adapters/json-schema/validator.ts";
import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import { createDiscoveredTool } from "../../../../src/composition/flows/call-tool.ts";
import type { McpSession } from "../../../../src/composition/flows/mcp-session.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import { buildServerCatalog } from "../../../../src/domain/catalog/build-server-catalog.ts";
import { httpCarrier, sdkChildCarrier, startSdkServer } from "../../../kit/sdk-servers.ts";

const TRANSPORTS: readonly (readonly [string, (t: TestContext) => Promise<Carrier>])[] = [
  ["stdio", sdkChildCarrier],
  ["HTTP", async (t) => httpCarrier(t, await startSdkServer(t))],
];

const SELECTIONS = [
  [undefined, "legacy"],
  ["2026-07-28", "modern"],
  ["auto", "modern"],
] as const;

async function open(
  t: TestContext,
  carrier: Carrier,
  protocolVersion?: "2026-07-28" | "auto",
): Promise<McpSession> {
  const opened = await openMcpSession({
    carrier,
    serverId: "real",
    clock: createSystemClock(),
    random: createSystemRandom(),
    ...(protocolVersion !== undefined && { protocolVersion }),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  t.after(() => opened.value.close());
  return opened.value;
}

for (const [transport, connect] of TRANSPORTS) {
  for (const [selection, era] of SELECTIONS) {
    const name = `over ${transport}, ${selection ?? "no version"}`;

    test(`C1 C5 a server on the official SDK is connected to and named ${name}`, async (t) => {
      const session = await open(t, await connect(t), selection);

      assert.equal(session.server.era, era);
      assert.deepEqual(session.server.serverInfo, { name: "sdk-server", version: "3.1.4" });
      assert.equal(session.server.instructions, "be brief");
      assert.equal(session.identity.serverInfoProvided, true);
      assert.match(session.identity.carrierGeneration, /^[0-9a-f]{32}$/);
    });

    test(`K1 K5 its tools are listed and called, prompts and resources read ${name}`, async (t) => {
      const session = await open(t, await connect(t), selection);

      const lists = await session.discover();
      const catalog = buildServerCatalog({ serverId: "real", era, tools: lists.tools.items });
      const [echo] = catalog.tools.map((tool) =>
        createDiscoveredTool(tool, { session, validator: createSchemaValidator() }),
      );

      assert.deepEqual(
        catalog.tools.map(({ name: shown }) => shown),
        ["real__echo", "real__fail", "real__steps", "real__never"],
      );
      assert.deepEqual(catalog.rejected, []);
      for (const list of [lists.tools, lists.prompts, lists.resources])
        assert.equal(list.state.complete, true);
      const answer = await echo?.call({ text: "hi" });
      assert.deepEqual(answer?.ok && answer.value.parts, [{ type: "text", text: "hi" }]);
      const refused = await echo?.call({ text: 7 });
      assert.equal(refused?.ok === false && refused.refusal.refusal.reason, "invalid-arguments");
      assert.equal((await session.getPrompt("greet", {})).ok, true);
      const read = await session.readResource("note://one");
      assert.deepEqual(read.ok && read.value.result["contents"], [{ uri: "note://one", text: "a note" }]);
    });

    // Once connected, `auto` is one of the other two.
    if (selection === "auto") continue;

    test(`C7b H7 progress of a call arrives ${name}`, async (t) => {
      const session = await open(t, await connect(t), selection);
      const steps: number[] = [];

      const answer = await session.callTool(
        "steps",
        {},
        { onProgress: ({ progress }) => void steps.push(progress) },
      );

      assert.equal(answer.ok, true);
      assert.deepEqual(steps, [1, 2, 3]);
    });

    test(`C8 an aborted call answers outcome unknown ${name}`, async (t) => {
      const session = await open(t, await connect(t), selection);
      const control = new AbortController();
      const asked = session.callTool("never", {}, { signal: control.signal });

      setImmediate(() => control.abort(new Error("enough")));

      const answer = await asked;
      assert.ok(!answer.ok);
      assert.equal(answer.refusal.refusal.reason, "outcome-unknown");
      const ended = transport === "stdio" ? await session.closed : undefined;
      assert.equal(ended?.refusal.reason, transport === "stdio" ? "cancelled" : undefined);
      // HTTP ends this call's own exchange alone; over stdio nothing is certain but the child's end (X6).
      const next = await session.callTool("echo", { text: "still there" });
      assert.equal(next.ok, transport === "HTTP");
    });
  }
}
