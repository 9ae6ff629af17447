import assert from "node:assert/strict";
import { test } from "node:test";

import type { PeerProgress } from "../../../../src/ports/mcp-peer.ts";
import { asking, connectedFake, settle, type OpenFake } from "../../../kit/fake-sessions.ts";

const silent = (): void => undefined;

function progress({ carrier }: OpenFake, value: unknown, more: Readonly<Record<string, unknown>> = {}): void {
  const params = { progressToken: carrier.sent[0]?.id, progress: value, ...more };
  carrier.deliver({ jsonrpc: "2.0", method: "notifications/progress", params });
}

function unknownOutcome(more: Readonly<Record<string, unknown>>) {
  return {
    ok: false,
    refusal: {
      refusal: { kind: "session", reason: "outcome-unknown", serverId: "s", stage: "call", ...more },
    },
  };
}

test("C7b C8 a call without an answer is given up at its timeout, its outcome unknown", async () => {
  const { peer, clock, carrier } = await connectedFake("legacy", silent);
  let answered = false;
  const asked = peer.request("tools/call", {}, asking()).finally(() => (answered = true));
  await settle();

  await clock.advance(99);
  assert.equal(answered, false);
  await clock.advance(1);

  assert.deepEqual(await asked, unknownOutcome({ ended: "timeout", limitMs: 100 }));
  assert.deepEqual(
    carrier.sent.map(({ method }) => method),
    ["tools/call", "notifications/cancelled"],
  );
  assert.equal(clock.pending, 0);
});

test("C7b a list without an answer times out, and its outcome is not unknown", async () => {
  const { peer, clock } = await connectedFake("legacy", silent);
  const asked = peer.request("tools/list", {}, asking({ stage: "list-tools" }));
  await settle();

  await clock.advance(100);

  assert.deepEqual(await asked, {
    ok: false,
    refusal: {
      refusal: {
        kind: "session",
        reason: "timeout",
        serverId: "s",
        stage: "list-tools",
        ended: "timeout",
        limitMs: 100,
      },
    },
  });
});

test("C7b growing progress restarts the timeout", async () => {
  const open = await connectedFake("legacy", silent);
  const asked = open.peer.request("tools/call", {}, asking());
  await settle();

  await open.clock.advance(90);
  progress(open, 1);
  await open.clock.advance(90);
  open.carrier.result(open.carrier.sent[0]?.id, { content: [] });

  assert.deepEqual(await asked, { ok: true, value: { content: [] } });
});

for (const value of [1, 0.5, "2", null, Number.NaN]) {
  test(`H8 progress ${String(value)} after 1 restarts nothing`, async () => {
    const open = await connectedFake("legacy", silent);
    const asked = open.peer.request("tools/call", {}, asking());
    await settle();
    progress(open, 1);

    await open.clock.advance(90);
    progress(open, value);
    await open.clock.advance(10);

    assert.deepEqual(await asked, unknownOutcome({ ended: "timeout", limitMs: 100 }));
  });
}

test("H8 C7b progress for ever does not outlast the absolute maximum", async () => {
  const open = await connectedFake("legacy", silent);
  const asked = open.peer.request("tools/call", {}, asking());
  await settle();

  for (let step = 1; step <= 5; step += 1) {
    progress(open, step);
    await open.clock.advance(50);
  }

  assert.deepEqual(await asked, unknownOutcome({ ended: "total-timeout", limitMs: 250 }));
  assert.equal(open.clock.pending, 0);
});

test("H7 progress is told while the call runs, cleaned, growing values alone", async () => {
  const told: PeerProgress[] = [];
  const open = await connectedFake("legacy", silent);
  const asked = open.peer.request("tools/call", {}, asking({ onProgress: (step) => told.push(step) }));
  await settle();

  progress(open, 1, { total: 3, message: "one\u202E" });
  progress(open, 1, { message: "again" });
  progress(open, 3, { total: "x", message: 7 });
  open.carrier.result(open.carrier.sent[0]?.id, {});
  progress(open, 4);
  await asked;

  assert.deepEqual(told, [{ progress: 1, total: 3, message: "one" }, { progress: 3 }]);
});

