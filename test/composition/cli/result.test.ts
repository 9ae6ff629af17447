import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { McpServer } from "@modelcontextprotocol/server";

import { approve } from "../../../src/composition/cli/approve.ts";
import { call } from "../../../src/composition/cli/call.ts";
import { result } from "../../../src/composition/cli/result.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { runInside } from "../../kit/commands.ts";
import { approveAll, hostFolders, hostIn, type HostFolders } from "../../kit/hosts.ts";
import { createMemoryResultSpill } from "../../kit/memory-result-spill.ts";
import { startSdkServer } from "../../kit/sdk-servers.ts";

const WHOLE = `${"line of a long answer\n".repeat(2_000)}the end`;

function bigServer(): McpServer {
  const server = new McpServer({ name: "big", version: "1.0.0" });
  const content = [{ type: "text" as const, text: WHOLE }];
  server.registerTool("big", { description: "Says much" }, () => ({ content }));
  server.registerTool("bad", { description: "Fails at length" }, () => ({ content, isError: true }));
  return server;
}

async function bigFolders(t: TestContext): Promise<HostFolders> {
  return hostFolders(t, { web: { url: await startSdkServer(t, bigServer) } });
}

async function approvedFolders(t: TestContext): Promise<HostFolders> {
  const folders = await bigFolders(t);
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "web", "--yes"]);
  return folders;
}

test("K7 a call prints the beginning of a large result and the command that prints all of it", async (t) => {
  const folders = await approvedFolders(t);

  const called = await runInside(call, folders, ["call", "web__big"]);

  assert.equal(called.code, 0);
  assert.ok(called.stdout.length < 2_200);
  const reference = / as ([0-9a-f]{32})\]\n$/.exec(called.stdout)?.[1] ?? "";
  assert.deepEqual(
    called.notes.map((note) => note.endsWith(` result ${reference}`)),
    [true],
  );
  const read = await runInside(result, folders, ["result", reference]);
  assert.deepEqual([read.code, read.stdout, read.notes], [0, `${WHOLE}\n`, []]);
});

test("M5 K7 call --json says where the result is kept, and result --json has the envelope of the call", async (t) => {
  const folders = await approvedFolders(t);

  const called = JSON.parse((await runInside(call, folders, ["call", "web__bad", "--json"])).stdout);
  const read = await runInside(result, folders, ["result", called.spilled.reference, "--json"]);

  assert.deepEqual(Object.keys(called.spilled), ["reference", "chars"]);
  assert.deepEqual(called.diagnostics, ["result-spilled"]);
  assert.equal(read.code, 5);
  assert.deepEqual(JSON.parse(read.stdout), {
    tool: "web__bad",
    server: "web",
    sourceName: "bad",
    isError: true,
    content: [{ type: "text", text: WHOLE }],
    structuredContent: null,
    hasStructuredContent: false,
    diagnostics: [],
    mismatches: [],
    text: WHOLE,
  });
});

test("M5 K7 a reference that is none, or that nothing is kept under, is 2 and reads no file", async (t) => {
  const folders = await hostFolders(t, {});

  const malformed = await runInside(result, folders, ["result", "../approvals", "--json"]);
  const unknown = await runInside(result, folders, ["result", "a".repeat(32), "--json"]);

  assert.deepEqual([malformed.code, unknown.code], [2, 2]);
  assert.equal(JSON.parse(malformed.stdout).error.reason, "reference-malformed");
  assert.equal(JSON.parse(unknown.stdout).error.reason, "reference-unknown");
});

test("K7 M1 a host keeps large results in its home, and reads them back in another process's place", async (t) => {
  const folders = await bigFolders(t);
  const host = await hostIn(t, folders);
  await approveAll(host, "web");

  const answer = await host.call("web__big", {});

  assert.ok(answer.ok);
  const { spilled } = answer.value.result;
  assert.deepEqual(await readdir(join(folders.home, "results")), [`${spilled?.reference ?? ""}.json`]);
  const other = await hostIn(t, folders);
  const kept = await other.result(spilled?.reference ?? "");
  assert.deepEqual(kept.ok && kept.value.result.parts, [{ type: "text", text: WHOLE }]);
});

test("K7 a host that brings its own spill writes no result of its own", async (t) => {
  const folders = await bigFolders(t);
  const resultSpill = createMemoryResultSpill();
  const host = await hostIn(t, folders, { parts: { resultSpill } });
  await approveAll(host, "web");

  const answer = await host.call("web__big", {});

  assert.ok(answer.ok);
  assert.deepEqual([...resultSpill.kept.keys()], [answer.value.result.spilled?.reference]);
  assert.equal((await readdir(folders.home)).includes("results"), false);
});
