import assert from "node:assert/strict";
import { test } from "node:test";

import { openMcpSession, SESSION_DEFAULTS } from "../../src/composition/open-session.ts";
import { FakeCarrier, legacyServer, type SentMessage } from "../kit/fake-carrier.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { settle } from "../kit/fake-sessions.ts";

const random = { bytes: (count: number): Uint8Array => new Uint8Array(count).fill(0xab) };
const silent = (): void => undefined;

function open(
  carrier: FakeCarrier,
  clock: FakeClock,
  more: Partial<Parameters<typeof openMcpSession>[0]> = {},
) {
  return openMcpSession({ carrier, serverId: "s", clock, random, ...more });
}

test("C7b K1 C6b the defaults are those of the contract", () => {
  assert.deepEqual(SESSION_DEFAULTS, {
    clientInfo: { name: "mcp-client", version: "1.0.0" },
    startupMs: 30_000,
    perCallMs: 30_000,
    toolCallMs: 60_000,
    maxTotalFactor: 10,
    probeTimeoutMs: 10_000,
    limits: { pages: 50, entries: 10_000, bytes: 16_777_216 },
  });
});

test("C6b the host chooses who the server is told is calling", async () => {
  const carrier = new FakeCarrier(legacyServer(silent));

  const opened = await open(carrier, new FakeClock(), { clientInfo: { name: "my-host", version: "9" } });

  assert.equal(opened.ok, true);
  assert.deepEqual(carrier.sent[0]?.params["clientInfo"], { name: "my-host", version: "9" });
});

test("C5 the carrier generation is 128 random bits", async () => {
  const opened = await open(new FakeCarrier(legacyServer(silent)), new FakeClock());

  assert.equal(opened.ok && opened.value.identity.carrierGeneration, "ab".repeat(16));
});

test("C7b connecting and the first listing share the startup time, and what lies between is not counted", async () => {
  const clock = new FakeClock();
  const answer = legacyServer(silent);
  const held: SentMessage[] = [];
  const carrier = new FakeCarrier((message, carrier) => {
    if (message.method === "initialize") held.push(message);
    else answer(message, carrier);
  });
  const opening = open(carrier, clock, { startupMs: 1_000 });
  await settle();
  await clock.advance(700);
  for (const message of held) answer(message, carrier);
  const opened = await opening;
  if (!opened.ok) throw new Error(opened.refusal.refusal.reason);
  await clock.advance(5_000);
  let done = false;

  const listing = opened.value.discover().finally(() => (done = true));
  await settle();
  await clock.advance(299);
  assert.equal(done, false);
  await clock.advance(1);

  assert.equal((await listing).tools.state.incompleteReason, "timeout");
});

for (const [probeTimeoutMs, waitsMs] of [
  [undefined, 300],
  [299, 299],
  [301, 300],
] as const) {
  test(`C1 auto waits ${waitsMs} of 900 ms for a silent child when told ${probeTimeoutMs}`, async () => {
    const clock = new FakeClock();
    const answer = legacyServer(silent);
    const carrier = new FakeCarrier(
      (message, carrier) => {
        if (message.method !== "server/discover") answer(message, carrier);
      },
      { kind: "stdio" },
    );
    const more = { startupMs: 900, protocolVersion: "auto" as const };
    const opening = open(carrier, clock, {
      ...more,
      ...(probeTimeoutMs !== undefined && { probeTimeoutMs }),
    });
    await settle();

    await clock.advance(waitsMs - 1);
    assert.equal(carrier.sent.length, 1);
    await clock.advance(1);

    assert.equal((await opening).ok, true);
  });
}

test("K1 a bound that the host gives replaces that bound alone", async () => {
  const carrier = new FakeCarrier(
    legacyServer(({ id, params }, carrier) => {
      const page = Number(params["cursor"] ?? 0) + 1;
      carrier.result(id, { tools: [{ name: page }], nextCursor: String(page) });
    }),
  );
  const opened = await open(carrier, new FakeClock(), { limits: { pages: 2 } });
  if (!opened.ok) throw new Error(opened.refusal.refusal.reason);

  const { tools } = await opened.value.discover();

  assert.equal(tools.items.length, 2);
  assert.equal(tools.state.incompleteReason, "list-limit");
});

test("C10 a refusal to open says what went wrong and leaves the carrier closed", async () => {
  const carrier = new FakeCarrier(legacyServer(silent));

  const opened = await open(carrier, new FakeClock(), { protocolVersion: "2026-07-28" });

  assert.equal(!opened.ok && opened.refusal.refusal.reason, "version-unsupported");
  assert.ok(carrier.closes > 0);
});
