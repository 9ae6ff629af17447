import assert from "node:assert/strict";
import { test } from "node:test";

import type { HeaderReason } from "../../../src/domain/catalog/adapt-reason.ts";
import { buildServerCatalog } from "../../../src/domain/catalog/build-server-catalog.ts";
import {
  PARAMETER_HEADER_COUNT_LIMIT,
  PARAMETER_HEADER_DEPTH_LIMIT,
  readParameterHeaders,
} from "../../../src/domain/catalog/mirrored-arguments.ts";
import { PARAMETER_HEADER_NAME_LIMIT } from "../../../src/domain/http/parameter-headers.ts";

const REGION = { type: "string", "x-mcp-header": "Region" };

function object(properties: object, rest: object = {}): object {
  return { type: "object", properties, ...rest };
}

function nested(depth: number, leaf: object): object {
  let schema = leaf;
  for (let level = 0; level < depth; level += 1) schema = object({ a: schema });
  return schema;
}

test("K5b declarations are read in the order of the schema, at any depth, with the three types", () => {
  const schema = object({
    region: REGION,
    plain: { type: "string" },
    scope: object({ "a/b": { type: "integer", "x-mcp-header": "Count" } }),
    dry: { type: "boolean", "x-mcp-header": "dry-run" },
  });

  assert.deepEqual(readParameterHeaders(schema), {
    ok: true,
    value: [
      { name: "Region", path: ["region"], type: "string" },
      { name: "Count", path: ["scope", "a/b"], type: "integer" },
      { name: "dry-run", path: ["dry"], type: "boolean" },
    ],
  });
});

const NOTHING: readonly unknown[] = [
  undefined,
  null,
  true,
  [],
  {},
  object({ "x-mcp-header": { type: "string" } }),
  object({}, { default: { "x-mcp-header": "A" }, examples: [REGION], enum: [REGION], const: REGION }),
  object({ a: { type: "string", default: REGION } }),
];

for (const schema of NOTHING) {
  test(`K5b ${JSON.stringify(schema)} declares no header`, () => {
    assert.deepEqual(readParameterHeaders(schema), { ok: true, value: [] });
  });
}

const INVALID: Readonly<Record<Exclude<HeaderReason, "header-too-many">, readonly object[]>> = {
  "header-name-invalid": [
    "",
    "My Region",
    "Region:Primary",
    "Région",
    "Region\t1",
    "a\r\nb",
    "(x)",
    7,
    null,
    {},
    "n".repeat(PARAMETER_HEADER_NAME_LIMIT + 1),
  ].map((name) => object({ a: { type: "string", "x-mcp-header": name } })),
  "header-name-duplicate": [
    object({ a: REGION, b: REGION }),
    object({ a: REGION, b: { type: "string", "x-mcp-header": "rEGION" } }),
    object({ a: REGION, b: object({ c: REGION }) }),
  ],
  "header-type-not-allowed": ["object", "array", "null", "number", ["string", "null"], undefined].map(
    (type) => object({ a: { type, "x-mcp-header": "A" } }),
  ),
  "header-misplaced": [
    { type: "object", "x-mcp-header": "Root" },
    object({ a: { type: "array", items: REGION } }),
    object({ a: { type: "array", prefixItems: [REGION] } }),
    object({}, { additionalProperties: REGION }),
    object({}, { patternProperties: { x: REGION } }),
    object({}, { anyOf: [object({ a: REGION })] }),
    object({}, { oneOf: [{ oneOf: [object({ a: REGION })] }] }),
    object({}, { allOf: [object({ a: REGION })] }),
    object({}, { not: object({ a: REGION }) }),
    ...["if", "then", "else"].map((keyword) => object({}, { [keyword]: object({ a: REGION }) })),
    object({ a: { $ref: "#/$defs/R" } }, { $defs: { R: REGION } }),
    object({ a: { $ref: "#/definitions/R" } }, { definitions: { R: REGION } }),
    object({}, { dependentSchemas: { a: object({ b: REGION }) } }),
    nested(PARAMETER_HEADER_DEPTH_LIMIT + 1, REGION),
  ],
};

for (const [reason, schemas] of Object.entries(INVALID)) {
  for (const schema of schemas) {
    const text = JSON.stringify(schema).slice(0, 90);
    test(`K5b a tool with ${text} is rejected with ${reason}, and costs no other`, () => {
      const tools = [
        { name: "bad", inputSchema: schema },
        { name: "good", inputSchema: object({ a: REGION }) },
      ];
      const catalog = buildServerCatalog({ serverId: "s", tools, era: "modern", carrier: "http" });

      assert.deepEqual(
        catalog.rejected.map((item) => [item.sourceName, item.reason]),
        [["bad", reason]],
      );
      assert.deepEqual(
        catalog.tools.map(({ sourceName }) => sourceName),
        ["good"],
      );
    });
  }
}

test("K5b the depth, the length of a name and the number of headers are allowed up to their limits", () => {
  const many = (count: number): object =>
    object(
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`p${at}`, { type: "string", "x-mcp-header": `H${at}` }]),
      ),
    );
  const long = object({ a: { type: "string", "x-mcp-header": "n".repeat(PARAMETER_HEADER_NAME_LIMIT) } });

  for (const schema of [
    nested(PARAMETER_HEADER_DEPTH_LIMIT, REGION),
    long,
    many(PARAMETER_HEADER_COUNT_LIMIT),
  ]) {
    assert.equal(readParameterHeaders(schema).ok, true);
  }
  assert.deepEqual(readParameterHeaders(many(PARAMETER_HEADER_COUNT_LIMIT + 1)), {
    ok: false,
    refusal: "header-too-many",
  });
});

test("K5b K4 a schema that is very deep or very wide is read without recursion", () => {
  const wide = object(Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`p${at}`, {}])));

  assert.deepEqual(readParameterHeaders(nested(100_000, {})), { ok: true, value: [] });
  assert.deepEqual(readParameterHeaders(wide), { ok: true, value: [] });
});

test("K5b a valid tool is listed with a note, its declarations and its schema as they were", () => {
  const [tool] = buildServerCatalog({
    serverId: "s",
    tools: [{ name: "t", inputSchema: object({ region: REGION }) }],
    era: "modern",
    carrier: "http",
  }).tools;

  assert.equal(tool?.bucket, "adapted");
  assert.deepEqual(
    tool.reasons.filter(({ reason }) => reason === "arguments-in-headers"),
    [{ reason: "arguments-in-headers", path: "/inputSchema" }],
  );
  assert.deepEqual(tool.parameterHeaders, [{ name: "Region", path: ["region"], type: "string" }]);
});

for (const { era, carrier } of [
  { era: "legacy", carrier: "http" },
  { era: "modern", carrier: "stdio" },
  { era: "legacy", carrier: "stdio" },
] as const) {
  test(`K5b over ${carrier} in the ${era} era the keyword means nothing, right or wrong`, () => {
    const tools = ["Region", "not a token"].map((name, at) => ({
      name: `t${at}`,
      inputSchema: object({ a: { type: "string", "x-mcp-header": name } }),
    }));
    const catalog = buildServerCatalog({ serverId: "s", tools, era, carrier });

    assert.deepEqual(
      catalog.tools.map((tool) => tool.parameterHeaders),
      [undefined, undefined],
    );
    assert.equal(
      catalog.tools.some(({ reasons }) => reasons.some(({ reason }) => reason === "arguments-in-headers")),
      false,
    );
    assert.deepEqual(catalog.rejected, []);
  });
}
