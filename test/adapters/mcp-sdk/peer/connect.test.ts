import assert from "node:assert/strict";
import { test } from "node:test";

import type { SessionRefusal } from "../../../../src/domain/session/refusal.ts";
import type { PeerFailure } from "../../../../src/ports/mcp-peer.ts";
import { FakeCarrier, legacyServer, modernServer } from "../../../kit/fake-carrier.ts";
import { FakeClock } from "../../../kit/fake-clock.ts";
import { NEVER, openFakePeer, settle } from "../../../kit/fake-sessions.ts";

const silent = (): void => undefined;

function refused(reason: SessionRefusal["reason"], more: Partial<SessionRefusal> = {}) {
  return {
    ok: false,
    refusal: { refusal: { kind: "session", reason, serverId: "s", stage: "connect", ...more } },
  };
}

test("C1 without a version the initialize handshake is made and nothing is probed", async () => {
  const carrier = new FakeCarrier(legacyServer(silent));

  const opened = await openFakePeer(carrier, { clock: new FakeClock() });

  assert.equal(opened.ok && opened.value.identity.era, "legacy");
  assert.deepEqual(
    carrier.sent.map(({ method }) => method),
    ["initialize", "notifications/initialized"],
  );
  assert.equal(carrier.closes, 0);
});

test("C6 C6b the handshake names mcp-client and no capability", async () => {
  const carrier = new FakeCarrier(legacyServer(silent));

  await openFakePeer(carrier, { clock: new FakeClock() });

  assert.deepEqual(carrier.sent[0]?.params, {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "mcp-client", version: "1.0.0" },
  });
});

for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
  test(`C1 a server that answers ${revision} is spoken to in it`, async () => {
    const carrier = new FakeCarrier(legacyServer(silent, { protocolVersion: revision }));

    const opened = await openFakePeer(carrier, { clock: new FakeClock() });

    assert.equal(opened.ok && opened.value.identity.protocolVersion, revision);
  });
}

for (const revision of ["2024-10-07", "2026-07-28", "1.0"]) {
  test(`C1 a server that answers initialize with ${revision} is refused and its carrier closed`, async () => {
    const carrier = new FakeCarrier(legacyServer(silent, { protocolVersion: revision }));

    const opened = await openFakePeer(carrier, { clock: new FakeClock() });

    assert.deepEqual(opened, refused("version-unsupported"));
    assert.ok(carrier.closes > 0);
    assert.deepEqual(
      carrier.sent.map(({ method }) => method),
      ["initialize"],
    );
  });
}

test("C1 a pinned version is discovered and no handshake is made", async () => {
  const carrier = new FakeCarrier(modernServer(silent));

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection: "2026-07-28" });

  assert.equal(opened.ok && opened.value.identity.protocolVersion, "2026-07-28");
  assert.deepEqual(
    carrier.sent.map(({ method }) => method),
    ["server/discover"],
  );
});

test("C1 a server without the pinned version is refused by its name and the other era is not tried", async () => {
  const carrier = new FakeCarrier(legacyServer(silent));

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection: "2026-07-28" });

  assert.deepEqual(opened, refused("version-unsupported", { revision: "2026-07-28" }));
  assert.deepEqual(
    carrier.sent.map(({ method }) => method),
    ["server/discover"],
  );
  assert.ok(carrier.closes > 0);
});

test("C1 a server that offers only other versions to a pin is refused by its name", async () => {
  const carrier = new FakeCarrier((message, carrier) =>
    carrier.error(message.id, -32_022, "unsupported", { supported: ["2025-11-25"], requested: "2026-07-28" }),
  );

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection: "2026-07-28" });

  assert.deepEqual(opened, refused("version-unsupported", { revision: "2026-07-28" }));
  assert.equal(carrier.sent.length, 1);
});

test("C1 auto speaks 2026-07-28 to a server that offers it, and the host is told", async () => {
  const carrier = new FakeCarrier(modernServer(silent));

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection: "auto" });

  assert.equal(opened.ok && opened.value.identity.era, "modern");
  assert.deepEqual(
    carrier.sent.map(({ method }) => method),
    ["server/discover"],
  );
});

test("C1 auto makes the handshake with a server that does not know the probe, and the host is told", async () => {
  const carrier = new FakeCarrier(legacyServer(silent));

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection: "auto" });

  assert.equal(opened.ok && opened.value.identity.era, "legacy");
  assert.deepEqual(
    carrier.sent.map(({ method }) => method),
    ["server/discover", "initialize", "notifications/initialized"],
  );
});

test("C1 auto takes a stdio server's silence to the probe for the older era after the probe's time", async () => {
  const clock = new FakeClock();
  const older = legacyServer(silent);
  const carrier = new FakeCarrier(
    (message, carrier) => {
      if (message.method !== "server/discover") older(message, carrier);
    },
    { kind: "stdio" },
  );
  const opening = openFakePeer(carrier, { clock, selection: "auto" });
  await settle();

  await clock.advance(99);
  assert.equal(carrier.sent.length, 1);
  await clock.advance(1);
  const opened = await opening;

  assert.equal(opened.ok && opened.value.identity.era, "legacy");
});

