import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { parseBearerChallenge, type BearerChallenge } from "../../../src/domain/oauth/challenge.ts";

const NOTHING: BearerChallenge = { resourceMetadata: undefined, scopes: [], error: undefined };
const LINK = "https://mcp.example/meta?a=b,c";

const ROWS: readonly (readonly [string, readonly string[], BearerChallenge | undefined])[] = [
  ["no header", [], undefined],
  ["an empty one", [""], undefined],
  ["the scheme alone", ["Bearer"], NOTHING],
  ["the scheme in capitals", ["BEARER"], NOTHING],
  [
    "a link with a comma in it",
    [`Bearer resource_metadata="${LINK}"`],
    { ...NOTHING, resourceMetadata: LINK },
  ],
  ["Basic first", [`Basic realm="a, Bearer b", Bearer scope="x"`], { ...NOTHING, scopes: ["x"] }],
  ["Negotiate with its token first", ["Negotiate YWJj==, Bearer scope=x"], { ...NOTHING, scopes: ["x"] }],
  ["Negotiate without one first", ["Negotiate, Bearer scope=x"], { ...NOTHING, scopes: ["x"] }],
  ["Basic last", ['Bearer scope="x", Basic realm="scope"'], { ...NOTHING, scopes: ["x"] }],
  ["Basic in another value", ['Basic realm="a"', 'Bearer scope="x"'], { ...NOTHING, scopes: ["x"] }],
  ["no Bearer", ['Basic realm="a", Digest nonce="b"'], undefined],
  ["two Bearer challenges", ['Bearer scope="x", Bearer scope="y"'], { ...NOTHING, scopes: ["x"] }],
  ["names in capitals", ['Bearer SCOPE="x"'], { ...NOTHING, scopes: ["x"] }],
  [
    "blanks around the sign",
    ['Bearer scope = "x" ,  error= invalid_token'],
    { ...NOTHING, scopes: ["x"], error: "invalid_token" },
  ],
  ["empty elements", [', Bearer ,, scope="x",'], { ...NOTHING, scopes: ["x"] }],
  [
    "escapes",
    [String.raw`Bearer resource_metadata="https:\/\/a\"b"`],
    { ...NOTHING, resourceMetadata: 'https://a"b' },
  ],
  ["several scopes, one twice", ['Bearer scope="a b a"'], { ...NOTHING, scopes: ["a", "b"] }],
  ["missing scope", ['Bearer error="insufficient_scope"'], { ...NOTHING, error: "insufficient_scope" }],
  ["an error of its own", ['Bearer error="kanarienvogel"'], NOTHING],
  ["scopes that are none", ['Bearer scope="a \\"b\\""'], NOTHING],
  ["a parameter twice", ['Bearer scope="x", scope="y"'], undefined],
  [
    "a parameter twice, and a good challenge after it",
    ['Bearer scope="x", scope="y", Bearer scope="z"'],
    { ...NOTHING, scopes: ["z"] },
  ],
  ["a quote that does not end", ['Bearer scope="x'], undefined],
  ["a parameter without scheme", ['scope="x", Bearer'], undefined],
  ["a malformed value before a good one", ['"', "Bearer"], NOTHING],
  ["a control character", ['Bearer scope="a\u0000"'], undefined],
  ["a value of 8,193 characters", [`Bearer ${" ".repeat(8_186)}`], undefined],
  ["a link of 2,049 characters", [`Bearer resource_metadata="${"a".repeat(2_049)}"`], NOTHING],
  ["65 scopes", [`Bearer scope="${Array.from({ length: 65 }, (_, at) => `s${at}`).join(" ")}"`], NOTHING],
  ["a seventeenth value", [...Array.from({ length: 16 }, () => "Basic"), "Bearer"], undefined],
];

for (const [what, values, expected] of ROWS) {
  test(`U5 WWW-Authenticate with ${what} says ${expected === undefined ? "nothing" : "what it says"}`, () => {
    assert.deepEqual(parseBearerChallenge(values), expected);
  });
}

test("U5 whatever stands in the header, reading it never throws", () => {
  const piece = fc.constantFrom("Bearer", "Basic", " ", ",", "=", '"', "\\", "scope", "a", "\t", "==");
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
      parseBearerChallenge([pieces.join("")]);
    }),
    { numRuns: 500 },
  );
});

test("U5 a parameter is found wherever other challenges stand", () => {
  const other = fc.constantFrom(
    'Basic realm="x, Bearer scope=no"',
    "Negotiate YQ==",
    "Digest a=b, c=d",
    "Hoba",
  );
  fc.assert(
    fc.property(fc.array(other, { maxLength: 4 }), fc.array(other, { maxLength: 4 }), (before, after) => {
      const value = [...before, 'Bearer scope="x"', ...after].join(", ");
      assert.deepEqual(parseBearerChallenge([value])?.scopes, ["x"]);
    }),
    { numRuns: 200 },
  );
});
