import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { audit } from "../../../src/composition/cli/audit.ts";
import { call } from "../../../src/composition/cli/call.ts";
import { tools } from "../../../src/composition/cli/catalog.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { runInside, type RanInside } from "../../kit/commands.ts";
import { hostFolders, type HostFolders } from "../../kit/hosts.ts";
import { startSdkServer } from "../../kit/sdk-servers.ts";

async function approved(
  t: TestContext,
  mcpServers: object,
  ...names: readonly string[]
): Promise<HostFolders> {
  const folders = await hostFolders(t, mcpServers);
  await runInside(trust, folders, ["trust", "--yes"]);
  for (const name of names) {
    const ran = await runInside(approve, folders, ["approve", name, "--yes"]);
    assert.equal(ran.code, 0, ran.notes.join("\n"));
  }
  return folders;
}

/** A loopback server that answers everything with one status; answers its URL. */
async function statusServer(t: TestContext, status: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "text/plain" }).end("no");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function statesOf(ran: RanInside): unknown {
  const { servers } = JSON.parse(ran.stdout);
  return servers.map(
    ({ name, state, error }: { name: string; state: string; error?: { reason: string } }) => [
      name,
      state,
      error?.reason,
    ],
  );
}

const done = () => ({ content: [] });

/** Where nobody listens any more. */
async function goneUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}/mcp`;
}

test("M6 one server's failure hides no other's tools, and decides the code", async (t) => {
  const folders = await approved(
    t,
    { gone: { url: await goneUrl() }, web: { url: await startSdkServer(t) } },
    "gone",
    "web",
  );

  const ran = await runInside(tools, folders, ["tools", "--json"]);

  assert.equal(ran.code, 4);
  assert.deepEqual(statesOf(ran), [
    ["gone", "failed", "connection-refused"],
    ["web", "connected", undefined],
  ]);
  assert.equal(JSON.parse(ran.stdout).tools.length, 4);
  assert.equal(ran.notes.length, 1);
  assert.match(ran.notes[0] ?? "", /^sallyport: .*gone/);
});

test("M5 a server that wants a sign-in answers 3, one whose address is private 6 and one nobody configured 2", async (t) => {
  const folders = await approved(
    t,
    { locked: { url: await statusServer(t, 401) }, inner: { url: "http://10.0.0.1/mcp" } },
    "locked",
    "inner",
  );

  const codes = [];
  for (const name of ["locked", "inner", "nobody"]) {
    codes.push((await runInside(tools, folders, ["tools", name])).code);
  }

  assert.deepEqual(codes, [3, 6, 2]);
});

test("M5 of several failures without names the one that needs a person decides", async (t) => {
  const folders = await approved(
    t,
    { gone: { url: await goneUrl() }, inner: { url: "http://10.0.0.1/mcp" } },
    "gone",
    "inner",
  );

  assert.equal((await runInside(tools, folders, ["tools"])).code, 6);
});

test("A1 what is not approved is a hint without names, and a denial when it is named; it is not contacted", async (t) => {
  let contacted = 0;
  const url = await startSdkServer(t, () => {
    contacted += 1;
    throw new Error("contacted");
  });
  const folders = await approved(t, { web: { url }, off: { url, disabled: true } });

  const hinted = await runInside(tools, folders, ["tools", "--json"]);
  const named = await runInside(tools, folders, ["tools", "web", "--json"]);
  const called = await runInside(call, folders, ["call", "web__echo", "{}"]);

  assert.deepEqual([hinted.code, named.code, called.code], [0, 6, 6]);
  assert.deepEqual(JSON.parse(hinted.stdout), { servers: [], tools: [], rejected: [] });
  assert.deepEqual(hinted.notes, [
    "sallyport: left out: off (disabled), web (pending); see `sallyport list`",
  ]);
  assert.deepEqual(statesOf(named), [["web", "refused", "pending"]]);
  assert.match(called.notes[0] ?? "", /here: sallyport --workspace=\S+ --home=\S+ approve web$/);
  assert.equal(contacted, 0);
});

test("M6 the hint names ten servers at most", async (t) => {
  const names = Array.from({ length: 11 }, (_, index) => `s${String(index).padStart(2, "0")}`);
  const folders = await approved(
    t,
    Object.fromEntries(names.map((name) => [name, { url: "https://x.test/" }])),
  );

  const ran = await runInside(tools, folders, ["tools"]);

  const listed = names.slice(0, 10).map((name) => `${name} (pending)`);
  assert.deepEqual(ran.notes, [
    `sallyport: left out: ${listed.join(", ")}, and 1 more; see \`sallyport list\``,
  ]);
});

