import assert from "node:assert/strict";
import { test } from "node:test";

import type { QuarantineReason, SchemaReason } from "../../../src/domain/catalog/adapt-reason.ts";
import { narrowOutputSchema, narrowSchema } from "../../../src/domain/catalog/narrow-schema.ts";

/** Wraps the schema of one property. */
function property(schema: unknown, rest: object = {}): unknown {
  return { type: "object", properties: { p: schema }, ...rest };
}

const OPEN = { type: "string" };

interface Case {
  readonly schema: unknown;
  readonly path: string;
  /** What is left at the property `p`. */
  readonly p?: unknown;
}

/* Typed over every reason: one without a schema that produces it does not compile. */
const PRODUCED: Readonly<Record<SchemaReason, Case>> = {
  "schema-missing": { schema: null, path: "" },
  "schema-empty-array": { schema: property([]), path: "/properties/p", p: {} },
  "root-type-missing": { schema: { properties: { p: OPEN } }, path: "/type", p: OPEN },
  "root-type-union": { schema: { type: ["null", "object"] }, path: "/type" },
  "properties-array": {
    schema: property({ type: "object", properties: [] }),
    path: "/properties/p/properties",
  },
  "type-union": {
    schema: property({ type: ["null", "string"], minLength: 1 }),
    path: "/properties/p/type",
    p: { anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] },
  },
  "boolean-schema": { schema: property(true), path: "/properties/p", p: {} },
  "exclusive-bound": {
    schema: property({ minimum: 0, exclusiveMinimum: true }),
    path: "/properties/p/exclusiveMinimum",
    p: { exclusiveMinimum: 0 },
  },
  "all-of-merged": {
    schema: property({ allOf: [{ minLength: 1 }, { minLength: 2, maxLength: 5 }, { maxLength: 4 }] }),
    path: "/properties/p/allOf",
    p: { minLength: 2, maxLength: 4 },
  },
  "idle-keyword": { schema: property({ ...OPEN, minItems: 2 }), path: "/properties/p/minItems", p: OPEN },
  "false-property": { schema: property(false), path: "/properties/p" },
  "required-duplicate": { schema: { type: "object", required: ["a", "a"] }, path: "/required" },
  "root-combinator": { schema: { oneOf: [property(OPEN), property(OPEN)] }, path: "/oneOf", p: OPEN },
  "one-of": {
    schema: property({ oneOf: [OPEN, { type: "null" }] }),
    path: "/properties/p/oneOf",
    p: { anyOf: [OPEN, { type: "null" }] },
  },
  "all-of": {
    schema: property({ allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }),
    path: "/properties/p/allOf/1",
    p: { multipleOf: 2 },
  },
  "any-of": {
    schema: property({ anyOf: [OPEN, { type: "null" }], oneOf: [{ minLength: 1 }, { minLength: 2 }] }),
    path: "/properties/p/oneOf",
    p: { anyOf: [OPEN, { type: "null" }] },
  },
  conditional: {
    schema: property(JSON.parse('{"if":{"type":"string"},"then":{"minLength":2}}')),
    path: "/properties/p/if",
    p: {},
  },
  "keyword-unsupported": {
    schema: property({ uniqueItems: true }),
    path: "/properties/p/uniqueItems",
    p: {},
  },
  "keyword-malformed": { schema: property({ minLength: -1 }), path: "/properties/p/minLength", p: {} },
  "schema-malformed": { schema: property("string"), path: "/properties/p", p: {} },
  "type-unknown": {
    schema: property({ type: "text", minLength: 1 }),
    path: "/properties/p/type",
    p: { minLength: 1 },
  },
  tuple: {
    schema: property({ prefixItems: [OPEN, { type: "null" }], items: false }),
    path: "/properties/p/prefixItems",
    p: { maxItems: 2, items: { anyOf: [OPEN, { type: "null" }] } },
  },
  "pattern-properties": {
    schema: property({ patternProperties: { "^x": OPEN }, additionalProperties: false }),
    path: "/properties/p/patternProperties",
    p: {},
  },
  "pattern-unbounded": { schema: property({ pattern: "(a+)+$" }), path: "/properties/p/pattern", p: {} },
  "pattern-invalid": { schema: property({ pattern: "(" }), path: "/properties/p/pattern", p: {} },
  "enum-empty": {
    schema: property({ ...OPEN, title: "t", enum: [] }),
    path: "/properties/p/enum",
    p: { title: "t" },
  },
  "enum-limit": {
    schema: property({ ...OPEN, enum: Array.from({ length: 1001 }, String) }),
    path: "/properties/p/enum",
    p: OPEN,
  },
  "root-enum": { schema: { type: "object", enum: [{ a: 1 }] }, path: "/enum" },
  "default-dropped": {
    schema: property({ default: Array.from({ length: 100 }, () => 0) }),
    path: "/properties/p/default",
    p: {},
  },
  "ref-recursive": { schema: property({ $ref: "#" }), path: "/properties/p/$ref", p: {} },
  "ref-unresolved": { schema: property({ $ref: "#/$defs/none" }), path: "/properties/p/$ref", p: {} },
  "ref-dynamic": { schema: property({ $dynamicRef: "#n" }), path: "/properties/p/$dynamicRef", p: {} },
  "ref-siblings": {
    schema: property(
      { $ref: "#/definitions/D", maxLength: 1, description: "d" },
      { $schema: "http://json-schema.org/draft-07/schema#", definitions: { D: OPEN } },
    ),
    path: "/properties/p",
    p: { description: "d", ...OPEN },
  },
  "expansion-limit": {
    schema: property(
      { anyOf: Array.from({ length: 300 }, () => ({ $ref: "#/$defs/D" })) },
      {
        $defs: { D: { anyOf: Array.from({ length: 9 }, () => OPEN) } },
      },
    ),
    path: "/$defs/D/anyOf/1",
  },
  "node-limit": {
    schema: property({ type: "object", properties: Object.fromEntries(manyProperties(10_000)) }),
    path: "/properties/p/properties/p9998",
  },
  "depth-limit": { schema: nested(65), path: "/items".repeat(65) },
};

