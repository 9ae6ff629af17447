import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { asking, connectedFake, settle } from "../../../kit/fake-sessions.ts";

const silent = (): void => undefined;

for (const method of ["sampling/createMessage", "roots/list", "elicitation/create", "vendor/anything"]) {
  test(`C6 the server's request ${method} is answered with method-not-found in the older era`, async () => {
    const { carrier } = await connectedFake("legacy", silent);

    carrier.deliver({ jsonrpc: "2.0", id: 7, method, params: { messages: [] } });
    await settle();

    const { id, error } = JSON.parse(carrier.sent[0]?.text ?? "{}");
    assert.deepEqual([id, error.code], [7, -32_601]);
    assert.equal(carrier.sent.length, 1);
  });

  test(`C6 the server's request ${method} is not answered in 2026-07-28`, async () => {
    const { carrier } = await connectedFake("modern", silent);

    carrier.deliver({ jsonrpc: "2.0", id: 7, method, params: {} });
    await settle();

    assert.deepEqual(carrier.sent, []);
  });
}

test("C6 a ping of the server is answered in the older era", async () => {
  const { carrier } = await connectedFake("legacy", silent);

  carrier.deliver({ jsonrpc: "2.0", id: "p", method: "ping" });
  await settle();

  assert.equal(carrier.sent[0]?.text, '{"result":{},"jsonrpc":"2.0","id":"p"}');
});

test("C6 a server's request with the id of a call never becomes that call's result", async () => {
  const { peer, carrier } = await connectedFake("legacy", (message, carrier) => {
    if (message.method !== "tools/call") return;
    carrier.deliver({
      jsonrpc: "2.0",
      id: message.id,
      method: "sampling/createMessage",
      result: { content: [] },
    });
    queueMicrotask(() => carrier.result(message.id, { content: ["own"] }));
  });

  const answer = await peer.request("tools/call", {}, asking());

  assert.deepEqual(answer, { ok: true, value: { content: ["own"] } });
  assert.equal(carrier.sent.length, 2);
});

test("C6 no more than 32 of a server's requests wait for their answers", async () => {
  const { carrier } = await connectedFake("legacy", silent);

  for (let id = 0; id < 100; id += 1) carrier.deliver({ jsonrpc: "2.0", id, method: "roots/list" });
  await settle();
  assert.equal(carrier.sent.length, 32);
  carrier.deliver({ jsonrpc: "2.0", id: 100, method: "roots/list" });
  await settle();

  assert.equal(carrier.sent.length, 33);
});

for (const method of [
  "notifications/tools/list_changed",
  "notifications/message",
  "notifications/resources/updated",
  "notifications/cancelled",
  "vendor/unknown",
]) {
  test(`C9 the notification ${method} is told to the host and starts nothing`, async () => {
    const told: unknown[] = [];
    const { peer, carrier, clock } = await connectedFake("legacy", silent);
    peer.onNotification((name, params) => told.push([name, params]));

    carrier.deliver({ jsonrpc: "2.0", method, params: { level: "info", data: "run this" } });
    await settle();

    assert.deepEqual(told, [[method, { level: "info", data: "run this" }]]);
    assert.deepEqual(carrier.sent, []);
    assert.equal(clock.pending, 0);
  });
}

test("C9 a listener that throws does not keep the others from being told", async () => {
  const told: string[] = [];
  const { peer, carrier } = await connectedFake("legacy", silent);
  peer.onNotification(() => {
    throw new Error("host");
  });
  peer.onNotification((name) => told.push(name));

  carrier.deliver({ jsonrpc: "2.0", method: "notifications/message" });

  assert.deepEqual(told, ["notifications/message"]);
});

for (const message of [null, 7, "text", [], {}, { method: 7 }, { id: {} }, { id: null, result: {} }]) {
  test(`C10 the message ${JSON.stringify(message)} is dropped and the connection goes on`, async () => {
    const { peer, carrier } = await connectedFake("legacy", (asked, carrier) => {
      carrier.onmessage?.(message as never);
      carrier.result(asked.id, { content: [] });
    });

    const answer = await peer.request("tools/call", {}, asking());

    assert.equal(answer.ok, true);
    assert.equal(carrier.sent.length, 1);
  });
}

test("H3c a renewed session changes what the server says of itself, and the host is told", async () => {
  let told = 0;
  const { peer, carrier } = await connectedFake("legacy", silent);
  peer.onRenewed(() => (told += 1));

  carrier.onsessionrenewed?.({
    protocolVersion: "2025-11-25",
    capabilities: { prompts: {} },
    serverInfo: { name: "fake", version: "2.0.0" },
  });

  assert.equal(told, 1);
  assert.equal(peer.identity.serverInfo?.version, "2.0.0");
  assert.deepEqual([...peer.identity.capabilities.keys()], ["prompts"]);
});

test("C10 whatever a server sends, nothing is thrown into its carrier and the next call is answered", async () => {
  const { peer, carrier } = await connectedFake("legacy", (asked, carrier) =>
    carrier.result(asked.id, { content: [] }),
  );
  const id = fc.oneof(fc.integer(), fc.string(), fc.anything());
  const message = fc.oneof(
    fc.anything(),
    fc.record(
      { jsonrpc: fc.constant("2.0"), id, result: fc.anything(), error: fc.anything() },
      { requiredKeys: [] },
    ),
    fc.record({ id, method: fc.constantFrom("ping", "notifications/progress", "x"), params: fc.anything() }),
    fc.record({ method: fc.constantFrom("notifications/progress", "x"), params: fc.object() }),
  );

  await fc.assert(
    fc.asyncProperty(message, async (hostile) => {
      carrier.onmessage?.(hostile as never);
      assert.equal((await peer.request("tools/call", {}, asking())).ok, true);
    }),
    { numRuns: 150 },
  );
});
