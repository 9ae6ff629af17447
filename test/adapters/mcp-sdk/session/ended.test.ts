import assert from "node:assert/strict";
import { test } from "node:test";

import { createSystemClock } from "../../../../src/adapters/system/clock.ts";
import { createSystemRandom } from "../../../../src/adapters/system/random.ts";
import { openMcpSession } from "../../../../src/composition/open-session.ts";
import { legacyScript, sendJson, startScriptedServer } from "../../../kit/http-mcp-server.ts";
import { httpCarrier } from "../../../kit/sdk-servers.ts";
import { childCarrier } from "../../../kit/stdio-carriers.ts";

const parts = { serverId: "s", clock: createSystemClock(), random: createSystemRandom() };

test("V1 a call that a dying child fails finds its session ended already", async (t) => {
  const carrier = await childCarrier(t, "echo-server.mjs");
  const opened = await openMcpSession({ carrier, ...parts });
  assert.ok(opened.ok && carrier.pid !== null);
  const { pid } = carrier;
  assert.equal(opened.value.ended, undefined);
  const call = opened.value.callTool("hang", {}).then((answer) => ({ answer, ended: opened.value.ended }));
  process.kill(pid, "SIGKILL");

  const { answer, ended } = await call;

  const refusal = { kind: "stdio", reason: "early-exit", detail: "signalled" };
  assert.deepEqual(answer, { ok: false, refusal: { refusal } });
  assert.deepEqual(ended, { refusal });
  assert.deepEqual(await opened.value.closed, { refusal });
});

test("V1 a session that its host closes has ended at once", async (t) => {
  const script = legacyScript({
    script: ({ body }, response) => sendJson(response, { jsonrpc: "2.0", id: body?.id, result: {} }),
  });
  const { url } = await startScriptedServer(t, script);
  const opened = await openMcpSession({ carrier: httpCarrier(t, url), ...parts });
  assert.ok(opened.ok);

  const closing = opened.value.close();

  assert.equal(opened.value.ended?.refusal.reason, "closed");
  await closing;
  assert.deepEqual(await opened.value.closed, opened.value.ended);
});
