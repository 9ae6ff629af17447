import assert from "node:assert/strict";
import { test } from "node:test";

import type { SchemaValidator } from "../../src/ports/schema-validator.ts";

interface Row {
  readonly schema: unknown;
  readonly fits: readonly unknown[];
  readonly misses: readonly unknown[];
}

/** One row a keyword of the universal subset. */
const KEYWORDS: Readonly<Record<string, Row>> = {
  type: { schema: { type: "integer" }, fits: [1, -0], misses: [1.5, "1", null, true, {}, []] },
  enum: {
    schema: { enum: ["a", null, { a: [1] }] },
    fits: ["a", null, { a: [1] }],
    misses: ["b", 0, { a: [2] }],
  },
  minimum: { schema: { minimum: 1 }, fits: [1, "text"], misses: [0.9] },
  maximum: { schema: { maximum: 1 }, fits: [1], misses: [1.1] },
  exclusiveMinimum: { schema: { exclusiveMinimum: 1 }, fits: [1.1], misses: [1] },
  exclusiveMaximum: { schema: { exclusiveMaximum: 1 }, fits: [0.9], misses: [1] },
  multipleOf: { schema: { multipleOf: 0.1 }, fits: [0.3, 1e10], misses: [0.25] },
  minLength: { schema: { minLength: 2 }, fits: ["ab", 1], misses: ["a", "\u{1F600}"] },
  maxLength: { schema: { maxLength: 1 }, fits: ["a", "\u{1F600}"], misses: ["ab"] },
  pattern: { schema: { pattern: "^\\p{L}$" }, fits: ["\u00e9", 1], misses: ["1", "ab"] },
  items: { schema: { items: { type: "string" } }, fits: [[], ["a"], {}], misses: [["a", 1]] },
  minItems: { schema: { minItems: 1 }, fits: [[1]], misses: [[]] },
  maxItems: { schema: { maxItems: 1 }, fits: [[1], []], misses: [[1, 2]] },
  properties: {
    schema: { properties: { a: { type: "string" }, never: false } },
    fits: [{}, { a: "x", b: 1 }, "text"],
    misses: [{ a: 1 }, { never: 1 }],
  },
  required: {
    schema: { required: ["a", "constructor"] },
    fits: [{ a: 1, constructor: 1 }],
    misses: [{ a: 1 }],
  },
  additionalProperties: {
    schema: { properties: { a: true }, additionalProperties: false },
    fits: [{ a: 1 }],
    misses: [{ a: 1, b: 1 }, { toString: 1 }],
  },
  minProperties: { schema: { minProperties: 1 }, fits: [{ a: 1 }], misses: [{}] },
  maxProperties: { schema: { maxProperties: 1 }, fits: [{ a: 1 }], misses: [{ a: 1, b: 2 }] },
  anyOf: { schema: { anyOf: [{ type: "string" }, { type: "null" }] }, fits: ["a", null], misses: [1] },
  true: { schema: true, fits: [1, null, {}], misses: [] },
  false: { schema: false, fits: [], misses: [1, null, {}] },
};

/** Registers what every validator behind the port has to do. */
export function schemaValidatorContract(create: () => SchemaValidator): void {
  for (const [keyword, { schema, fits, misses }] of Object.entries(KEYWORDS)) {
    test(`K5 a validator enforces ${keyword} and nothing more`, () => {
      const check = create().compile(schema);

      for (const value of fits) assert.deepEqual(check(value), [], JSON.stringify(value));
      for (const value of misses) assert.notDeepEqual(check(value), [], JSON.stringify(value));
    });
  }

  for (const ignored of [
    { format: "email" },
    { $ref: "http://169.254.169.254/schema.json" },
    { $ref: "#/nowhere" },
    { $id: "not a: url" },
    { $dynamicRef: "#x" },
    { not: {} },
    { uniqueItems: true },
    { unknown: { type: "string" } },
  ]) {
    test(`K4 a validator ignores ${JSON.stringify(ignored)}, which is outside the subset`, () => {
      assert.deepEqual(create().compile(ignored)([1, 1]), []);
      assert.deepEqual(create().compile(ignored)("text"), []);
    });
  }

  test("K5 a validator neither changes the schema nor the value, frozen ones included", () => {
    const schema = Object.freeze({
      type: "object",
      properties: Object.freeze({ a: Object.freeze({ default: 1 }) }),
    });

    assert.deepEqual(create().compile(schema)(Object.freeze({})), []);
    assert.deepEqual(Object.getOwnPropertyNames(schema), ["type", "properties"]);
  });

  test("K5 two schemas of one $id do not meet", () => {
    const validator = create();
    const first = validator.compile({ $id: "https://a.example/s", type: "string" });
    const second = validator.compile({ $id: "https://a.example/s", type: "number" });

    assert.deepEqual(first("a"), []);
    assert.notDeepEqual(second("a"), []);
  });

  test("K5 a validator answers at most 16 mismatches", () => {
    const check = create().compile({ type: "array", items: { type: "string" } });

    assert.equal(check(Array.from({ length: 100 }, () => 1)).length, 16);
  });

  test("K5 a mismatch names its place as a JSON Pointer, and the keys of the value", () => {
    const check = create().compile({ additionalProperties: { items: { type: "string" } } });

    assert.deepEqual(check({ "a/b~c d#%": ["x", 1] }), [{ path: "/a~1b~0c d#%/1", expected: "type string" }]);
  });

  for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, (): void => undefined]) {
    test(`K5 a validator takes ${String(value)} for a mismatch, for it is no JSON`, () => {
      assert.notDeepEqual(create().compile(true)(value), []);
      assert.notDeepEqual(create().compile(true)({ a: [value] }), []);
    });
  }

  test("K5 a value as deep as 128 is checked, one deeper or cyclic is a mismatch", () => {
    const check = create().compile({ type: "array" });
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);

    assert.deepEqual(check(nested(128)), []);
    assert.notDeepEqual(check(nested(129)), []);
    assert.notDeepEqual(check(nested(100_000)), []);
    assert.notDeepEqual(check(cyclic), []);
  });

  test("K5 a value of more comparisons than can be afforded is a mismatch, not a wait", () => {
    const branches = Array.from({ length: 999 }, (_, index) => ({ enum: [`v${index}`] }));
    const check = create().compile({ items: { anyOf: branches } });

    assert.deepEqual(check(["v0", "v998"]), []);
    assert.notDeepEqual(check(Array.from({ length: 100_000 }, () => "v0")), []);
  });

  test("K4 a pattern meets at most a mebi of text", () => {
    const check = create().compile({ items: { pattern: "^a*$" } });

    assert.deepEqual(check(["a".repeat(1_048_576)]), []);
    assert.notDeepEqual(check(["a".repeat(1_048_577)]), []);
  });

  test("K5 a property name with a lone surrogate is a mismatch at worst, never an error", () => {
    const check = create().compile({ properties: { a: { type: "string" } }, additionalProperties: false });

    assert.notDeepEqual(check({ "\uD800": 1 }), []);
  });
}

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}
