import assert from "node:assert/strict";
import { test } from "node:test";

import type { CatalogTool } from "../../../src/domain/catalog/catalog.ts";
import { gatewayMeta, gatewayTool } from "../../../src/domain/serve/gateway-call.ts";

const TOOL: CatalogTool = {
  name: "files__read",
  serverId: "files",
  sourceName: "read",
  bucket: "adapted",
  reasons: [],
  title: "Read",
  description: "Reads a file",
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
  resultSizeChars: 100_000,
};

test("R11 a tool is listed under its catalog name with its safe schema, and nothing of how it is called", () => {
  assert.deepEqual(gatewayTool(TOOL), {
    name: "files__read",
    title: "Read",
    description: "Reads a file",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  });
});

test("R11 what a tool does not say is left out", () => {
  assert.deepEqual(gatewayTool({ ...TOOL, title: undefined, description: undefined, annotations: {} }), {
    name: "files__read",
    inputSchema: { type: "object" },
  });
});

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const METAS: readonly (readonly [what: string, meta: Parameters<typeof gatewayMeta>[0], parts: object])[] = [
  ["nothing", undefined, {}],
  ["an empty object", {}, {}],
  ["a key of the caller's own", { "example.com/run": 1 }, { meta: { "example.com/run": 1 } }],
  ["a trace", { traceparent: PARENT }, { trace: { traceparent: PARENT } }],
  [
    "a trace with state, and more",
    { traceparent: PARENT, tracestate: "a=1", baggage: "user=alice", x: 1 },
    { meta: { x: 1 }, trace: { traceparent: PARENT, tracestate: "a=1" } },
  ],
  ["a malformed trace", { traceparent: "00-1-2-3" }, {}],
  ["a trace that is no text", { traceparent: { toString: 1 } }, {}],
  ["a state alone", { tracestate: "a=1" }, {}],
];

for (const [what, meta, parts] of METAS) {
  test(`H5 of a caller's _meta with ${what} a trace goes apart and the rest goes on`, () => {
    assert.deepEqual(gatewayMeta(meta), parts);
  });
}
