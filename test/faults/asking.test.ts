/** Servers that ask when, what or as often as they should not: real children, against a host that answers forms. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { McpHost } from "../../src/composition/host/mcp-host.ts";
import { resultText } from "../../src/domain/catalog/result-text.ts";
import type { Ask } from "../../src/ports/ask.ts";
import { valueOf } from "../kit/activation.ts";
import { approveAll, hostFolders, hostIn } from "../kit/hosts.ts";
import { fixture } from "../kit/sdk-servers.ts";

interface Asked {
  readonly host: McpHost;
  readonly ask: Ask;
  /** How often somebody was asked. */
  readonly times: () => number;
  /** What came back to the server, as it tells itself. */
  readonly replies: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

async function askedBy(t: TestContext, way: string): Promise<Asked> {
  const entry = { command: process.execPath, args: [fixture("hostile-asker.mjs"), way] };
  const host = await hostIn(t, await hostFolders(t, { s: entry }), { elicitation: true });
  await approveAll(host, "s");
  let times = 0;
  return {
    host,
    times: () => times,
    ask: async () => {
      times += 1;
      return { action: "accept", content: { name: "Ada" } };
    },
    replies: async () => JSON.parse(resultText(valueOf(await host.call("s__tell", {})).result)),
  };
}

for (const [when, way] of [
  ["before the handshake is done", "before-handshake"],
  ["in the middle of a list", "in-a-list"],
  ["after the call has ended", "after-the-call"],
] as const) {
  test(`C7 a server that asks ${when} gets no answer, and nobody is asked`, async (t) => {
    const { host, ask, times, replies } = await askedBy(t, way);

    valueOf(await host.call("s__do", {}, { ask }));

    assert.equal(times(), 0);
    // An error, or a cancel where the late question meets the next call, which has nobody to ask.
    for (const reply of await replies()) assert.doesNotMatch(JSON.stringify(reply), /accept/);
  });
}

test("C7 a server that wants a javascript: page opened loses its call, and its connection stays", async (t) => {
  const { host, ask, times, replies } = await askedBy(t, "page");

  const answer = await host.call("s__do", {}, { ask });

  assert.deepEqual(answer, {
    ok: false,
    refusal: { refusal: { kind: "elicitation", reason: "url-mode", serverId: "s" } },
  });
  assert.equal(times(), 0);
  // The same child: it remembers.
  assert.deepEqual(await replies(), [
    { jsonrpc: "2.0", id: "page", error: { code: -32_602, message: "the form was not answered" } },
  ]);
});

test("C7 a server that asks five hundred things at once loses its connection, and one is put at most", async (t) => {
  const { host, ask, times, replies } = await askedBy(t, "many");

  const answer = await host.call("s__do", {}, { ask });

  assert.deepEqual(answer, {
    ok: false,
    refusal: { refusal: { kind: "elicitation", reason: "too-many-rounds", serverId: "s" } },
  });
  assert.ok(times() <= 1);
  // Another child: it remembers nothing.
  assert.deepEqual(await replies(), []);
});

test("C7 of two questions with one id the first is answered, once", async (t) => {
  const { host, ask, times, replies } = await askedBy(t, "equal-ids");

  valueOf(await host.call("s__do", {}, { ask }));

  assert.equal(times(), 1);
  assert.deepEqual(await replies(), [
    { jsonrpc: "2.0", id: "same", result: { action: "accept", content: { name: "Ada" } } },
  ]);
});
