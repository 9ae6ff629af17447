import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type TestContext } from "node:test";

import { Client } from "@modelcontextprotocol/client";

import { CarrierError } from "../../../../src/adapters/mcp-sdk/carrier.ts";
import type { StdioCarrier } from "../../../../src/adapters/mcp-sdk/stdio-carrier.ts";
import { stdioRefusal } from "../../../../src/domain/launch/refusal.ts";
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
): Promise<{ client: Client; carrier: StdioCarrier; pid: number; starts: () => Promise<number> }> {
  const startsFile = join(await tempFolder(t), "starts");
  const carrier = await childCarrier(t, "echo-server.mjs", { args: [startsFile] });
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(carrier);
  assert.ok(carrier.pid !== null);
  return {
    client,
    carrier,
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

for (const { mode, era } of MODES.slice(0, 2)) {
  test(`X6 aborting a call of the official client in the ${era} era closes the child`, async (t) => {
    const { client, carrier, pid } = await connected(t, mode);
    const abort = new AbortController();
    const sent = sendOf(carrier, "tools/call");
    const call = client.callTool({ name: "hang", arguments: {} }, { signal: abort.signal });
    const refused = assert.rejects(call);
    await sent;

    abort.abort("neutral");

    await refused;
    assert.deepEqual(carrier.closeFailure, { refusal: stdioRefusal("cancelled", "by-request") });
    await assertGroupGone(pid);
  });
}

/** Resolves when the client has handed a request of that method to the carrier. */
function sendOf(carrier: StdioCarrier, method: string): Promise<void> {
  const send = carrier.send.bind(carrier);
  return new Promise((resolve) => {
    carrier.send = (message) => {
      const sent = send(message);
      if ("method" in message && message.method === method) resolve();
      return sent;
    };
  });
}

test("X7 a server that exits in the middle of a call fails it with the carrier's own reason", async (t) => {
  const { client, pid } = await connected(t, "legacy");
  const call = client.callTool({ name: "hang", arguments: {} });
  const refused = assert.rejects(call, (error) => {
    assert.ok(error instanceof CarrierError);
    assert.deepEqual(error.failure, { refusal: stdioRefusal("early-exit", "signalled") });
    return true;
  });

  process.kill(pid, "SIGKILL");

  await refused;
});
