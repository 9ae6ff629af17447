import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { parseUniqueJson } from "../../../src/domain/gate/access-token-json.ts";

const REPEATING = [
  '{"aud":"a","aud":"b"}',
  '{"aud":"a","x":1,"aud":"a"}',
  String.raw`{"aud":"a","\u0061ud":"b"}`,
  '{"cnf":{"jkt":"a","jkt":"b"}}',
  '{"list":[{"a":1},{"a":1,"a":2}]}',
  '{ "a" : 1 , "a" : 2 }',
  '{"__proto__":1,"__proto__":2}',
  '{"":1,"":2}',
] as const;

for (const text of REPEATING) {
  test(`R9 ${text} names a member twice and is not read`, () => {
    assert.equal(parseUniqueJson(text), undefined);
  });
}

const UNIQUE = [
  ['{"a":"a","b":"a"}', { a: "a", b: "a" }],
  ['{"a":["a","a"]}', { a: ["a", "a"] }],
  ['{"a":{"b":1},"b":{"b":1}}', { a: { b: 1 }, b: { b: 1 } }],
  ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  [String.raw`{"a":"\",\"a\":1"}`, { a: '","a":1' }],
  ['{"a":"{","b":"}"}', { a: "{", b: "}" }],
  ['"a"', "a"],
] as const;

for (const [text, value] of UNIQUE) {
  test(`R9 ${text} is read as it stands`, () => {
    assert.deepEqual(parseUniqueJson(text), value);
  });
}

for (const text of ["", "{", '{"a":1,}', "{'a':1}", "undefined"]) {
  test(`R9 ${JSON.stringify(text)} is no JSON and is not read`, () => {
    assert.equal(parseUniqueJson(text), undefined);
  });
}

test("R9 every value that was written as JSON is read back", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      // What JSON.stringify wrote has unique names.
      const whole = JSON.stringify(JSON.parse(text));
      assert.deepEqual(parseUniqueJson(whole), JSON.parse(whole));
    }),
  );
});
