import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { RejectReason } from "../../../src/domain/catalog/adapt-reason.ts";
import { buildServerCatalog, ITEM_LIMIT } from "../../../src/domain/catalog/build-server-catalog.ts";

const SCHEMA = { type: "object", properties: { a: { type: "string" } } };
const GOOD = { name: "good", inputSchema: SCHEMA };

function build(tools: readonly unknown[], rest: object = {}): ReturnType<typeof buildServerCatalog> {
  return buildServerCatalog({ serverId: "srv", tools, ...rest });
}

test("K2 a tool that needs nothing done is adopted as it is", () => {
  const annotations = { readOnlyHint: true, destructiveHint: false };
  const tool = { ...GOOD, title: "Good", description: "Does good.", annotations };

  assert.deepEqual(build([tool]), {
    serverId: "srv",
    tools: [
      {
        name: "srv__good",
        serverId: "srv",
        sourceName: "good",
        bucket: "adopted",
        reasons: [],
        title: "Good",
        description: "Does good.",
        inputSchema: SCHEMA,
        outputSchema: undefined,
        annotations,
      },
    ],
    prompts: [],
    resources: [],
    rejected: [],
  });
});

const REJECTED: readonly (readonly [reason: RejectReason, tool: unknown, sourceName: string])[] = [
  ["not-an-object", "text", ""],
  ["not-an-object", null, ""],
  ["not-an-object", [], ""],
  ["name-missing", { inputSchema: SCHEMA }, ""],
  ["name-missing", { name: 7, inputSchema: SCHEMA }, ""],
  ["name-empty", { name: "", inputSchema: SCHEMA }, ""],
  ["name-too-long", { name: "n".repeat(1025), inputSchema: SCHEMA }, "n".repeat(256)],
  ["root-not-object", { name: "\u202Ebad", inputSchema: { type: "string" } }, "bad"],
  ["schema-not-object", { name: "bad", inputSchema: "text" }, "bad"],
];

for (const [reason, tool, sourceName] of REJECTED) {
  test(`K1 K2 a tool is rejected as ${reason} (${JSON.stringify(tool).slice(0, 30)}) and costs no other`, () => {
    const server = build([tool, GOOD]);

    assert.deepEqual(server.rejected, [{ kind: "tool", serverId: "srv", sourceName, reason }]);
    assert.deepEqual(
      server.tools.map((kept) => kept.name),
      ["srv__good"],
    );
  });
}

test("K2 a name of 1,024 characters is admitted under a catalog name of 64", () => {
  const [tool] = build([{ ...GOOD, name: "n".repeat(1024) }]).tools;

  assert.equal(tool?.sourceName.length, 1024);
  assert.equal(tool.name.length, 64);
  assert.deepEqual(tool.reasons, [{ reason: "name-altered", path: "/name" }]);
});

test("G7 K2 tools of one name are all rejected, whichever comes first", () => {
  const server = build([GOOD, { ...GOOD, description: "other" }, { ...GOOD, name: "else" }]);

  assert.deepEqual(
    server.rejected.map(({ reason, sourceName }) => [reason, sourceName]),
    [
      ["duplicate", "good"],
      ["duplicate", "good"],
    ],
  );
  assert.equal(server.tools.length, 1);
});

test("D5 K2 a tool that the definition does not allow is rejected as filtered, and others are kept", () => {
  const server = build([GOOD, { ...GOOD, name: "bad_one" }], {
    filter: { allow: undefined, deny: ["bad_*"] },
  });

  assert.deepEqual(server.rejected, [
    { kind: "tool", serverId: "srv", sourceName: "bad_one", reason: "filtered" },
  ]);
  assert.equal(server.tools.length, 1);
});

test("K1 10,000 entries are admitted, the next is rejected by name", () => {
  const tools = Array.from({ length: ITEM_LIMIT + 1 }, (_, index) => ({ name: `t${index}` }));

  const server = build(tools);

  assert.equal(server.tools.length, 10_000);
  assert.deepEqual(server.rejected, [
    { kind: "tool", serverId: "srv", sourceName: "t10000", reason: "too-many-items" },
  ]);
});

