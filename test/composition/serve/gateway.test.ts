import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createGatewaySession,
  type GatewaySession,
  type ServerNotice,
} from "../../../src/composition/serve/gateway.ts";
import { accept } from "../../../src/domain/outcome.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { DOWN, EMPTY_RESULT, FakeGatewayHost, failWith } from "../../kit/fake-gateway-host.ts";
import { settle } from "../../kit/fake-sessions.ts";

interface World {
  readonly host: FakeGatewayHost;
  readonly clock: FakeClock;
  readonly session: GatewaySession;
  readonly notices: ServerNotice[];
  readonly names: () => Promise<readonly string[]>;
}

function world(servers: Readonly<Record<string, readonly string[]>>): World {
  const host = new FakeGatewayHost();
  for (const [name, tools] of Object.entries(servers)) host.set(name, { tools });
  const clock = new FakeClock();
  const notices: ServerNotice[] = [];
  const session = createGatewaySession(host, { clock, onServer: (notice) => notices.push(notice) });
  const { signal } = new AbortController();
  const names = async (): Promise<readonly string[]> =>
    (await session.tools({ signal })).map(({ name }) => name);
  return { host, clock, session, notices, names };
}

test("R11 nobody is contacted before the first list, and then every approved server is", async () => {
  const { host, names } = world({ files: ["read", "write"], web: ["get"] });
  host.set("old", { tools: ["x"], status: "revoked" });
  assert.deepEqual(host.listed, []);

  assert.deepEqual(await names(), ["files__read", "files__write", "web__get"]);
  assert.deepEqual(host.listed, ["files", "web"]);
});

test("R11 a list that did not change is the same list, and asks nobody again", async () => {
  const { host, session } = world({ files: ["read"] });
  const { signal } = new AbortController();
  const first = await session.tools({ signal });

  assert.equal(await session.tools({ signal }), first);
  assert.deepEqual(host.listed, ["files"]);
});

test("R11 a server that is down costs its own tools, is told once, and is tried again after 30 s of somebody listing", async () => {
  const { host, clock, names, notices } = world({ files: ["read"], web: ["get"] });
  host.set("web", { failure: DOWN });

  assert.deepEqual(await names(), ["files__read"]);
  assert.deepEqual(notices, [
    { serverId: "files", state: "up" },
    { serverId: "web", state: "down", failure: DOWN },
  ]);
  host.set("web", { failure: undefined });
  await clock.advance(29_749);
  await names();
  assert.equal(host.listed.length, 2);

  await clock.advance(251);
  await names();
  await settle();
  assert.deepEqual(await names(), ["files__read", "web__get"]);
  assert.deepEqual(notices.slice(2), [{ serverId: "web", state: "up" }]);
});

test("K1 a list that could not be read to its end is served as far as it came, and read again", async () => {
  const { host, clock, names, notices } = world({ files: ["read"] });
  host.set("files", { complete: false });

  assert.deepEqual(await names(), ["files__read"]);
  assert.deepEqual(notices, [{ serverId: "files", state: "incomplete" }]);
  host.set("files", { complete: true, tools: ["read", "write"] });
  await clock.advance(30_000);
  await names();
  await settle();
  assert.deepEqual(await names(), ["files__read", "files__write"]);
  assert.deepEqual(notices.at(-1), { serverId: "files", state: "up" });
});

test("V7 a server that hangs delays the first list by 8 s and no later one, and comes in by itself", async () => {
  const { host, clock, session, names } = world({ files: ["read"], slow: ["get"] });
  const opened = Promise.withResolvers<void>();
  host.set("slow", { held: opened.promise });
  let changes = 0;
  session.onToolsChanged(() => (changes += 1));

  const first = names();
  await clock.advance(7_999);
  assert.equal(await Promise.race([first, settle().then(() => "waiting")]), "waiting");
  await clock.advance(1);
  assert.deepEqual(await first, ["files__read"]);
  assert.deepEqual(await names(), ["files__read"]);
  assert.equal(clock.pending, 0);

  opened.resolve();
  await settle();
  assert.equal(changes, 1);
  assert.deepEqual(await names(), ["files__read", "slow__get"]);
});

test("R11 a client that leaves during the first list leaves alone, and no timer is left", async () => {
  const { host, clock, session, names } = world({ slow: ["get"] });
  const opened = Promise.withResolvers<void>();
  host.set("slow", { held: opened.promise });
  const leaving = new AbortController();
  const left = session.tools({ signal: leaving.signal });
  const staying = names();
  leaving.abort("gone");

  await assert.rejects(left, (reason) => reason === "gone");
  opened.resolve();
  assert.deepEqual(await staying, ["slow__get"]);
  await settle();
  assert.equal(clock.pending, 0);
});

