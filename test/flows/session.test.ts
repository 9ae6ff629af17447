import assert from "node:assert/strict";
import { test } from "node:test";

import { createSession } from "../../src/composition/flows/session.ts";
import type { PeerFailure } from "../../src/ports/mcp-peer.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { FakePeer } from "../kit/fake-peer.ts";
import { fakeSessionOptions, settle } from "../kit/fake-sessions.ts";

const TRACE = `00-${"1".repeat(32)}-${"2".repeat(16)}-01`;
const hangs = (): Promise<never> => new Promise(() => undefined);

test("C5 the identity is server id, revision, server version and a fresh generation", () => {
  const session = createSession(new FakePeer(() => ({})), fakeSessionOptions());

  assert.deepEqual(session.identity, {
    serverId: "s",
    protocolVersion: "2025-11-25",
    serverVersion: "1.2.3",
    serverInfoProvided: true,
    carrierGeneration: "generation-1",
  });
});

test("C5 a server that does not name itself has serverInfoProvided false", () => {
  const session = createSession(new FakePeer(() => ({}), { serverInfo: undefined }), fakeSessionOptions());

  assert.equal(session.identity.serverInfoProvided, false);
  assert.equal(session.identity.serverVersion, undefined);
});

test("H3c C5 a renewed session has another identity, and the host is told", () => {
  let told = 0;
  const peer = new FakePeer(() => ({}));
  const session = createSession(peer, fakeSessionOptions());
  session.onRenewed(() => (told += 1));

  peer.renew({ serverInfo: { name: "fake", version: "2.0.0" } });

  assert.equal(told, 1);
  assert.equal(session.identity.serverVersion, "2.0.0");
  assert.equal(session.identity.carrierGeneration, "generation-2");
  assert.equal(session.server.serverInfo?.version, "2.0.0");
});

test("C5 a listing says whose it is, even when the session was renewed meanwhile", async () => {
  const peer = new FakePeer(() => {
    peer.renew({});
    return { tools: [] };
  });
  const session = createSession(peer, fakeSessionOptions());

  const { identity } = await session.discover();

  assert.equal(identity.carrierGeneration, "generation-1");
  assert.equal(session.identity.carrierGeneration, "generation-2");
});

test("C7b the first listing has what connecting left of the startup time, a later one all of it", async () => {
  const clock = new FakeClock();
  const session = createSession(new FakePeer(hangs), fakeSessionOptions({ clock }));
  for (const deadlineMs of [400, 1_000]) {
    let done = false;
    const listing = session.discover().finally(() => (done = true));
    await settle();
    await clock.advance(deadlineMs - 1);
    assert.equal(done, false);
    await clock.advance(1);
    assert.equal((await listing).tools.state.incompleteReason, "timeout");
  }
});

test("C7b a call has its own timeout and ten times that in all; a list the other", async () => {
  const peer = new FakePeer(() => ({ tools: [], contents: [] }));
  const session = createSession(peer, fakeSessionOptions());

  await session.callTool("t", {});
  await session.callTool("t", {}, { timeoutMs: 7 });
  await session.callTool("t", {}, { timeoutMs: 7, maxTotalMs: 8 });
  await session.getPrompt("p", {});
  await session.readResource("a:b");
  await session.discover();

  assert.deepEqual(
    peer.asked.map(({ options }) => [options.stage, options.timeoutMs, options.maxTotalMs]),
    [
      ["call", 300, 3_000],
      ["call", 7, 70],
      ["call", 7, 8],
      ["get-prompt", 200, 2_000],
      ["read-resource", 200, 2_000],
      ["list-tools", 200, 2_000],
    ],
  );
});

test("C1 prompts and resources are asked for by the server's own names", async () => {
  const peer = new FakePeer(() => ({ contents: [] }));
  const session = createSession(peer, fakeSessionOptions());

  await session.getPrompt("p", { a: "1" }, { meta: { k: 1 } });
  const read = await session.readResource("a:b");

  assert.deepEqual(
    peer.asked.map(({ method, params }) => [method, params]),
    [
      ["prompts/get", { name: "p", arguments: { a: "1" }, _meta: { k: 1 } }],
      ["resources/read", { uri: "a:b" }],
    ],
  );
  assert.deepEqual(read.ok && read.value.result, { contents: [] });
});

