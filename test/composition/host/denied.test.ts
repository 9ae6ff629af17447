import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { collected, valueOf } from "../../kit/activation.ts";
import { approveAll, hostFolders, hostIn, stdioEntry, writeProject } from "../../kit/hosts.ts";

/** A server that writes down that it was started, and one that counts who called. */
async function traps(t: TestContext) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const folders = await hostFolders(t, {});
  const mark = join(folders.workspace, "started");
  const entries = {
    starts: {
      command: process.execPath,
      args: ["-e", `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "")`],
    },
    calls: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` },
  };
  await writeProject(folders.workspace, entries);
  return { folders, entries, untouched: () => requests === 0 && !existsSync(mark) };
}

test("A1 nothing is started or contacted without an approval, and each refusal is audited", async (t) => {
  const { folders, untouched } = await traps(t);
  const host = await hostIn(t, folders);
  valueOf(await host.setTrusted(true));

  const whole = await host.catalog();
  const named = await host.catalog({ names: ["starts", "calls"] });
  const called = await host.call("starts__anything", {});

  assert.deepEqual(whole.servers, []);
  assert.deepEqual(
    named.servers.map((server) => server.state !== "connected" && [server.state, server.error.refusal]),
    ["starts", "calls"].map((serverId) => ["refused", { kind: "activation", reason: "pending", serverId }]),
  );
  assert.deepEqual(called, {
    ok: false,
    refusal: { refusal: { kind: "activation", reason: "pending", serverId: "starts" } },
  });
  assert.ok(untouched());
  const events = await collected(host.audit());
  assert.deepEqual(
    events.map(({ action, serverId, reason }) => [action, serverId, reason]),
    [
      ["trust", undefined, undefined],
      ["admission-refused", "starts", "activation/pending"],
      ["admission-refused", "calls", "activation/pending"],
      ["admission-refused", "starts", "activation/pending"],
    ],
  );
});

test("A4 a project is not approved in an untrusted workspace, and nothing is written", async (t) => {
  const { folders, untouched } = await traps(t);
  const host = await hostIn(t, folders);

  const approved = await host.approve("starts");

  assert.deepEqual(approved, {
    ok: false,
    refusal: { kind: "activation-decision", reason: "untrusted", serverId: "starts" },
  });
  assert.ok(untouched());
  assert.equal(existsSync(join(folders.home, "approvals.json")), false);
});

test("A6b a definition that changes on disk starts nothing and is stale until somebody approves it again", async (t) => {
  const { folders, entries, untouched } = await traps(t);
  const host = await hostIn(t, folders);
  await approveAll(host, "starts");

  await writeProject(folders.workspace, { starts: { ...entries.starts, args: ["-e", "0", "x"] } });
  await host.reload();

  assert.equal(host.server("starts")?.approval?.status, "stale");
  assert.deepEqual(
    host.changes("starts").map(({ path, change }) => [path, change]),
    [
      ["args[1]", "changed"],
      ["args[2]", "added"],
    ],
  );
  assert.deepEqual(await host.connect("starts"), {
    ok: false,
    refusal: { refusal: { kind: "activation", reason: "stale", serverId: "starts" } },
  });
  assert.ok(untouched());
});

test("A6b a live connection is closed when its definition changes, and the log says why", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("memory") });
  const host = await hostIn(t, folders);
  await approveAll(host, "files");
  const session = valueOf(await host.connect("files"));

  await writeProject(folders.workspace, { files: stdioEntry("memory", { timeout: 5_000 }) });
  await host.reload();

  assert.equal((await session.closed).refusal.reason, "closed");
  const last = (await collected(host.audit())).at(-1);
  assert.deepEqual([last?.action, last?.serverId, last?.reason], ["connection-closed", "files", "stale"]);
});

test("A6b revoking closes the live connection, and the next use is refused", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("memory") });
  const host = await hostIn(t, folders);
  await approveAll(host, "files");
  const session = valueOf(await host.connect("files"));

  valueOf(await host.revoke("files"));

  assert.equal((await session.closed).refusal.reason, "closed");
  assert.deepEqual(await host.connect("files"), {
    ok: false,
    refusal: { refusal: { kind: "activation", reason: "revoked", serverId: "files" } },
  });
});

test("X3 an approval that another process revoked is noticed before the child is started", async (t) => {
  const { folders, untouched } = await traps(t);
  const host = await hostIn(t, folders);
  await approveAll(host, "starts");
  const other = await hostIn(t, folders);
  valueOf(await other.revoke("starts"));

  const connected = await host.connect("starts");

  assert.equal(connected.ok, false);
  assert.ok(untouched());
});

test("A1 an approval that another process revoked is noticed before a URL is contacted", async (t) => {
  const { folders, untouched } = await traps(t);
  const host = await hostIn(t, folders);
  await approveAll(host, "calls");
  const other = await hostIn(t, folders);
  valueOf(await other.revoke("calls"));

  const connected = await host.connect("calls");

  assert.deepEqual(connected, {
    ok: false,
    refusal: { refusal: { kind: "activation", reason: "revoked", serverId: "calls" } },
  });
  assert.ok(untouched());
});

test("D12 revoking a server whose entry broke still answers its approval", async (t) => {
  const { folders } = await traps(t);
  const host = await hostIn(t, folders);
  await approveAll(host, "starts");
  await writeProject(folders.workspace, { starts: { command: 7 } });
  await host.reload();

  const revoked = valueOf(await host.revoke("starts"));

  assert.deepEqual([revoked.decision, revoked.subject.serverId], ["revoked", "starts"]);
  assert.deepEqual(await host.revoke("never-heard-of"), {
    ok: false,
    refusal: { kind: "host", reason: "unknown-server", serverId: "never-heard-of" },
  });
});

test("M2 what changed between the look and the yes is not approved", async (t) => {
  const { folders, entries } = await traps(t);
  const host = await hostIn(t, folders);
  valueOf(await host.setTrusted(true));
  const seen = valueOf(await host.propose("starts"));

  await writeProject(folders.workspace, { starts: { ...entries.starts, args: ["-e", "evil()"] } });
  await host.reload();
  const approved = await host.approve("starts", { seen });

  assert.deepEqual(approved, {
    ok: false,
    refusal: { kind: "host", reason: "changed-meanwhile", serverId: "starts" },
  });
  assert.equal(host.server("starts")?.approval?.status, "pending");
});

test("A6b an approval that goes while its server is connecting leaves no connection behind", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("memory") });
  const host = await hostIn(t, folders);
  await approveAll(host, "files");

  const connecting = host.connect("files");
  await writeProject(folders.workspace, { files: stdioEntry("memory", { timeout: 5_000 }) });
  await host.reload();

  assert.deepEqual(await connecting, {
    ok: false,
    refusal: { refusal: { kind: "activation", reason: "stale", serverId: "files" } },
  });
});

test("C1 the catalog asks a server only for the kinds of lists that are wanted", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("everything") });
  const host = await hostIn(t, folders);
  await approveAll(host, "files");

  const catalog = await host.catalog({ kinds: ["prompts"] });

  assert.equal(catalog.tools.size, 0);
  assert.ok(catalog.prompts.size > 0);
  assert.equal(catalog.resources.size, 0);
});