test("V2 a connection that is lost is told, its tools stay, and it is listed again when it is back", async () => {
  const { host, session, names, notices } = world({ files: ["read"] });
  await names();
  let changes = 0;
  session.onToolsChanged(() => (changes += 1));
  host.connection("files", "lost");
  host.connection("files", "lost");

  assert.deepEqual(notices.slice(1), [{ serverId: "files", state: "lost" }]);
  assert.deepEqual(await names(), ["files__read"]);
  host.set("files", { tools: ["read", "write"] });
  host.connection("files", "connected");
  await settle();
  assert.deepEqual(await names(), ["files__read", "files__write"]);
  assert.deepEqual([notices.at(-1), changes], [{ serverId: "files", state: "up" }, 1]);
});

test("V2 a server that was down at the first list comes in when it could be connected", async () => {
  const { host, names } = world({ files: ["read"] });
  host.set("files", { failure: DOWN });
  assert.deepEqual(await names(), []);
  host.set("files", { failure: undefined });
  host.connection("files", "connected");
  await settle();

  assert.deepEqual(await names(), ["files__read"]);
});

test("V5 a connection that was closed for being idle is no news", async () => {
  const { host, names, notices } = world({ files: ["read"] });
  await names();
  host.connection("files", "idle");
  host.connection("files", "connected");
  host.connection("unknown", "lost");
  await settle();

  assert.deepEqual([host.listed, notices.length], [["files"], 1]);
});

test("V4 a list that changed is told to clients once, with its new tools", async () => {
  const { host, session, names } = world({ files: ["read"] });
  await names();
  let changes = 0;
  const stop = session.onToolsChanged(() => (changes += 1));

  host.announce("files", ["read", "write"]);
  await settle();
  assert.equal(changes, 1);
  assert.deepEqual(await names(), ["files__read", "files__write"]);
  host.announce("files", ["read", "write"]);
  await settle();
  assert.equal(changes, 1);

  stop();
  host.announce("files", []);
  await settle();
  assert.equal(changes, 1);
});

test("V4 nobody is told of changes before somebody has listed", async () => {
  const { host, session } = world({ files: ["read"] });
  let changes = 0;
  session.onToolsChanged(() => (changes += 1));
  session.refresh();
  await settle();
  host.announce("files", ["write"]);
  await settle();

  assert.equal(changes, 0);
});

test("V4 a change during a reading is read again after it", async () => {
  const { host, names } = world({ files: ["read"] });
  const opened = Promise.withResolvers<void>();
  host.set("files", { held: opened.promise });
  const first = names();
  await settle();
  host.announce("files", ["write"]);
  opened.resolve();

  await first;
  await settle();
  assert.deepEqual(host.listed, ["files", "files"]);
  assert.deepEqual(await names(), ["files__write"]);
});

test("A6b a server that is not approved any more is gone from the list, and clients are told", async () => {
  const { host, session, names, notices } = world({ files: ["read"], web: ["get"] });
  await names();
  let changes = 0;
  session.onToolsChanged(() => (changes += 1));
  host.set("web", { status: "revoked" });
  session.refresh();

  assert.equal(changes, 1);
  assert.deepEqual(await names(), ["files__read"]);
  assert.deepEqual(notices.at(-1), { serverId: "web", state: "gone" });
});

test("A6b a list sees what was approved meanwhile once its last look is 250 ms old", async () => {
  const { host, clock, names } = world({ files: ["read"] });
  await names();
  host.set("web", { tools: ["get"] });
  await clock.advance(249);
  assert.deepEqual(await names(), ["files__read"]);
  await clock.advance(1);

  assert.deepEqual(await names(), ["files__read", "web__get"]);
});

test("A6b a server that was approved meanwhile comes in", async () => {
  const { host, session, names } = world({ files: ["read"] });
  await names();
  host.set("web", { tools: ["get"] });
  session.refresh();
  await settle();

  assert.deepEqual(await names(), ["files__read", "web__get"]);
});

test("K3 two tools of one catalog name are both left out, whoever was listed first", async () => {
  const { names } = world({ a: ["b__c"], a__b: ["c"], web: ["get"] });
  const listed = await names();

  assert.equal(new Set(listed).size, listed.length);
  assert.ok(listed.includes("web__get"));
});

