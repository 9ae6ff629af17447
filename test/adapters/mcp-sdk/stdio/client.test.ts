import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type TestContext } from "node:test";

import { Client } from "@modelcontextprotocol/client";

import { assertGroupGone } from "../../../kit/child-groups.ts";
import { childCarrier } from "../../../kit/stdio-carriers.ts";
import { tempFolder } from "../../../kit/temp-folder.ts";

const MODES = [
  { mode: "legacy", era: "legacy" },
  { mode: { pin: "2026-07-28" }, era: "modern" },
  { mode: "auto", era: "modern" },
] as const;

async function connected(
  t: TestContext,
  mode: (typeof MODES)[number]["mode"],
): Promise<{ client: Client; pid: number; starts: () => Promise<number> }> {
  const startsFile = join(await tempFolder(t), "starts");
  const carrier = await childCarrier(t, "echo-server.mjs", { args: [startsFile] });
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(carrier);
  assert.ok(carrier.pid !== null);
  return {
    client,
    pid: carrier.pid,
    starts: async () => (await readFile(startsFile, "utf8")).trim().split("\n").length,
  };
}

for (const { mode, era } of MODES) {
  const name = typeof mode === "string" ? mode : `pin ${mode.pin}`;
  test(`X5 the official client talks to a real server in mode ${name} over one spawn`, async (t) => {
    const { client, pid, starts } = await connected(t, mode);

    const result = await client.callTool({ name: "echo", arguments: { text: "héllo" } });

    assert.equal(client.getProtocolEra(), era);
    assert.deepEqual(result.content, [{ type: "text", text: "héllo" }]);
    assert.equal(await starts(), 1);
    await client.close();
    await assertGroupGone(pid);
  });
}
