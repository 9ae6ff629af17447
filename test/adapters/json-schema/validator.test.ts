import assert from "node:assert/strict";
import { test } from "node:test";

import { createSchemaValidator } from "../../../src/adapters/json-schema/validator.ts";
import { schemaValidatorContract } from "../../ports/schema-validator.contract.ts";

schemaValidatorContract(createSchemaValidator);

const EXPECTED: readonly (readonly [schema: unknown, value: unknown, expected: readonly string[]])[] = [
  [{ type: "string" }, 1, [": type string"]],
  [{ enum: ["a", 1, null] }, 2, [': one of "a", 1, null']],
  [{ enum: ["a"] }, 2, [': "a"']],
  [{ minimum: 3 }, 2, [": minimum 3"]],
  [{ pattern: "^a$" }, "b", [": a text that matches ^a$"]],
  [{ required: ["a", "b"] }, {}, [': a property "a"', ': a property "b"']],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1, [": one of: string; null"]],
  [
    { anyOf: [{ type: "object", required: ["a"] }, { properties: { b: true } }, { enum: [1, 2] }, true] },
    1,
    [],
  ],
  [
    {
      anyOf: [
        { type: "object", required: ["a"] },
        { type: "object", properties: { b: { type: "null" } } },
      ],
    },
    { b: 1 },
    [': one of: object with "a"; object with "b"'],
  ],
  [
    { properties: { a: true }, additionalProperties: false },
    { a: 1, extra: 1 },
    ['/extra: no such property (there are "a")'],
  ],
  [{ additionalProperties: false }, { x: 1 }, ["/x: no such property"]],
  [
    { properties: { o: { properties: { n: { maximum: 1 } } } }, required: ["z"] },
    { o: { n: 2 } },
    [': a property "z"', "/o/n: maximum 1"],
  ],
];

for (const [schema, value, expected] of EXPECTED) {
  test(`K5 ${JSON.stringify(value)} against ${JSON.stringify(schema).slice(0, 70)} says what was expected`, () => {
    const found = createSchemaValidator().compile(schema)(value);

    assert.deepEqual(
      found.map((mismatch) => `${mismatch.path}: ${mismatch.expected}`),
      expected,
    );
  });
}

test("K5 a mismatch never quotes the value", () => {
  const check = createSchemaValidator().compile({
    properties: {
      a: { minimum: 5 },
      b: { type: "integer" },
      c: { pattern: "^x$" },
      d: { enum: [1] },
      e: { maxLength: 1 },
    },
  });

  const found = check({ a: 3.25, b: "canary", c: "canary", d: "canary", e: "canary" });

  assert.equal(found.length, 5);
  assert.doesNotMatch(JSON.stringify(found), /canary|3\.25/);
});

test("K9 what a mismatch says is cleaned and cut", () => {
  const [found] = createSchemaValidator().compile({ enum: [`\u202E${"e".repeat(9000)}`] })(1);

  assert.equal(found?.expected.length, 256);
  assert.doesNotMatch(found.expected, /\u202E/);
});

test("K5 the first mismatch of a large value is found", () => {
  const values: unknown[] = Array.from({ length: 50_000 }, () => "a");
  values.push(1);

  assert.deepEqual(createSchemaValidator().compile({ items: { type: "string" } })(values), [
    { path: "/50000", expected: "type string" },
  ]);
});
