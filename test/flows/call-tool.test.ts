import assert from "node:assert/strict";
import { test } from "node:test";

import { createDiscoveredTool } from "../../src/composition/flows/call-tool.ts";
import { createSession } from "../../src/composition/flows/session.ts";
import type { CatalogTool } from "../../src/domain/catalog/catalog.ts";
import { refuse } from "../../src/domain/outcome.ts";
import type { SchemaValidator } from "../../src/ports/schema-validator.ts";
import { FakePeer, type Asked } from "../kit/fake-peer.ts";
import { fakeSessionOptions } from "../kit/fake-sessions.ts";

const TOOL: CatalogTool = {
  name: "s__get_x",
  serverId: "s",
  sourceName: "get x",
  bucket: "adapted",
  reasons: [],
  title: "Get",
  description: "gets",
  inputSchema: { type: "object", properties: { n: { type: "number" } } },
  outputSchema: undefined,
  annotations: { readOnlyHint: true },
};

/** Knows one rule for any schema: `n` is no text. */
function validator(): SchemaValidator & { readonly compiled: unknown[] } {
  const compiled: unknown[] = [];
  return {
    compiled,
    compile: (schema) => {
      compiled.push(schema);
      return (value) =>
        typeof (value as { readonly n?: unknown } | null)?.n === "string"
          ? [{ path: "/n", expected: "a number" }]
          : [];
    },
  };
}

function made(serve: (asked: Asked) => Readonly<Record<string, unknown>>, tool: Partial<CatalogTool> = {}) {
  const peer = new FakePeer((asked) => serve(asked));
  const checks = validator();
  const session = createSession(peer, fakeSessionOptions());
  return { peer, checks, tool: createDiscoveredTool({ ...TOOL, ...tool }, { session, validator: checks }) };
}

test("K5 a fitting call goes out under the server's own name and comes back decoded", async () => {
  const { peer, tool } = made(() => ({ content: [{ type: "text", text: "hi" }] }));

  const answer = await tool.call({ n: 1 });

  assert.deepEqual(
    peer.asked.map(({ method, params }) => [method, params]),
    [["tools/call", { name: "get x", arguments: { n: 1 } }]],
  );
  assert.deepEqual(answer.ok && answer.value.parts, [{ type: "text", text: "hi" }]);
});

for (const [args, path] of [
  [{ n: "one" }, "/n"],
  ["text", ""],
  [undefined, ""],
  [[], ""],
] as const) {
  test(`K5 the arguments ${JSON.stringify(args)} are refused with the place and nothing is sent`, async () => {
    const { peer, tool } = made(() => ({}));

    const answer = await tool.call(args);

    assert.ok(!answer.ok);
    const { refusal } = answer.refusal;
    assert.equal(refusal.reason, "invalid-arguments");
    assert.equal("mismatches" in refusal && refusal.mismatches[0]?.path, path);
    assert.deepEqual(peer.asked, []);
  });
}

test("K8 a result that misses its output schema is reported on it and keeps its content", async () => {
  const result = { content: [{ type: "text", text: "kept" }], structuredContent: { n: "one" } };
  const { tool } = made(() => result, { outputSchema: { type: "object" } });

  const answer = await tool.call({});

  assert.ok(answer.ok);
  assert.deepEqual(answer.value.mismatches, [{ path: "/n", expected: "a number" }]);
  assert.deepEqual(answer.value.parts[0], { type: "text", text: "kept" });
});

test("K8 I1 a failed result is a result, and is not held against the output schema", async () => {
  const result = { isError: true, content: [{ type: "text", text: "boom" }], structuredContent: { n: "x" } };
  const { tool } = made(() => result, { outputSchema: { type: "object" } });

  const answer = await tool.call({});

  assert.ok(answer.ok);
  assert.equal(answer.value.isError, true);
  assert.deepEqual(answer.value.mismatches, []);
});

test("C10 what the connection failed with reaches the caller of the tool", async () => {
  const failure = {
    refusal: { kind: "session", reason: "response-lost", serverId: "s", stage: "call" },
  } as const;
  const peer = new FakePeer(() => refuse(failure));
  const session = createSession(peer, fakeSessionOptions());
  const tool = createDiscoveredTool(TOOL, { session, validator: validator() });

  assert.deepEqual(await tool.call({}), { ok: false, refusal: failure });
});

test("K5 schemas are compiled at the first call and once", async () => {
  const { checks, tool } = made(() => ({ content: [] }));
  assert.deepEqual(checks.compiled, []);

  await tool.call({});
  await tool.call({});

  assert.deepEqual(checks.compiled, [TOOL.inputSchema]);
});

test("K3 a tool of another server is not made", () => {
  assert.throws(() => made(() => ({}), { serverId: "other" }), TypeError);
});

test("K2 the host sees the catalog's name, words, schema and hints", () => {
  const { tool } = made(() => ({}));

  assert.deepEqual(JSON.parse(JSON.stringify(tool)), {
    name: "s__get_x",
    serverId: "s",
    sourceName: "get x",
    title: "Get",
    description: "gets",
    inputSchema: TOOL.inputSchema,
    annotations: { readOnlyHint: true },
  });
});
