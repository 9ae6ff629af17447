import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import type { ConnectionChange } from "../../../src/composition/host/connections.ts";
import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import { PLACE_LIMIT_MS } from "../../../src/composition/flows/supervise-places.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { collected, valueOf } from "../../kit/activation.ts";
import { startSdkServer } from "../../kit/sdk-servers.ts";
import { legacyScript, sendJson, sendStatus, startScriptedServer } from "../../kit/http-mcp-server.ts";
import { approveAll, hostFolders, hostIn, stdioEntry, writeProject } from "../../kit/hosts.ts";

/** A server that dies when its tool `die` is called. */
const UNSTEADY = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../fixtures/supervision/unsteady-server.mjs", import.meta.url))],
};

/** Resolves with the state once a server stands so. */
function standing(host: McpHost, name: string, status: string): Promise<ConnectionChange["state"]> {
  return new Promise((resolve) => {
    const check = (): void => {
      const state = host.connectionState(name);
      if (state.status !== status) return;
      stop();
      resolve(state);
    };
    const stop = host.onConnectionChanged(check);
    check();
  });
}

const HOUR_MS = 3_600_000;

/** The machine's clock, on which an hour can pass at once. */
function clockWithHours(): { readonly clock: Clock; readonly passHour: () => void } {
  const system = createSystemClock();
  const held = new Set<() => void>();
  let passedMs = 0;
  return {
    clock: {
      ...system,
      monotonicMs: () => system.monotonicMs() + passedMs,
      wait: (ms, { signal }) => {
        if (ms < HOUR_MS / 2) return system.wait(ms, { signal });
        return new Promise((resolve, reject) => {
          held.add(resolve);
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      },
    },
    passHour: () => {
      passedMs += HOUR_MS;
      for (const over of held) over();
    },
  };
}

test("V1 a host tells how each connection stands, and every change of it", async (t) => {
  const folders = await hostFolders(t, {
    web: { url: await startSdkServer(t) },
    other: stdioEntry("memory"),
  });
  const host = await hostIn(t, folders);
  await approveAll(host, "web");
  const changes: ConnectionChange[] = [];
  const stop = host.onConnectionChanged((change) => changes.push(change));
  assert.deepEqual(host.connectionState("web"), { status: "idle" });

  const session = valueOf(await host.connect("web"));
  const connected = host.connectionState("web");
  stop();
  await host.close();

  assert.deepEqual(
    changes.map(({ name, state }) => [name, state.status]),
    [
      ["web", "connecting"],
      ["web", "connected"],
    ],
  );
  assert.deepEqual(connected, { status: "connected", identity: session.identity, attempt: 1 });
  assert.deepEqual(host.connectionState("web"), { status: "closed" });
  assert.deepEqual(host.connectionState("other"), { status: "closed" });
});

test("V1 a caller whose call a dying child cut gets a new connection at once, and the call is not repeated", async (t) => {
  const folders = await hostFolders(t, { files: UNSTEADY });
  const host = await hostIn(t, folders, { reconnect: "none" });
  await approveAll(host, "files");
  const first = valueOf(await host.connect("files"));

  const call = await first.callTool("die", {});
  const second = valueOf(await host.connect("files"));

  assert.deepEqual(call, {
    ok: false,
    refusal: { refusal: { kind: "stdio", reason: "early-exit", detail: "exited", exitCode: 7 } },
  });
  assert.notEqual(second.identity, first.identity);
  assert.deepEqual(await second.callTool("echo", {}).then(({ ok }) => ok), true);
});

test("V2 a server that died comes back by itself, and a policy that wants nothing starts nothing", async (t) => {
  const folders = await hostFolders(t, { files: UNSTEADY });
  for (const reconnect of ["lost", "none"] as const) {
    const host = await hostIn(t, folders, { reconnect });
    await approveAll(host, "files");
    const session = valueOf(await host.connect("files"));
    await session.callTool("die", {});
    const failed = await standing(host, "files", "failed");
    assert.deepEqual(failed, {
      status: "failed",
      class: "transient",
      reason: "child-ended",
      attempt: 1,
      retry: reconnect === "lost" ? "pending" : "manual",
      recovering: true,
    });
    if (reconnect === "lost") await standing(host, "files", "connected");
    await host.close();
  }
});

test("V2 what a busy server asks for, and that it is down, is there for a host to show", async (t) => {
  const { url } = await startScriptedServer(t, (_, response) =>
    sendStatus(response, 503, { "retry-after": "20" }),
  );
  const folders = await hostFolders(t, { web: { url } });
  const host = await hostIn(t, folders);
  await approveAll(host, "web");

  const answer = await host.connect("web");

  assert.deepEqual(answer, {
    ok: false,
    refusal: {
      refusal: {
        kind: "session",
        reason: "http-status",
        serverId: "web",
        stage: "connect",
        code: 503,
        retryAfterMs: 20_000,
      },
    },
  });
  assert.deepEqual(host.connectionState("web"), {
    status: "failed",
    class: "transient",
    reason: "server-busy",
    attempt: 1,
    retry: "manual",
    recovering: false,
  });
});

test("V7 servers that hang hold up no other, however few may connect side by side", async (t) => {
  const silent = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };
  const folders = await hostFolders(t, { a: silent, b: silent, files: UNSTEADY });
  const system = createSystemClock();
  // What a connect keeps its place for is over at once.
  const clock: Clock = {
    ...system,
    wait: (ms, call) => system.wait(ms === PLACE_LIMIT_MS ? 1 : ms, call),
  };
  const host = await hostIn(t, folders, { concurrency: 1, parts: { clock } });
  await approveAll(host, "a", "b", "files");

  const catalog = host.catalog({ names: ["a", "b", "files"] });
  const closed = catalog.then(
    () => "listed",
    () => "closed",
  );
  await standing(host, "files", "connected");
  const others = ["a", "b"].map((name) => host.connectionState(name).status);
  await host.close();

  assert.deepEqual([others, await closed], [["connecting", "connecting"], "closed"]);
});

test("V5 an idle connection is closed, and the next call connects again and works", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("everything") });
  const { clock, passHour } = clockWithHours();
  const host = await hostIn(t, folders, { parts: { clock }, timeouts: { idleMs: HOUR_MS } });
  await approveAll(host, "files");
  valueOf(await host.call("files__echo", { message: "one" }));
  const before = valueOf(await host.connect("files"));

  passHour();
  await standing(host, "files", "idle");
  const ended = await before.closed;
  const answer = await host.call("files__echo", { message: "two" });

  assert.equal(ended.refusal.reason, "closed");
  assert.equal(valueOf(answer).result.isError, false);
  assert.notEqual(valueOf(await host.connect("files")).identity, before.identity);
});