function manyProperties(count: number): [string, unknown][] {
  return Array.from({ length: count }, (_, index) => [`p${index}`, OPEN]);
}

function nested(depth: number): unknown {
  let schema: unknown = OPEN;
  for (let level = 0; level < depth; level += 1) schema = { items: schema };
  return schema;
}

for (const [reason, { schema, path, p }] of Object.entries(PRODUCED)) {
  test(`K4 what is adapted for ${reason} names the place`, () => {
    const narrowed = narrowSchema(schema);

    assert.ok(narrowed.ok);
    const found = narrowed.value.reasons.find((one) => one.reason === reason);
    assert.equal(found?.path, path);
    if (p === undefined) return;
    const properties = narrowed.value.schema["properties"];
    assert.deepEqual(properties, { p });
  });
}

const QUARANTINED: Readonly<Record<QuarantineReason, readonly unknown[]>> = {
  "dialect-unknown": [
    { $schema: "http://json-schema.org/draft-03/schema#", type: "object" },
    { $schema: "https://example.com/own", type: "object" },
    { $schema: 7, type: "object" },
  ],
  "schema-not-object": ["object", 7, [{}]],
  "root-not-object": [
    { type: "string" },
    { type: ["string", "null"] },
    { type: "Object" },
    { anyOf: [{ type: "string" }, { type: "null" }] },
  ],
  "accepts-nothing": [false, { anyOf: [false, false] }, { allOf: [false] }],
  "ref-remote": [
    property({ $ref: "https://example.com/schema.json" }),
    property({ $ref: "//example.com/schema.json#/a" }),
    property({ $ref: "file:///etc/passwd" }),
    property({ $ref: "other.json#/x" }),
    property({ $ref: "urn:example:x" }),
    { $ref: "https://example.com/schema.json" },
  ],
  "ref-loop": [
    { $ref: "#" },
    property({ $ref: "#/properties/p" }),
    property({ anyOf: [OPEN, { $ref: "#/properties/p" }] }),
  ],
};

for (const [reason, schemas] of Object.entries(QUARANTINED)) {
  for (const [index, schema] of schemas.entries()) {
    test(`K4 a schema is quarantined as ${reason} (${index + 1})`, () => {
      assert.deepEqual(narrowSchema(schema), { ok: false, refusal: { reason } });
    });
  }
}

test("K8 an output schema that accepts nothing, or is none, is refused", () => {
  assert.deepEqual(narrowOutputSchema(false), { ok: false, refusal: { reason: "schema-not-object" } });
  assert.deepEqual(narrowOutputSchema({ allOf: [false] }), {
    ok: false,
    refusal: { reason: "accepts-nothing" },
  });
});

test("K8 an output schema keeps the type of its root", () => {
  assert.deepEqual(narrowOutputSchema({ type: "array", items: OPEN }), {
    ok: true,
    value: { schema: { type: "array", items: OPEN }, reasons: [] },
  });
});