test("K9 title and description are cleaned and cut, with the reasons", () => {
  const [tool] = build([{ ...GOOD, title: "a\u{E0041}b", description: `\u202E${"d".repeat(9000)}` }]).tools;

  assert.equal(tool?.title, "ab");
  assert.equal(tool.description, "d".repeat(8192));
  assert.equal(tool.bucket, "adapted");
  assert.deepEqual(tool.reasons, [
    { reason: "text-cleaned", path: "/title" },
    { reason: "text-cleaned", path: "/description" },
    { reason: "text-cut", path: "/description" },
  ]);
});

test("K9 a description that is no text is dropped with a reason", () => {
  const [tool] = build([{ ...GOOD, description: { text: "x" } }]).tools;

  assert.equal(tool?.description, undefined);
  assert.deepEqual(tool?.reasons, [{ reason: "text-malformed", path: "/description" }]);
});

test("K9 annotations keep the four hints as booleans and nothing else", () => {
  const annotations = { readOnlyHint: "yes", destructiveHint: true, title: "T", other: true };
  const [tool] = build([{ ...GOOD, annotations }]).tools;

  assert.deepEqual(tool?.annotations, { destructiveHint: true });
  assert.deepEqual(tool.reasons, [{ reason: "annotation-dropped", path: "/annotations/readOnlyHint" }]);
});

test("K9 annotations that are no object are dropped with a reason", () => {
  assert.deepEqual(build([{ ...GOOD, annotations: "safe" }]).tools[0]?.reasons, [
    { reason: "annotation-dropped", path: "/annotations" },
  ]);
});

test("K8 an output schema is narrowed, and what was given up is told from the input schema", () => {
  const outputSchema = { type: "object", properties: { o: { not: {} } }, required: ["o"] };
  const [tool] = build([{ ...GOOD, outputSchema }]).tools;

  assert.deepEqual(tool?.outputSchema, { type: "object", properties: { o: {} }, required: ["o"] });
  assert.deepEqual(tool.reasons, [{ reason: "keyword-unsupported", path: "/outputSchema/properties/o/not" }]);
});

test("K8 an output schema of another root is kept in the modern era and dropped in the legacy one", () => {
  const outputSchema = { type: "array", items: { type: "string" } };

  const modern = build([{ ...GOOD, outputSchema }], { era: "modern" }).tools[0];
  const legacy = build([{ ...GOOD, outputSchema }]).tools[0];

  assert.deepEqual(modern?.outputSchema, outputSchema);
  assert.equal(modern.bucket, "adopted");
  assert.equal(legacy?.outputSchema, undefined);
  assert.deepEqual(legacy?.reasons, [{ reason: "output-schema-dropped", path: "/outputSchema" }]);
});

test("K2 a tool that asks for a task is admitted with a note", () => {
  const [tool] = build([{ ...GOOD, execution: { taskSupport: "required" } }]).tools;

  assert.deepEqual(tool?.reasons, [{ reason: "task-required", path: "/execution" }]);
});

test("K5b a header mirror of a schema does not reach the catalog", () => {
  const inputSchema = { type: "object", properties: { a: { type: "string", "x-mcp-header": "X-A" } } };

  assert.deepEqual(build([{ ...GOOD, inputSchema }]).tools[0]?.inputSchema, SCHEMA);
});

test("K2 everything disclosed ends in exactly one bucket", () => {
  const name = fc.constantFrom("a", "b", "c d", "", 7, null);
  const schema = fc.constantFrom<unknown>(
    SCHEMA,
    null,
    [],
    {},
    false,
    { type: "string" },
    { $ref: "http://x/" },
  );
  const item = fc.oneof(fc.record({ name, inputSchema: schema, uri: name }), fc.anything());
  fc.assert(
    fc.property(fc.array(item, { maxLength: 12 }), (items) => {
      const lists = { tools: items, prompts: items, resources: items };
      const server = buildServerCatalog({
        serverId: "s",
        ...lists,
        filter: { allow: undefined, deny: ["b"] },
      });
      const kept = server.tools.length + server.prompts.length + server.resources.length;
      assert.equal(kept + server.rejected.length, 3 * items.length);
      for (const tool of server.tools) assert.equal(tool.bucket === "adopted", tool.reasons.length === 0);
    }),
    { numRuns: 300 },
  );
});