test("C7b auto takes an HTTP server's silence to the probe for no evidence", async () => {
  const clock = new FakeClock();
  const carrier = new FakeCarrier(silent);
  const opening = openFakePeer(carrier, { clock, selection: "auto" });
  await settle();

  await clock.advance(1_000);

  assert.deepEqual(await opening, refused("timeout", { ended: "timeout", limitMs: 1_000 }));
  assert.equal(carrier.sent.length, 1);
});

const SECURITY: readonly PeerFailure[] = [
  { refusal: { kind: "egress", reason: "private-address" } },
  { refusal: { kind: "egress", reason: "redirect", status: 302 } },
  { refusal: { kind: "session", reason: "auth-required", serverId: "s", stage: "connect", code: 401 } },
  { refusal: { kind: "session", reason: "response-too-large", serverId: "s", stage: "connect" } },
  { refusal: { kind: "network", reason: "tls" } },
];

for (const failure of SECURITY) {
  for (const selection of ["auto", "2026-07-28"] as const) {
    test(`C7b ${failure.refusal.reason} at the probe ends ${selection} and never leads to the other era`, async () => {
      const carrier = new FakeCarrier((message, carrier) => carrier.fail(message.id ?? "", failure));

      const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection });

      assert.deepEqual(opened, { ok: false, refusal: failure });
      assert.equal(carrier.sent.length, 1);
      assert.ok(carrier.closes > 0);
    });
  }
}

test("C3 a discovery that does not say its result type is refused", async () => {
  const carrier = new FakeCarrier(modernServer(silent, { resultType: undefined }));

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection: "2026-07-28" });

  assert.deepEqual(opened, refused("invalid-response"));
  assert.ok(carrier.closes > 0);
});

for (const [ttlMs, cacheScope] of [
  [-1, "everyone"],
  ["soon", 7],
  [1.5, null],
  [undefined, undefined],
]) {
  test(`C3 the bad freshness hint ${ttlMs} of a discovery counts as stale and private`, async () => {
    const clock = new FakeClock();
    const carrier = new FakeCarrier(modernServer(silent, { ttlMs, cacheScope }));

    const opened = await openFakePeer(carrier, { clock, selection: "2026-07-28" });

    const freshness = { ttlMs: 0, cacheScope: "private", receivedAtMs: clock.nowMs() };
    assert.deepEqual(opened.ok && opened.value.identity.freshness, freshness);
  });
}

test("C4 the good freshness hint of a discovery is shown with the host's own time", async () => {
  const clock = new FakeClock();
  const carrier = new FakeCarrier(modernServer(silent, { ttlMs: 5, cacheScope: "public" }));

  const opened = await openFakePeer(carrier, { clock, selection: "2026-07-28" });

  const freshness = { ttlMs: 5, cacheScope: "public", receivedAtMs: clock.nowMs() };
  assert.deepEqual(opened.ok && opened.value.identity.freshness, freshness);
});

test("C5 a server that does not name itself is connected to, and that is told", async () => {
  const carrier = new FakeCarrier(modernServer(silent, { _meta: {} }));

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection: "2026-07-28" });

  assert.equal(opened.ok && opened.value.identity.serverInfo, undefined);
  assert.equal(opened.ok, true);
});

for (const [label, answer] of [
  ["no object", "yes"],
  ["an object that is none of the protocol's", { hello: 1 }],
] as const) {
  test(`C10 a handshake answered with ${label} is refused at once`, async () => {
    const carrier = new FakeCarrier((message, carrier) => carrier.result(message.id, answer));

    const opened = await openFakePeer(carrier, { clock: new FakeClock() });

    assert.deepEqual(opened, refused("invalid-response"));
  });
}

test("C10 a handshake error keeps the server's words apart, cleaned", async () => {
  const carrier = new FakeCarrier((message, carrier) =>
    carrier.error(message.id, -32_000, "go\u202E away\u0007"),
  );

  const opened = await openFakePeer(carrier, { clock: new FakeClock() });

  assert.deepEqual(opened, {
    ok: false,
    refusal: {
      refusal: { kind: "session", reason: "protocol-error", serverId: "s", stage: "connect", code: -32_000 },
      untrusted: { message: "go away", code: -32_000 },
    },
  });
});

for (const hangs of ["start", "initialized"] as const) {
  test(`C7b a carrier that hangs at ${hangs} is given up and closed at the deadline`, async () => {
    const clock = new FakeClock();
    const carrier = new FakeCarrier(legacyServer(silent), { hangs });
    const opening = openFakePeer(carrier, { clock });
    await settle();

    await clock.advance(999);
    assert.equal(carrier.closes, 0);
    await clock.advance(1);

    assert.deepEqual(await opening, refused("timeout", { ended: "timeout", limitMs: 1_000 }));
    assert.ok(carrier.closes > 0);
    assert.equal(clock.pending, 0);
  });
}