test("A6b a retry of what was revoked meanwhile is given up, and what is approved again is idle, not failed", async (t) => {
  let down = false;
  const server = await startScriptedServer(t, (request, response) => {
    if (down) return sendStatus(response, 503, { "retry-after": "3600" });
    return legacyScript({
      script: ({ body }, answer) => sendJson(answer, { jsonrpc: "2.0", id: body?.id, result: {} }),
      sessions: ["s-1"],
    })(request, response);
  });
  const folders = await hostFolders(t, { web: { url: server.url } });
  const host = await hostIn(t, folders, { reconnect: "all" });
  await approveAll(host, "web");
  down = true;
  assert.equal((await host.connect("web")).ok, false);
  const failed = host.connectionState("web");
  assert.deepEqual([failed.status, failed.status === "failed" && failed.retry], ["failed", "pending"]);
  const { length } = server.requests;

  valueOf(await host.revoke("web"));
  assert.deepEqual(host.connectionState("web"), { status: "idle" });
  assert.equal((await host.connect("web")).ok, false);
  const denied = host.connectionState("web");
  assert.deepEqual([denied.status, denied.status === "failed" && denied.reason], ["failed", "own-rule"]);
  valueOf(await host.approve("web"));

  assert.deepEqual(host.connectionState("web"), { status: "idle" });
  assert.equal(server.requests.length, length, "a server that is not approved was contacted");
});

