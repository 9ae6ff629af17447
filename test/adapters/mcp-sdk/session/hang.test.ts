import assert from "node:assert/strict";
import { test } from "node:test";

import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import { assertGroupGone } from "../../../kit/child-groups.ts";
import { httpCarrier, scriptCarrier } from "../../../kit/sdk-servers.ts";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

for (const protocolVersion of [undefined, "auto", "2026-07-28"] as const) {
  const name = protocolVersion ?? "no version";

  test(`C7b H11 a silent child is given up at the startup deadline and gone (${name})`, async (t) => {
    const carrier = await scriptCarrier(t, "-e", "process.stdin.resume()");

    const opened = await openMcpSession({
      carrier,
      serverId: "s",
      clock: createSystemClock(),
      random: createSystemRandom(),
      startupMs: 300,
      ...(protocolVersion !== undefined && { protocolVersion }),
    });

    assert.equal(!opened.ok && opened.refusal.refusal.reason, "timeout");
    assert.ok(carrier.pid !== null);
    await assertGroupGone(carrier.pid);
  });

  test(`C7b H11 a silent HTTP server is given up at the startup deadline (${name})`, async (t) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;

    const opened = await openMcpSession({
      carrier: httpCarrier(t, `http://127.0.0.1:${port}/mcp`),
      serverId: "s",
      clock: createSystemClock(),
      random: createSystemRandom(),
      startupMs: 200,
      ...(protocolVersion !== undefined && { protocolVersion }),
    });

    assert.equal(!opened.ok && opened.refusal.refusal.reason, "timeout");
  });
}

test("C10 a child that ends during the handshake is an early exit", async (t) => {
  const opened = await openMcpSession({
    carrier: await scriptCarrier(t, "-e", "process.exit(3)"),
    serverId: "s",
    clock: createSystemClock(),
    random: createSystemRandom(),
  });

  assert.equal(!opened.ok && opened.refusal.refusal.reason, "early-exit");
});

test("C8 an abort during the handshake rejects with its reason, and the child is gone", async (t) => {
  const carrier = await scriptCarrier(t, "-e", "process.stdin.resume()");
  const control = new AbortController();
  const opening = openMcpSession({
    carrier,
    serverId: "s",
    clock: createSystemClock(),
    random: createSystemRandom(),
    signal: control.signal,
  });
  const reason = new Error("enough");

  setImmediate(() => control.abort(reason));

  await assert.rejects(opening, (error) => error === reason);
  if (carrier.pid !== null) await assertGroupGone(carrier.pid);
});
