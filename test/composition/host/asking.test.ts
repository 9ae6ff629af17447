import assert from "node:assert/strict";
import { test } from "node:test";

import type { McpHostOptions } from "../../../src/composition/host/host-options.ts";
import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import type { AskPrompt } from "../../../src/ports/ask.ts";
import type { TestContext } from "node:test";
import { createAskingServer } from "../../kit/asking-server.ts";
import { approveAll, hostFolders, hostIn } from "../../kit/hosts.ts";
import { startSdkServer } from "../../kit/sdk-servers.ts";

async function approvedHost(t: TestContext, options: McpHostOptions): Promise<McpHost> {
  const url = await startSdkServer(t, createAskingServer);
  const folders = await hostFolders(t, { web: { url, protocolVersion: "2026-07-28" } });
  const host = await hostIn(t, folders, options);
  await approveAll(host, "web");
  return host;
}

test("C7 a host with elicitation on puts a form to the call that raised it, under the configured name", async (t) => {
  const host = await approvedHost(t, { elicitation: true });
  const prompts: AskPrompt[] = [];

  const answer = await host.call(
    "web__ask",
    {},
    {
      ask: async (prompt) => {
        prompts.push(prompt);
        return { action: "accept", content: { name: "Ada" } };
      },
    },
  );

  assert.ok(answer.ok && !answer.value.result.isError);
  assert.deepEqual(
    prompts.map(({ serverId, form }) => [serverId, form.message]),
    [["web", "Who are you?"]],
  );
});

test("C6 a host asks nobody unless it turned elicitation on", async (t) => {
  const host = await approvedHost(t, {});
  let asked = 0;

  const answer = await host.call(
    "web__ask",
    {},
    {
      ask: async () => {
        asked += 1;
        return { action: "cancel" };
      },
    },
  );

  assert.ok(!answer.ok || answer.value.result.isError);
  assert.equal(asked, 0);
});