test("A6b an approval that goes while its server is still connecting leaves no connection", async (t) => {
  const { promise: revoked, resolve: goOn } = Promise.withResolvers<void>();
  const legacy = legacyScript({ script: (_, response) => sendStatus(response, 500), sessions: ["s-1"] });
  const server = await startScriptedServer(t, async (request, response) => {
    if (request.body?.method === "initialize") await revoked;
    return legacy(request, response);
  });
  const folders = await hostFolders(t, { web: { url: server.url } });
  const host = await hostIn(t, folders);
  await approveAll(host, "web");
  const connecting = host.connect("web");
  await server.seen(1);

  valueOf(await host.revoke("web"));
  goOn();

  assert.deepEqual(await connecting, {
    ok: false,
    refusal: { refusal: { kind: "activation", reason: "revoked", serverId: "web" } },
  });
  const last = (await collected(host.audit())).at(-1);
  assert.deepEqual([last?.action, last?.serverId, last?.reason], ["connection-closed", "web", "revoked"]);
  assert.equal(host.connectionState("web").status, "failed");
  // The session that the server had given out was ended.
  assert.equal(server.requests.at(-1)?.method, "DELETE");
});

test("A6b a definition that changes while it is connected goes, and the next use is the new one", async (t) => {
  const folders = await hostFolders(t, { files: stdioEntry("memory") });
  const host = await hostIn(t, folders);
  await approveAll(host, "files");
  const before = valueOf(await host.connect("files"));

  await writeProject(folders.workspace, { files: stdioEntry("memory", { timeout: 5_000 }) });
  await host.reload();
  assert.deepEqual(host.connectionState("files"), { status: "idle" });
  valueOf(await host.approve("files"));
  const after = valueOf(await host.connect("files"));

  assert.equal((await before.closed).refusal.reason, "closed");
  assert.notEqual(after.identity, before.identity);
  const closed = (await collected(host.audit())).filter(({ action }) => action === "connection-closed");
  assert.deepEqual(
    closed.map(({ reason }) => reason),
    ["stale"],
  );
});

test("V6 closing a host answers who waits for a server that hangs, and leaves nothing of it", async (t) => {
  const folders = await hostFolders(t, {
    silent: { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] },
  });
  const host = await hostIn(t, folders);
  await approveAll(host, "silent");
  const waiting = host.connect("silent");
  await standing(host, "silent", "connecting");

  await host.close();

  assert.deepEqual(await waiting, {
    ok: false,
    refusal: { refusal: { kind: "session", reason: "closed", serverId: "silent", stage: "connect" } },
  });
});

for (const used of [false, true]) {
  test(`V6 a closed host that was ${used ? "used" : "never used"} before connects nothing any more`, async (t) => {
    const requests: unknown[] = [];
    const server = await startScriptedServer(t, (request, response) => {
      requests.push(request);
      sendStatus(response, 503);
    });
    const host = await hostIn(t, await hostFolders(t, { web: { url: server.url } }), { reconnect: "none" });
    await approveAll(host, "web");
    if (used) await host.connect("web");
    await host.close();
    const before = requests.length;

    const answer = await host.connect("web");

    assert.equal(before, used ? 1 : 0);
    assert.deepEqual(answer, {
      ok: false,
      refusal: { refusal: { kind: "session", reason: "closed", serverId: "web", stage: "connect" } },
    });
    assert.equal(requests.length, before);
    assert.deepEqual(host.connectionState("web"), { status: "closed" });
  });
}

test("V1 a name that nobody configured is refused and leaves no state behind", async (t) => {
  const host = await hostIn(t, await hostFolders(t, {}));

  assert.deepEqual(await host.connect("nobody"), {
    ok: false,
    refusal: { refusal: { kind: "host", reason: "unknown-server", serverId: "nobody" } },
  });
  assert.deepEqual(host.connectionState("nobody"), { status: "idle" });
});
