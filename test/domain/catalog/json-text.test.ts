import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { writeJson } from "../../../src/domain/catalog/json-text.ts";

const AS_GIVEN = { keys: "as-given", layout: "compact" } as const;
const SORTED = { keys: "sorted", layout: "compact" } as const;

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

test("K7 the compact text of any JSON value is what JSON.stringify writes", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      assert.equal(writeJson(value, AS_GIVEN), JSON.stringify(value));
    }),
    { numRuns: 200 },
  );
});

test("A7 values that differ only in the order of their keys have one sorted text, others have not", () => {
  assert.equal(
    writeJson({ b: [{ d: 1, c: 2 }], a: null }, SORTED),
    writeJson({ a: null, b: [{ c: 2, d: 1 }] }, SORTED),
  );
  assert.notEqual(writeJson([1, 2], SORTED), writeJson([2, 1], SORTED));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      assert.deepEqual(JSON.parse(writeJson(value, SORTED)), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 200 },
  );
});

test("A7 a key `__proto__` is written like any other", () => {
  const text = '{"__proto__":{"x":1},"a":2}';

  assert.equal(writeJson(JSON.parse(text), SORTED), text);
});

test("K7 a value that JSON.stringify cannot write is written, and read back by JSON.parse", () => {
  const deep = nested(200_000);
  assert.throws(() => JSON.stringify(deep), RangeError);

  const text = writeJson(deep, AS_GIVEN);

  assert.equal(text.length, 400_001);
  assert.equal(writeJson(JSON.parse(text), AS_GIVEN), text);
});

test("A7 lines show a value a line, as JSON.stringify does", () => {
  const value = { type: "object", properties: { a: {}, b: [] }, required: ["a", "b"] };

  assert.equal(writeJson(value, { keys: "as-given", layout: "lines" }), JSON.stringify(value, undefined, 2));
});

test("A7 deep levels are not indented further, so that spaces do not multiply a text", () => {
  const text = writeJson(nested(10_000), { keys: "as-given", layout: "lines" });

  assert.ok(text.length < 10_000 * 2 * 34);
});

for (const limit of [0, 5, 6, 7]) {
  test(`A7 of a text of seven characters a limit of ${limit} keeps the first ${limit}`, () => {
    assert.equal(writeJson([1, 2, 3], { ...AS_GIVEN, limit }), "[1,2,3]".slice(0, limit));
  });
}

test("K7 what JSON cannot hold is null", () => {
  assert.equal(writeJson([undefined, Number.NaN, () => 1, 1n], AS_GIVEN), "[null,null,null,null]");
});
