import assert from "node:assert/strict";
import { test } from "node:test";

import { createDiscoveredTool } from "../../src/composition/flows/call-tool.ts";
import { createSession } from "../../src/composition/flows/session.ts";
import type { CatalogTool } from "../../src/domain/catalog/catalog.ts";
import { refuse } from "../../src/domain/outcome.ts";
import type { PeerFailure } from "../../src/ports/mcp-peer.ts";
import { FakePeer } from "../kit/fake-peer.ts";
import { fakeSessionOptions } from "../kit/fake-sessions.ts";

const TOOL: CatalogTool = {
  name: "s__query",
  serverId: "s",
  sourceName: "query",
  bucket: "adapted",
  reasons: [],
  title: undefined,
  description: undefined,
  inputSchema: { type: "object" },
  outputSchema: undefined,
  annotations: {},
  parameterHeaders: [{ name: "Region", path: ["region"], type: "string" }],
};

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const HEADER_MISMATCH: PeerFailure = {
  refusal: { kind: "session", reason: "protocol-error", serverId: "s", stage: "call", code: -32_020 },
  untrusted: { message: "Header mismatch: canary", code: -32_020 },
};

function calling(
  options: {
    readonly mirrorArguments?: boolean;
    readonly carrier?: "http" | "stdio";
    readonly era?: "legacy" | "modern";
    readonly failure?: PeerFailure;
    readonly tool?: Partial<CatalogTool>;
  } = {},
) {
  const { era = "modern", carrier = "http", failure } = options;
  const peer = new FakePeer(() => (failure === undefined ? { content: [] } : refuse(failure)), { era });
  peer.carrier = carrier;
  const session = createSession(peer, fakeSessionOptions());
  const tool = createDiscoveredTool(
    { ...TOOL, ...options.tool },
    {
      session,
      validator: { compile: () => () => [] },
      ...(options.mirrorArguments !== undefined && { mirrorArguments: options.mirrorArguments }),
    },
  );
  return { peer, tool };
}

test("K5b with permission the declared argument travels in its header too, beside the trace", async () => {
  const { peer, tool } = calling({ mirrorArguments: true });

  const answer = await tool.call({ region: "eu", query: "q" }, { trace: { traceparent: TRACEPARENT } });

  assert.equal(answer.ok, true);
  assert.deepEqual(peer.asked[0]?.params, { name: "query", arguments: { region: "eu", query: "q" } });
  assert.deepEqual(peer.asked[0]?.options.headers, [
    ["traceparent", TRACEPARENT],
    ["mcp-param-region", "eu"],
  ]);
});

for (const mirrorArguments of [undefined, false]) {
  test(`K5b without permission (${mirrorArguments}) the call goes out with no header`, async () => {
    const { peer, tool } = calling(mirrorArguments === undefined ? {} : { mirrorArguments });

    await tool.call({ region: "eu" });

    assert.equal(peer.asked.length, 1);
    assert.equal(peer.asked[0]?.options.headers, undefined);
  });
}

for (const { carrier, era } of [
  { carrier: "stdio", era: "modern" },
  { carrier: "http", era: "legacy" },
] as const) {
  test(`K5b over ${carrier} in the ${era} era nothing is mirrored, with permission too`, async () => {
    const { peer, tool } = calling({ mirrorArguments: true, carrier, era });

    await tool.call({ region: "eu" });

    assert.equal(peer.asked.length, 1);
    assert.equal(peer.asked[0]?.options.headers, undefined);
  });
}

test("K5b K5 an argument that fits no header is refused with its place, without its value, and nothing is sent", async () => {
  const { peer, tool } = calling({ mirrorArguments: true });

  const answer = await tool.call({ region: `canary${"r".repeat(9_000)}` });

  const refusal = answer.ok ? undefined : answer.refusal.refusal;
  assert.equal(refusal?.reason, "invalid-arguments");
  assert.equal("mismatches" in refusal ? refusal.mismatches[0]?.path : undefined, "/region");
  assert.doesNotMatch(JSON.stringify(refusal), /canary/);
  assert.deepEqual(peer.asked, []);
});

test("K5b without permission such an argument is an argument like any other", async () => {
  const { peer, tool } = calling();

  assert.equal((await tool.call({ region: "r".repeat(9_000) })).ok, true);
  assert.equal(peer.asked.length, 1);
});

test("K5b a server that insists on its headers is told apart, and its call is not sent again", async () => {
  const { peer, tool } = calling({ failure: HEADER_MISMATCH });

  assert.deepEqual(await tool.call({ region: "eu" }), {
    ok: false,
    refusal: { refusal: { kind: "call", reason: "headers-not-allowed" } },
  });
  assert.equal(peer.asked.length, 1);
});

for (const [why, options] of [
  ["the headers were sent", { failure: HEADER_MISMATCH, mirrorArguments: true }],
  ["the tool asked for none", { failure: HEADER_MISMATCH, tool: { parameterHeaders: [] } }],
] as const) {
  test(`K5b a header mismatch stays the server's own error where ${why}`, async () => {
    assert.deepEqual(await calling(options).tool.call({ region: "eu" }), {
      ok: false,
      refusal: HEADER_MISMATCH,
    });
  });
}