test("C7b progress for another token restarts nothing and is told to nobody", async () => {
  const told: PeerProgress[] = [];
  const open = await connectedFake("legacy", silent);
  const asked = open.peer.request("tools/call", {}, asking({ onProgress: (step) => told.push(step) }));
  await settle();

  await open.clock.advance(90);
  progress(open, 1, { progressToken: 4_711 });
  progress(open, 1, { progressToken: { a: 1 } });
  await open.clock.advance(10);

  assert.equal((await asked).ok, false);
  assert.deepEqual(told, []);
});

test("C7b a listener for progress that throws ends neither the call nor the connection", async () => {
  const open = await connectedFake("legacy", silent);
  const asked = open.peer.request("tools/call", {}, asking({ onProgress: () => assert.fail("host") }));
  await settle();

  progress(open, 1);
  open.carrier.result(open.carrier.sent[0]?.id, {});

  assert.equal((await asked).ok, true);
});

for (const era of ["legacy", "modern"] as const) {
  for (const perRequest of [false, true]) {
    test(`C8 an abort of a sent call answers outcome unknown and keeps its reason at home (${era}, ${perRequest ? "HTTP" : "stdio"})`, async () => {
      const { peer, carrier, clock } = await connectedFake(era, silent, { perRequest });
      const control = new AbortController();
      const asked = peer.request("tools/call", {}, asking({ signal: control.signal }));
      await settle();

      control.abort(new Error("the user's private reason"));

      assert.deepEqual(await asked, unknownOutcome({ ended: "abort" }));
      assert.ok(carrier.sent.every(({ text }) => !text.includes("private")));
      const cancelled = carrier.sent.filter(({ method }) => method === "notifications/cancelled");
      const ended = era === "modern" && perRequest;
      assert.equal(cancelled.length, ended ? 0 : 1);
      assert.equal(carrier.aborted.length, ended ? 1 : 0);
      assert.equal(clock.pending, 0);
    });
  }
}

test("C8 an abort of a list rejects with the caller's own reason", async () => {
  const { peer } = await connectedFake("legacy", silent);
  const control = new AbortController();
  const asked = peer.request("tools/list", {}, asking({ signal: control.signal, stage: "list-tools" }));
  await settle();
  const reason = new Error("enough");

  control.abort(reason);

  await assert.rejects(asked, (error) => error === reason);
});

test("C8 an aborted call leaves the others alone", async () => {
  const { peer, carrier } = await connectedFake("legacy", silent);
  const control = new AbortController();
  const given = peer.request("tools/call", {}, asking({ signal: control.signal }));
  const kept = peer.request("tools/call", {}, asking());
  await settle();

  control.abort();
  carrier.result(carrier.sent[0]?.id, { content: ["too late"] });
  carrier.result(carrier.sent[1]?.id, { content: ["kept"] });

  assert.equal((await given).ok, false);
  assert.deepEqual(await kept, { ok: true, value: { content: ["kept"] } });
});

test("C7b an answered call leaves no timer", async () => {
  const { peer, clock } = await connectedFake("modern", (message, carrier) =>
    carrier.result(message.id, { resultType: "complete" }),
  );

  await peer.request("tools/call", {}, asking());
  await settle();

  assert.equal(clock.pending, 0);
});

test("C8 a close ends a call under way as outcome unknown, and a list as closed", async () => {
  const { peer, clock } = await connectedFake("legacy", silent);
  const call = peer.request("tools/call", {}, asking());
  const list = peer.request("tools/list", {}, asking({ stage: "list-tools" }));
  await settle();

  await peer.close();

  assert.deepEqual(await call, unknownOutcome({ ended: "close" }));
  assert.deepEqual(await list, {
    ok: false,
    refusal: { refusal: { kind: "session", reason: "closed", serverId: "s", stage: "list-tools" } },
  });
  assert.equal(clock.pending, 0);
});