test("K2 the overview for people shows buckets and reasons, a server at a time, its words escaped and cut", async (t) => {
  const { McpServer, fromJsonSchema } = await import("@modelcontextprotocol/server");
  const url = await startSdkServer(t, () => {
    const server = new McpServer({ name: "s", version: "1" });
    server.registerTool("long", { description: `one\n${"x".repeat(300)}` }, done);
    server.registerTool(
      "odd",
      {
        description: "plain \u00a0 text",
        inputSchema: fromJsonSchema<object>({
          type: "object",
          properties: { a: { oneOf: [{ type: "string" }, { minLength: 3 }] } },
        }),
      },
      done,
    );
    server.registerTool("gone", {}, done);
    return server;
  });
  const folders = await approved(t, { web: { url, tools: { deny: ["gone"] } } }, "web");

  const ran = await runInside(tools, folders, ["tools"]);

  assert.deepEqual(ran.stdout.split("\n"), [
    "web (connected, legacy)",
    "  web__long",
    `      one ${"x".repeat(156)}…`,
    "  web__odd (adapted: one-of at /inputSchema/properties/a/oneOf)",
    "      plain text",
    '  rejected: "gone" (filtered)',
    "",
  ]);
});

test("M5 a text argument stays a text where the schema asks for one, and nothing is coerced to fit", async (t) => {
  const folders = await approved(t, { web: { url: await startSdkServer(t) } }, "web");

  const ran = await runInside(call, folders, ["call", "web__echo", "--arg", "text=123"]);
  const unknown = await runInside(call, folders, ["call", "web__nothing", "--arg", "text=123"]);

  assert.deepEqual([ran.code, ran.stdout], [0, "123\n"]);
  assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
});

test("M5 a tool that failed has its words on stdout and the code 5", async (t) => {
  const folders = await approved(t, { web: { url: await startSdkServer(t) } }, "web");

  const ran = await runInside(call, folders, ["call", "web__fail"]);

  assert.deepEqual([ran.code, ran.stdout, ran.notes], [5, "boom\n", []]);
});

test("C7b a call that runs out of its time says that its outcome is unknown, and answers 4", async (t) => {
  const folders = await approved(t, { web: { url: await startSdkServer(t) } }, "web");

  const ran = await runInside(call, folders, ["call", "web__never", "--timeout", "50", "--json"]);

  assert.equal(ran.code, 4);
  assert.equal(JSON.parse(ran.stdout).error.reason, "outcome-unknown");
});

test("A6 the log for people has a line a decision and a line a denial", async (t) => {
  const folders = await approved(t, { inner: { url: "http://10.0.0.1/mcp" } }, "inner");
  await runInside(tools, folders, ["tools"]);

  const ran = await runInside(audit, folders, ["audit"]);

  const lines = ran.stdout.split("\n").map((line) => line.split("  "));
  assert.ok(lines.slice(0, 3).every(([time]) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time ?? "")));
  assert.deepEqual(
    lines.map(([, ...rest]) => rest),
    [
      ["trust", "generation 1"],
      ["approve", "inner", "source project", "by user"],
      ["admission-refused", "inner", "source project", "egress/private-address"],
      [],
    ],
  );
});
