/** Public faults of hosts with names, pages and texts of tools, each against a real server that shows them. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { approveAll, hostFolders, hostIn, stdioEntry } from "../kit/hosts.ts";
import { callsOf, faultHost, hostWithTools, startFaultServer } from "../kit/fault-servers.ts";

function tool(name: string, rest: object = {}): object {
  return { name, inputSchema: { type: "object" }, ...rest };
}

const LONG_NAMES = [
  ["a".repeat(30), "b".repeat(40)],
  ["7c9e6679-7425-40de-944b-e07fc1f90ae7", "list_things_of_a_person"],
  ["s", "b".repeat(60)],
  ["s", "b".repeat(61)],
  ["s", "b".repeat(62)],
] as const;

for (const [serverId, name] of LONG_NAMES) {
  test(`K3 fault G5 a tool of ${name.length} characters on a server of ${serverId.length} has a name of at most 64, and is called by its own`, async (t) => {
    const server = await startFaultServer(t, { list: () => ({ tools: [tool(name), tool(`${name}x`)] }) });
    const { host } = await faultHost(t, { [serverId]: { url: server.url } });

    const { tools } = await host.catalog();
    const names = [...tools.keys()];
    for (const one of names) assert.equal((await host.call(one, {})).ok, true);

    assert.equal(names.length, 2);
    for (const one of names) assert.match(one, /^[A-Za-z0-9_-]{1,64}$/);
    assert.deepEqual(new Set(callsOf(server)), new Set([name, `${name}x`]));
  });
}

test("K3 fault G7 two servers with one tool name keep both, and a call goes to the one that was named", async (t) => {
  const mail = { list: () => ({ tools: [tool("send_email")] }) };
  const [one, two] = [await startFaultServer(t, mail), await startFaultServer(t, mail)];
  const { host } = await faultHost(t, { one: { url: one.url }, two: { url: two.url } });

  const { tools } = await host.catalog();
  assert.equal((await host.call("two__send_email", {})).ok, true);

  assert.deepEqual([...tools.keys()], ["one__send_email", "two__send_email"]);
  assert.deepEqual([callsOf(one), callsOf(two)], [[], ["send_email"]]);
});

test("D1b fault G8 of two servers with one name in one file neither is used, and the others are", async (t) => {
  const folders = await hostFolders(t, {});
  const entry = JSON.stringify(stdioEntry("everything"));
  await writeFile(
    join(folders.workspace, ".mcp.json"),
    `{"mcpServers":{"a":${entry},"a":{"command":"/bin/false"},"b":${entry}}}`,
  );
  const host = await hostIn(t, folders);
  await approveAll(host, "b");

  const approved = await host.approve("a");
  const connected = await host.connect("a");

  assert.deepEqual(
    host.servers().map(({ server }) => [server.name, server.status]),
    [
      ["a", "unresolved"],
      ["b", "resolved"],
    ],
  );
  assert.equal(!approved.ok && approved.refusal.reason, "unresolved");
  assert.equal(!connected.ok && connected.refusal.refusal.reason, "unresolved");
});

test("K1 fault G14 a cursor that never advances ends the list after two requests, and the repeated page is dropped", async (t) => {
  const server = await startFaultServer(t, { list: () => ({ tools: [tool("t")], nextCursor: "0" }) });
  const { host } = await faultHost(t, { s: { url: server.url } });

  const { tools, servers } = await host.catalog();

  const [state] = servers;
  const lists = state?.state === "connected" ? state.lists : undefined;
  assert.deepEqual([...tools.keys()], ["s__t"]);
  assert.equal(lists?.tools.complete, false);
  assert.equal(lists?.tools.incompleteReason, "cursor-repeated");
  assert.equal(server.requests.filter(({ body }) => body?.method === "tools/list").length, 2);
});

test("K1 fault G16 the empty string is a cursor: it is sent back, and its page is read", async (t) => {
  const server = await startFaultServer(t, {
    list: ({ body }) =>
      body?.params?.["cursor"] === ""
        ? { tools: [tool("second")] }
        : { tools: [tool("first")], nextCursor: "" },
  });
  const { host } = await faultHost(t, { s: { url: server.url } });

  const { tools } = await host.catalog();

  assert.deepEqual([...tools.keys()], ["s__first", "s__second"]);
  assert.equal(server.requests.filter(({ body }) => body?.method === "tools/list").length, 2);
});

test("K9 fault G19 hidden characters of a description reach neither person nor model, and are told", async (t) => {
  const description = "ok\u{E0041}\u{E0042}\u200B\u202E\u0007";
  const { host } = await hostWithTools(t, [tool("t", { description })]);

  const listed = (await host.catalog()).tools.get("s__t");

  assert.equal(listed?.description, "ok");
  assert.deepEqual(listed.reasons, [{ reason: "text-cleaned", path: "/description" }]);
});

test("A7 fault G19 a description that is swapped later is told, hidden characters of the change included", async (t) => {
  const now = { description: "ok" };
  const server = await startFaultServer(t, { list: () => ({ tools: [tool("t", now)] }) });
  const { host, folders } = await faultHost(t, { s: { url: server.url } });
  assert.deepEqual((await host.catalog()).changes, []);

  now.description = "ok\u{E0041}";
  const later = await hostIn(t, folders, { pins: "hold" });
  const { changes, tools } = await later.catalog();
  const call = await later.call("s__t", {});

  assert.deepEqual(
    changes.map(({ name, change }) => [name, change]),
    [["t", "changed"]],
  );
  assert.match(changes[0]?.after.shown ?? "", /u\{E0041\}/i);
  assert.deepEqual([...tools.keys()], []);
  assert.equal(!call.ok && call.refusal.refusal.reason, "tool-held");
  assert.deepEqual(callsOf(server), []);
});
