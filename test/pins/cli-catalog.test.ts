import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { audit } from "../../src/composition/cli/audit.ts";
import { call } from "../../src/composition/cli/call.ts";
import { prompts, resources, tools } from "../../src/composition/cli/catalog.ts";
import { approve } from "../../src/composition/cli/approve.ts";
import { trust } from "../../src/composition/cli/trust.ts";
import { runInside } from "../kit/commands.ts";
import { hostFolders, type HostFolders } from "../kit/hosts.ts";
import { startSdkServer } from "../kit/sdk-servers.ts";

async function webFolders(t: TestContext): Promise<HostFolders> {
  const folders = await hostFolders(t, {
    web: { type: "http", url: await startSdkServer(t), tools: { deny: ["never", "steps"] } },
  });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "web", "--yes"]);
  return folders;
}

const CONNECTED = [{ name: "web", state: "connected", era: "legacy" }];
const COMMON = { server: "web", bucket: "adopted", reasons: [] };

test("M5 tools --json has the pinned shape", async (t) => {
  const ran = await runInside(tools, await webFolders(t), ["tools", "--json"]);

  assert.equal(ran.code, 0);
  assert.deepEqual(JSON.parse(ran.stdout), {
    servers: CONNECTED,
    tools: [
      {
        ...COMMON,
        name: "web__echo",
        sourceName: "echo",
        description: "Says it again",
        inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      },
      {
        ...COMMON,
        name: "web__fail",
        sourceName: "fail",
        description: "Fails",
        inputSchema: { type: "object", properties: {} },
      },
    ],
    rejected: [
      { server: "web", name: "never", reason: "filtered" },
      { server: "web", name: "steps", reason: "filtered" },
    ],
  });
});

test("M5 prompts --json and resources --json have the pinned shape", async (t) => {
  const folders = await webFolders(t);

  const listed = await runInside(prompts, folders, ["prompts", "--json"]);
  const found = await runInside(resources, folders, ["resources", "--json"]);

  assert.deepEqual(JSON.parse(listed.stdout), {
    servers: CONNECTED,
    prompts: [{ ...COMMON, name: "web__greet", sourceName: "greet", description: "Greets", arguments: [] }],
    rejected: [],
  });
  assert.deepEqual(JSON.parse(found.stdout), {
    servers: CONNECTED,
    resources: [
      {
        ...COMMON,
        name: "web__note___one_2737c829",
        sourceName: "note",
        kind: "resource",
        uri: "note://one",
        mimeType: "text/plain",
        description: null,
      },
    ],
    rejected: [],
  });
});

test("M5 call --json has the pinned envelope, for a tool that failed too", async (t) => {
  const folders = await webFolders(t);

  const echoed = await runInside(call, folders, ["call", "web__echo", '{"text":"hi"}', "--json"]);
  const failed = await runInside(call, folders, ["call", "web__fail", "--json"]);

  const base = {
    server: "web",
    structuredContent: null,
    hasStructuredContent: false,
    diagnostics: [],
    mismatches: [],
  };
  assert.deepEqual([echoed.code, failed.code], [0, 5]);
  assert.deepEqual(JSON.parse(echoed.stdout), {
    ...base,
    tool: "web__echo",
    sourceName: "echo",
    isError: false,
    content: [{ type: "text", text: "hi" }],
    text: "hi",
  });
  assert.deepEqual(JSON.parse(failed.stdout), {
    ...base,
    tool: "web__fail",
    sourceName: "fail",
    isError: true,
    content: [{ type: "text", text: "boom" }],
    text: "boom",
  });
});

test("M5 a call that was refused is one document with its error, and one line on stderr", async (t) => {
  const ran = await runInside(call, await webFolders(t), ["call", "web__echo", '{"text":5}', "--json"]);

  const message = "The arguments do not fit the tool's schema: /text: expected type string.";
  assert.equal(ran.code, 2);
  assert.deepEqual(JSON.parse(ran.stdout), {
    error: { kind: "call", reason: "invalid-arguments", message },
  });
  assert.deepEqual(ran.notes, [`sallyport: ${message}`]);
});

test("M5 audit --json has the pinned shape, newest last", async (t) => {
  const ran = await runInside(audit, await webFolders(t), ["audit", "--json"]);

  const { events, ...rest } = JSON.parse(ran.stdout);
  assert.deepEqual(rest, {});
  assert.deepEqual(
    events.map((event: object) => Object.keys(event).toSorted()),
    [
      ["action", "atMs", "generation", "repositoryIdentity"],
      [
        "action",
        "atMs",
        "authority",
        "fingerprint",
        "generation",
        "repositoryIdentity",
        "securityIdentity",
        "serverId",
        "source",
      ],
    ],
  );
  assert.deepEqual(
    events.map((event: { action: string }) => event.action),
    ["trust", "approve"],
  );
});