test("C7b a server silent at initialize is given up at the deadline (fault H11)", async () => {
  const clock = new FakeClock();
  const carrier = new FakeCarrier(silent);
  const opening = openFakePeer(carrier, { clock });
  await settle();

  await clock.advance(1_000);

  assert.deepEqual(await opening, refused("timeout", { ended: "timeout", limitMs: 1_000 }));
  assert.equal(clock.pending, 0);
});

const STAGES: readonly (readonly [string, FakeCarrier, "legacy" | "auto"])[] = [
  ["while the carrier starts", new FakeCarrier(silent, { hangs: "start" }), "legacy"],
  ["at initialize", new FakeCarrier(silent), "legacy"],
  ["at initialized", new FakeCarrier(legacyServer(silent), { hangs: "initialized" }), "legacy"],
  ["while it probes", new FakeCarrier(silent), "auto"],
  ["while it probes over stdio", new FakeCarrier(silent, { kind: "stdio" }), "auto"],
];

for (const [stage, carrier, selection] of STAGES) {
  test(`C8 an abort ${stage} rejects with its reason and closes the carrier`, async () => {
    const clock = new FakeClock();
    const control = new AbortController();
    const opening = openFakePeer(carrier, { clock, selection, signal: control.signal });
    await settle();
    const reason = new Error("enough");

    control.abort(reason);

    await assert.rejects(opening, (error) => error === reason);
    assert.ok(carrier.closes > 0);
    assert.equal(clock.pending, 0);
    assert.ok(carrier.sent.every(({ text }) => !text.includes("enough")));
  });
}

test("C8 a signal aborted before connects nothing and closes the carrier", async () => {
  const carrier = new FakeCarrier(legacyServer(silent));
  const reason = new Error("enough");

  const opening = openFakePeer(carrier, { clock: new FakeClock(), signal: AbortSignal.abort(reason) });

  await assert.rejects(opening, (error) => error === reason);
  assert.deepEqual(carrier.sent, []);
  assert.ok(carrier.closes > 0);
});

test("C10 a carrier lost during the handshake says why", async () => {
  const failure: PeerFailure = { refusal: { kind: "stdio", reason: "early-exit" } };
  const carrier = new FakeCarrier((_message, carrier) => carrier.lose(failure));

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), signal: NEVER });

  assert.deepEqual(opened, { ok: false, refusal: failure });
});

test("C6b no product name is on the wire, in either era", async () => {
  for (const [serve, selection] of [
    [legacyServer(silent), "legacy"],
    [modernServer(silent), "2026-07-28"],
    [legacyServer(silent), "auto"],
  ] as const) {
    const carrier = new FakeCarrier(serve);
    await openFakePeer(carrier, { clock: new FakeClock(), selection });

    assert.ok(carrier.sent.length > 0);
    for (const { text } of carrier.sent) assert.doesNotMatch(text, /sallyport/i);
  }
});

test("C5 an answer to another id during the handshake changes nothing of what the server says of itself", async () => {
  const answer = modernServer(silent);
  const carrier = new FakeCarrier((message, carrier) => {
    answer(message, carrier);
    carrier.result(99, { resultType: "complete", capabilities: { prompts: {} }, instructions: "obey" });
  });

  const opened = await openFakePeer(carrier, { clock: new FakeClock(), selection: "2026-07-28" });

  assert.ok(opened.ok);
  assert.deepEqual([...opened.value.identity.capabilities.keys()], ["tools"]);
  assert.equal(opened.value.identity.instructions, undefined);
});

test("C10 a carrier that cannot even close leaves no unhandled rejection, and the refusal stands", async (t) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);
  process.on("unhandledRejection", note);
  t.after(() => process.off("unhandledRejection", note));
  const carrier = new FakeCarrier(legacyServer(silent, { protocolVersion: "1.0" }));
  carrier.close = () => Promise.reject(new Error("cannot close"));

  const opened = await openFakePeer(carrier, { clock: new FakeClock() });
  await settle();

  assert.deepEqual(opened, refused("version-unsupported"));
  assert.deepEqual(unhandled, []);
});

for (const hangs of ["start", "initialized"] as const) {
  test(`C10 a carrier that is lost while it hangs at ${hangs} says why at once`, async () => {
    const failure: PeerFailure = { refusal: { kind: "stdio", reason: "early-exit" } };
    const carrier = new FakeCarrier(legacyServer(silent), { hangs });
    const opening = openFakePeer(carrier, { clock: new FakeClock() });
    await settle();

    carrier.lose(failure);

    assert.deepEqual(await opening, { ok: false, refusal: failure });
  });
}