test("C3 a bad freshness hint refuses the read it stands on in 2026-07-28", async () => {
  const peer = new FakePeer(() => ({ contents: [], ttlMs: -1, cacheScope: "private" }), { era: "modern" });
  const session = createSession(peer, fakeSessionOptions());

  assert.deepEqual(await session.readResource("a:b"), {
    ok: false,
    refusal: {
      refusal: { kind: "session", reason: "invalid-response", serverId: "s", stage: "read-resource" },
    },
  });
});

test("H5 a call's trace context is handed to that call alone", async () => {
  const peer = new FakePeer(() => ({}));
  const session = createSession(peer, fakeSessionOptions());
  const trace = { traceparent: TRACE, tracestate: "a=1" };

  await session.callTool("t", {}, { trace });
  await session.getPrompt("p", {}, { trace });
  await session.callTool("t", {}, { trace: { traceparent: "evil\r\nx: y" } });
  await session.callTool("t", {});

  assert.deepEqual(
    peer.asked.map(({ options }) => options.headers),
    [
      [
        ["traceparent", TRACE],
        ["tracestate", "a=1"],
      ],
      undefined,
      undefined,
      undefined,
    ],
  );
});

test("C9 notifications reach a listener and start nothing", async () => {
  const told: string[] = [];
  const peer = new FakePeer(() => ({}));
  const session = createSession(peer, fakeSessionOptions());
  session.onNotification((method) => told.push(method));

  peer.notify("notifications/tools/list_changed", {});
  await settle();

  assert.deepEqual(told, ["notifications/tools/list_changed"]);
  assert.deepEqual(peer.asked, []);
});

test("C6 the session names what was asked and is not there", () => {
  const session = createSession(new FakePeer(() => ({})), fakeSessionOptions({ selection: "auto" }));

  assert.deepEqual(session.compatibilityDiagnostics, [{ code: "modern-era-unavailable" }]);
});

test("V6 a session closes its peer, by hand or when it goes out of scope", async () => {
  const peer = new FakePeer(() => ({}));
  {
    await using session = createSession(peer, fakeSessionOptions());
    await session.close();
  }

  assert.equal(peer.closes, 2);
  assert.equal((await peer.closed).refusal.reason, "closed");
});

test("V1 what ended a session is known before a call fails of it", async () => {
  const lost: PeerFailure = { refusal: { kind: "stdio", reason: "early-exit", exitCode: 1 } };
  const peer = new FakePeer(() => {
    peer.end(lost);
    return { ok: false, refusal: lost };
  });
  const session = createSession(peer, fakeSessionOptions());
  const before = session.ended;

  const answer = await session.callTool("echo", {});

  assert.equal(before, undefined);
  assert.deepEqual([answer.ok, session.ended, await session.closed], [false, lost, lost]);
});

for (const ms of [0, -1, Number.NaN, -Infinity]) {
  test(`C7b a call whose time is ${ms} is a mistake of the host: a TypeError, and nothing is sent`, async () => {
    let sent = 0;
    const peer = new FakePeer(() => {
      sent += 1;
      return { content: [] };
    });
    const session = createSession(peer, fakeSessionOptions());

    await assert.rejects(session.callTool("t", {}, { timeoutMs: ms }), TypeError);
    await assert.rejects(session.callTool("t", {}, { maxTotalMs: ms }), TypeError);

    assert.equal(sent, 0);
  });
}

test("C7b a call may have a part of a millisecond, or as long as it takes", async () => {
  const session = createSession(new FakePeer(() => ({ content: [] })), fakeSessionOptions());

  for (const timeoutMs of [0.5, Infinity]) {
    assert.equal((await session.callTool("t", {}, { timeoutMs })).ok, true);
  }
});
