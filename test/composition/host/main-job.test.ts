import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { resultText } from "../../../src/domain/catalog/result-text.ts";
import { valueOf } from "../../kit/activation.ts";
import { approveAll, hostFolders, hostIn, stdioEntry } from "../../kit/hosts.ts";
import { startEverything, startSdkServer } from "../../kit/sdk-servers.ts";

test("V7 servers over stdio and HTTP in both eras are listed side by side and called by catalog name", async (t) => {
  const folders = await hostFolders(t, {
    files: stdioEntry("everything"),
    web: { url: await startEverything(t) },
    modern: { url: await startSdkServer(t), protocolVersion: "2026-07-28" },
  });
  const host = await hostIn(t, folders);
  await approveAll(host, "files", "web", "modern");

  const catalog = await host.catalog();
  const answers = await Promise.all([
    host.call("files__echo", { message: "one" }),
    host.call("web__get-sum", { a: 2, b: 3 }),
    host.call("modern__echo", { text: "three" }),
  ]);

  assert.deepEqual(
    catalog.servers.map((server) => [server.name, server.state, server.state === "connected" && server.era]),
    [
      ["files", "connected", "legacy"],
      ["modern", "connected", "modern"],
      ["web", "connected", "legacy"],
    ],
  );
  assert.deepEqual(
    answers.map((answer) => resultText(valueOf(answer).result)),
    ["Echo: one", "The sum of 2 and 3 is 5.", "three"],
  );
});

test("K1 progress of a call reaches the caller", async (t) => {
  const folders = await hostFolders(t, { web: { url: await startEverything(t) } });
  const host = await hostIn(t, folders);
  await approveAll(host, "web");
  const seen: number[] = [];

  const answer = await host.call(
    "web__trigger-long-running-operation",
    { duration: 0.04, steps: 4 },
    { onProgress: ({ progress }) => seen.push(progress) },
  );

  assert.equal(valueOf(answer).result.isError, false);
  assert.deepEqual(seen, [1, 2, 3, 4]);
});

test("K5 a call that fits no tool or no schema is refused with what to change", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("everything") });
  const host = await hostIn(t, folders);
  await approveAll(host, "files");

  const unknown = await host.call("files__nothing", {});
  const misfit = await host.call("files__get-sum", { a: "2", b: 3 });

  assert.deepEqual(unknown, {
    ok: false,
    refusal: { refusal: { kind: "call", reason: "unknown-tool" } },
  });
  assert.deepEqual(misfit, {
    ok: false,
    refusal: {
      refusal: {
        kind: "call",
        reason: "invalid-arguments",
        mismatches: [{ path: "/a", expected: "type number" }],
      },
    },
  });
});

test("V3 callers during a pending connect share one session", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("everything") });
  const host = await hostIn(t, folders);
  await approveAll(host, "files");

  const [one, other] = await Promise.all([host.connect("files"), host.connect("files")]);

  assert.equal(valueOf(one), valueOf(other));
});

test("V7 a server that never answers is reported after its own deadline and hides no other", async (t) => {
  const folders = await hostFolders(t, {
    silent: { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] },
    files: stdioEntry("memory"),
  });
  // Long enough for a real server to start on a busy machine: the deadline holds for both.
  const host = await hostIn(t, folders, { timeouts: { startupMs: 6_000 } });
  await approveAll(host, "files", "silent");

  const catalog = await host.catalog();

  assert.deepEqual(
    catalog.servers.map((server) => [
      server.name,
      server.state === "connected" ? "connected" : server.error.refusal.reason,
    ]),
    [
      ["files", "connected"],
      ["silent", "timeout"],
    ],
  );
  assert.ok(catalog.tools.has("files__read_graph"));
});

test("K1 a call whose tools could not be listed says why, instead of calling its tool unknown", async (t) => {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(body === "" ? "{}" : body);
      if (method !== "initialize") return void response.writeHead(id === undefined ? 202 : 404).end();
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          result: {
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "s", version: "1" },
          },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const folders = await hostFolders(t, {
    web: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` },
  });
  const host = await hostIn(t, folders);
  await approveAll(host, "web");

  const answer = await host.call("web__anything", {});

  assert.deepEqual(answer, {
    ok: false,
    refusal: {
      refusal: { kind: "session", reason: "http-status", serverId: "web", stage: "list-tools", code: 404 },
    },
  });
});
