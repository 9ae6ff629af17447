import assert from "node:assert/strict";
import { test } from "node:test";

import { asking, connectedFake, settle } from "../../../kit/fake-sessions.ts";

const silent = (): void => undefined;

test("C3 in 2026-07-28 a request carries version, client identity and capabilities", async () => {
  const { peer, carrier } = await connectedFake("modern", (message, carrier) =>
    carrier.result(message.id, { resultType: "complete", content: [] }),
  );

  await peer.request("tools/call", { name: "echo" }, asking());

  const { _meta: meta } = carrier.sent[0]?.params ?? {};
  assert.deepEqual(meta, {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "mcp-client", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
    progressToken: 0,
  });
});

for (const era of ["legacy", "modern"] as const) {
  test(`C6b a caller's reserved _meta never reaches the wire, other keys do (${era})`, async () => {
    const { peer, carrier } = await connectedFake(era, (message, carrier) =>
      carrier.result(message.id, { resultType: "complete" }),
    );

    await peer.request(
      "tools/call",
      {
        name: "echo",
        _meta: {
          "io.modelcontextprotocol/clientInfo": { name: "spoofed" },
          "io.modelcontextprotocol/protocolVersion": "spoofed",
          "io.modelcontextprotocol/anything": "spoofed",
          progressToken: "spoofed",
          "example.com/kept": 1,
        },
      },
      asking(),
    );

    const sent = carrier.sent[0];
    assert.ok(!sent?.text.includes("spoofed"));
    assert.ok(sent?.text.includes('"example.com/kept":1'));
  });

  test(`K1 a result that breaks the protocol's schema is handed over raw (${era}, faults G10, I5)`, async () => {
    const result = {
      content: [
        { type: "video", data: 7 },
        { type: "text", text: "kept" },
      ],
      extra: [null],
    };
    const { peer } = await connectedFake(era, (message, carrier) =>
      carrier.result(message.id, era === "modern" ? { resultType: "complete", ...result } : result),
    );

    const answer = await peer.request("tools/call", { name: "echo" }, asking());

    assert.deepEqual(answer, { ok: true, value: result });
  });

  test(`K1 a list page with a malformed item is handed over raw (${era})`, async () => {
    const result = { tools: [{ name: 1 }, { name: "good", inputSchema: [] }], ttlMs: "x", cacheScope: null };
    const { peer } = await connectedFake(era, (message, carrier) =>
      carrier.result(message.id, { resultType: "complete", ...result }),
    );

    const answer = await peer.request("tools/list", {}, asking({ stage: "list-tools" }));

    assert.deepEqual(answer.ok && answer.value["tools"], result.tools);
  });

  test(`H7 a progress token is always sent (${era})`, async () => {
    const { peer, carrier } = await connectedFake(era, (message, carrier) =>
      carrier.result(message.id, { resultType: "complete" }),
    );

    await peer.request("tools/list", {}, asking({ stage: "list-tools" }));

    assert.match(carrier.sent[0]?.text ?? "", /"progressToken":\d/);
  });
}

for (const [label, result, reason] of [
  ["without a type", { content: [] }, "invalid-response"],
  ["with a type that is no text", { resultType: 1 }, "invalid-response"],
  ["that is a list", [], "invalid-response"],
  ["that is missing", undefined, "invalid-response"],
  ["of an unknown type", { resultType: "task" }, "not-supported"],
  ["that asks for input", { resultType: "input_required", inputRequests: { a: {} } }, "input-required"],
] as const) {
  test(`C3 a result ${label} is refused in 2026-07-28`, async () => {
    const { peer } = await connectedFake("modern", (message, carrier) => carrier.result(message.id, result));

    const answer = await peer.request("tools/call", { name: "echo" }, asking());

    assert.deepEqual(answer, {
      ok: false,
      refusal: { refusal: { kind: "session", reason, serverId: "s", stage: "call" } },
    });
  });
}

test("C10 a JSON-RPC error answers its code, and the server's words only as untrusted, cut and cleaned", async () => {
  const words = `look\u0000 here\u{E0041}${"x".repeat(5_000)}`;
  const { peer } = await connectedFake("legacy", (message, carrier) =>
    carrier.error(message.id, -32_602, words, { secret: "never" }),
  );

  const answer = await peer.request("tools/call", { name: "echo" }, asking());

  assert.ok(!answer.ok);
  assert.deepEqual(answer.refusal.refusal, {
    kind: "session",
    reason: "protocol-error",
    serverId: "s",
    stage: "call",
    code: -32_602,
  });
  assert.equal(answer.refusal.untrusted?.message.length, 1_024);
  assert.match(answer.refusal.untrusted?.message ?? "", /^look herex+$/);
  assert.ok(!JSON.stringify(answer).includes("never"));
});

