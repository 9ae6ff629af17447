import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import * as fc from "fast-check";

import { isHeaderValue, isReservedHeader } from "../../../src/domain/http/headers.ts";
import { HELPER_LIMITS, parseHelperOutput } from "../../../src/domain/oauth/headers-helper-output.ts";

function parse(text: string | Uint8Array) {
  return parseHelperOutput(typeof text === "string" ? new TextEncoder().encode(text) : text);
}

/** The headers as plain text, or the reason. */
function read(text: string | Uint8Array): unknown {
  const parsed = parse(text);
  return parsed.ok ? parsed.value.map(([name, value]) => [name, value.reveal()]) : parsed.refusal;
}

function headers(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "v"])));
}

test("U4 one JSON object of strings is read in its order, with lower-case names and white space around", () => {
  assert.deepEqual(read('\n { "Authorization" : "Bearer a\\"b\\\\" ,\t"X-Key":"\\u0041" } \r\n'), [
    ["authorization", 'Bearer a"b\\'],
    ["x-key", "A"],
  ]);
});

const INVALID: readonly (readonly [what: string, output: string | Uint8Array])[] = [
  ["nothing", ""],
  ["no JSON", "Bearer abc"],
  ["an object without headers", "{}"],
  ["two objects", '{"a":"1"}{"b":"2"}'],
  ["two objects on two lines", '{"a":"1"}\n{"b":"2"}\n'],
  ["words before the object", 'token: {"a":"1"}'],
  ["words after the object", '{"a":"1"} done'],
  ["a list", '[{"a":"1"}]'],
  ["a string", '"a"'],
  ["null", "null"],
  ["a number for a value", '{"a":1}'],
  ["null for a value", '{"a":null}'],
  ["a list for a value", '{"a":["1"]}'],
  ["an object for a value", '{"a":{"b":"1"}}'],
  ["a comment", '{"a":"1" /* c */}'],
  ["a trailing comma", '{"a":"1",}'],
  ["an unfinished object", '{"a":"1"'],
  ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x22, 0x22, 0x7d])],
  ["brackets of great depth", "[".repeat(60_000)],
];

for (const [what, output] of INVALID) {
  test(`U4 ${what} is helper-output-invalid`, () => {
    assert.equal(read(output), "helper-output-invalid");
  });
}

const REFUSED: readonly (readonly [what: string, output: string])[] = [
  ["a key that comes twice", '{"a":"1","a":"1"}'],
  ["a key that comes twice, once escaped", '{"a":"1","\\u0061":"2"}'],
  ["a key that comes twice, first with an object", '{"a":{"b":"c"},"a":"1"}'],
  ["a name that comes twice, in other letters", '{"X-Key":"1","x-key":"2"}'],
  ["a name of the protocol", '{"Mcp-Session-Id":"1"}'],
  ["host", '{"Host":"evil.example"}'],
  ["cookie", '{"cookie":"a=b"}'],
  ["proxy-authorization", '{"Proxy-Authorization":"x"}'],
  ["a name that is no token", '{"a b":"1"}'],
  ["an empty name", '{"":"1"}'],
  ["a line break in a value", '{"a":"1\\r\\nb: 2"}'],
  ["a NUL in a value", '{"a":"1\\u0000"}'],
  ["a value beyond Latin-1", '{"a":"\u{1f600}"}'],
  ["a value of 8,193 characters", JSON.stringify({ a: "v".repeat(8_193) })],
];

for (const [what, output] of REFUSED) {
  test(`H2 ${what} is helper-header-refused`, () => {
    assert.equal(read(output), "helper-header-refused");
  });
}

for (const [count, accepted] of [
  [1, true],
  [31, true],
  [32, true],
  [33, false],
  [65, false],
] as const) {
  test(`U4 ${count} headers are ${accepted ? "read" : "refused"}`, () => {
    const parsed = parse(headers(count));
    assert.equal(
      parsed.ok ? parsed.value.length : parsed.refusal,
      accepted ? count : "helper-header-refused",
    );
  });
}

test("U4 a value of 8,192 characters is read, and one that looks like JSON", () => {
  const value = '{"a":"b"}'.padEnd(8_192, '"');
  assert.deepEqual(read(JSON.stringify({ a: value })), [["a", value]]);
});

test("D17 what was read prints as a secret", () => {
  const parsed = parse('{"authorization":"s3cret-token"}');
  assert.doesNotMatch(inspect(parsed, { depth: 9 }) + JSON.stringify(parsed), /s3cret/);
});

test("U4 the bounds are those of the contract", () => {
  assert.deepEqual(HELPER_LIMITS, { timeoutMs: 10_000, outputBytes: 65_536, headers: 32 });
});

test("U4 no output of any kind makes the reading throw, and what is read is fit to be sent", () => {
  const anyObject = fc
    .dictionary(fc.string(), fc.oneof(fc.string(), fc.jsonValue()))
    .map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), anyObject), (text) => {
      const parsed = parse(text);
      if (!parsed.ok) return;
      const names = parsed.value.map(([name]) => name);
      assert.equal(new Set(names).size, names.length);
      for (const [name, value] of parsed.value) {
        assert.equal(isReservedHeader(name), false);
        assert.equal(isHeaderValue(value.reveal()), true);
      }
    }),
    { numRuns: 300 },
  );
});

test("U4 what a flat object of good headers says is read as it was written", () => {
  const name = fc.stringMatching(/^x-[a-z0-9]{1,20}$/);
  const value = fc.stringMatching(/^[ab "\\{}:,~\u00e9]{0,40}$/);
  fc.assert(
    fc.property(fc.dictionary(name, value, { minKeys: 1, maxKeys: 32 }), (given) => {
      assert.deepEqual(read(JSON.stringify(given)), Object.entries(given));
    }),
    { numRuns: 200 },
  );
});