test("R11 a call goes to the host once, with its arguments, signal and what may go on of its _meta", async () => {
  const { host, session } = world({ files: ["read"] });
  const { signal } = new AbortController();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const outcome = await session.invoke("files__read", { path: "a" }, { signal, meta: { x: 1, traceparent } });

  assert.deepEqual(outcome, { status: "completed", isError: false, content: [] });
  assert.deepEqual(host.calls, [
    {
      tool: "files__read",
      args: { path: "a" },
      options: { signal, meta: { x: 1 }, trace: { traceparent } },
    },
  ]);
});

test("R11 progress is passed on, its message cleaned and cut", async () => {
  const { host, session } = world({ files: ["read"] });
  host.answer = async ({ options }) => {
    options?.onProgress?.({ progress: 1, total: 3, message: "one\u202e" });
    options?.onProgress?.({ progress: 2 });
    options?.onProgress?.({ progress: 3, message: "m".repeat(2_000) });
    return accept({ tool: host.toolOf("files__read"), result: EMPTY_RESULT });
  };
  const seen: unknown[] = [];
  const { signal } = new AbortController();
  await session.invoke("files__read", {}, { signal, onProgress: (progress) => seen.push(progress) });

  assert.deepEqual(seen, [
    { progress: 1, total: 3, message: "one" },
    { progress: 2 },
    { progress: 3, message: "m".repeat(1_024) },
  ]);
});

const FORM = { message: "Which?", fields: [] } as const;

test("C7 a server's form goes to the client of the call, under the server's configured name, and back", async () => {
  const { host, session } = world({ files: ["read"] });
  const answers: unknown[] = [];
  const { signal } = new AbortController();
  host.answer = async ({ options }) => {
    answers.push(await options?.ask?.({ serverId: "files", form: FORM }, { signal }));
    return accept({ tool: host.toolOf("files__read"), result: EMPTY_RESULT });
  };
  const asked: unknown[] = [];
  const answer = { action: "accept", content: { a: 1 } } as const;
  await session.invoke(
    "files__read",
    {},
    {
      signal,
      ask: async (prompt) => {
        asked.push(prompt);
        return asked.length === 1 ? { kind: "form", answer } : { kind: "cancelled" };
      },
    },
  );
  await session.invoke("files__read", {}, { signal, ask: async () => ({ kind: "cancelled" }) });
  await session.invoke("files__read", {}, { signal });

  assert.deepEqual(asked, [{ kind: "form", from: "files", form: FORM }]);
  assert.deepEqual(answers, [answer, { action: "cancel" }, undefined]);
});

test("R11 a call that fails as if its server were gone has it listed again, once in 30 s", async () => {
  const { host, clock, session, names, notices } = world({ files: ["read"] });
  await names();
  host.answer = failWith(DOWN);
  host.set("files", { failure: DOWN });
  const { signal } = new AbortController();
  const call = () => session.invoke("files__read", {}, { signal });

  assert.equal((await call()).status, "failed");
  assert.deepEqual(host.listed, ["files"]);
  await clock.advance(30_000);
  await call();
  await call();
  await settle();
  assert.deepEqual(host.listed, ["files", "files"]);
  assert.deepEqual(notices.at(-1), { serverId: "files", state: "down", failure: DOWN });
  assert.deepEqual(await names(), []);
});

test("R11 a tool's own failure says nothing of its server", async () => {
  const { host, clock, session, names } = world({ files: ["read"] });
  await names();
  host.answer = failWith({ refusal: { kind: "call", reason: "unknown-tool" } });
  await clock.advance(30_000);
  const { signal } = new AbortController();
  await session.invoke("files__read", {}, { signal });
  await settle();

  assert.deepEqual(host.listed, ["files"]);
});

test("R2 an aborted call is cancelled, and a fault of the machine is a failure without words", async () => {
  const { host, session } = world({ files: ["read"] });
  host.answer = async () => {
    throw new Error("canary-secret");
  };
  const signal = AbortSignal.abort();

  assert.deepEqual(await session.invoke("files__read", {}, { signal }), { status: "cancelled" });
  assert.deepEqual(await session.invoke("files__read", {}, { signal: new AbortController().signal }), {
    status: "failed",
  });
});

test("R11 a closed gateway reads nothing more and tells nobody", async () => {
  const { host, session, names } = world({ files: ["read"] });
  await names();
  let changes = 0;
  session.onToolsChanged(() => (changes += 1));
  session.close();
  session.close();
  host.announce("files", ["write"]);
  host.set("web", { tools: ["get"] });
  session.refresh();
  await settle();

  assert.deepEqual([host.listed, changes, host.listeners], [["files"], 0, 0]);
});