for (const error of [{}, { code: "x", message: 7 }, { code: 1.5 }]) {
  test(`C10 the malformed error ${JSON.stringify(error)} fails its call at once`, async () => {
    const { peer } = await connectedFake("legacy", (message, carrier) =>
      carrier.deliver({ jsonrpc: "2.0", id: message.id, error }),
    );

    const answer = await peer.request("tools/call", { name: "echo" }, asking());

    assert.equal(!answer.ok && answer.refusal.refusal.reason, "protocol-error");
  });
}

test("C10 a carrier's failure of one request becomes that request's, with its stage and server id", async () => {
  const { peer } = await connectedFake("legacy", (message, carrier) =>
    carrier.fail(message.id ?? "", {
      refusal: { kind: "session", reason: "response-lost", serverId: "?", stage: "connect" },
    }),
  );

  const answer = await peer.request("resources/read", { uri: "a:b" }, asking({ stage: "read-resource" }));

  assert.deepEqual(answer, {
    ok: false,
    refusal: {
      refusal: { kind: "session", reason: "response-lost", serverId: "s", stage: "read-resource" },
    },
  });
});

test("E9 an egress refusal of one request reaches the caller unchanged", async () => {
  const failure = { refusal: { kind: "egress", reason: "private-address" } } as const;
  const { peer } = await connectedFake("modern", (message, carrier) =>
    carrier.fail(message.id ?? "", failure),
  );

  assert.deepEqual(await peer.request("tools/call", {}, asking()), { ok: false, refusal: failure });
});

test("H3b an answer to an id that is not outstanding is dropped and answers nothing", async () => {
  const { peer } = await connectedFake("legacy", (message, carrier) => {
    carrier.result(99, { content: ["foreign"] });
    carrier.result(String(message.id), { content: ["as text"] });
    carrier.result(message.id, { content: ["own"] });
    carrier.result(message.id, { content: ["again"] });
  });

  const answer = await peer.request("tools/call", { name: "echo" }, asking());

  assert.deepEqual(answer, { ok: true, value: { content: ["own"] } });
});

test("C1 a method that the agreed era lacks is refused and nothing is sent", async () => {
  const { peer, carrier } = await connectedFake("modern", silent);

  const answer = await peer.request("ping", {}, asking({ stage: "list-tools" }));

  assert.equal(!answer.ok && answer.refusal.refusal.reason, "not-supported");
  assert.deepEqual(carrier.sent, []);
});

test("C8 a request whose signal is aborted before rejects with the reason and sends nothing", async () => {
  const { peer, carrier } = await connectedFake("legacy", silent);
  const reason = new Error("enough");

  const asked = peer.request("tools/call", {}, asking({ signal: AbortSignal.abort(reason) }));

  await assert.rejects(asked, (error) => error === reason);
  assert.deepEqual(carrier.sent, []);
});

test("C10 a request after close is refused as closed and sends nothing", async () => {
  const { peer, carrier } = await connectedFake("legacy", silent);
  await peer.close();
  await peer.close();

  const answer = await peer.request("tools/call", {}, asking());

  assert.deepEqual(answer, {
    ok: false,
    refusal: { refusal: { kind: "session", reason: "closed", serverId: "s", stage: "call" } },
  });
  assert.deepEqual(carrier.sent, []);
  assert.equal((await peer.closed).refusal.reason, "closed");
});

test("C10 a lost connection fails every request under way and says why", async () => {
  const { peer, carrier, clock } = await connectedFake("legacy", silent);
  const asked = [peer.request("tools/call", {}, asking()), peer.request("tools/call", {}, asking())];
  await settle();

  carrier.lose({ refusal: { kind: "stdio", reason: "receive-invalid" } });

  for (const answer of await Promise.all(asked)) {
    assert.deepEqual(answer, {
      ok: false,
      refusal: { refusal: { kind: "stdio", reason: "receive-invalid" } },
    });
  }
  assert.deepEqual(await peer.closed, { refusal: { kind: "stdio", reason: "receive-invalid" } });
  assert.equal(clock.pending, 0);
});

test("H5 headers of a call travel with that call and with no other request", async () => {
  const { peer, carrier } = await connectedFake("modern", (message, carrier) =>
    carrier.result(message.id, { resultType: "complete" }),
  );

  await Promise.all([
    peer.request("tools/call", {}, asking({ headers: [["traceparent", "00-a"]] })),
    peer.request("tools/list", {}, asking({ stage: "list-tools" })),
  ]);

  assert.deepEqual(
    carrier.sent.map(({ method, headers }) => [method, headers]),
    [
      ["tools/call", { traceparent: "00-a" }],
      ["tools/list", undefined],
    ],
  );
});
