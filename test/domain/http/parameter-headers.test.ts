import assert from "node:assert/strict";
import { test } from "node:test";

import {
  parameterHeaders,
  PARAMETER_HEADERS_LIMIT,
  type ParameterHeader,
} from "../../../src/domain/http/parameter-headers.ts";

const REGION: ParameterHeader = { name: "Region", path: ["region"], type: "string" };
const COUNT: ParameterHeader = { name: "Count", path: ["count"], type: "integer" };
const DRY: ParameterHeader = { name: "Dry", path: ["dry"], type: "boolean" };
const DEEP: ParameterHeader = { name: "Deep", path: ["a", "b/c~d"], type: "string" };

const SENT: readonly (readonly [args: Readonly<Record<string, unknown>>, headers: readonly string[]])[] = [
  [{ region: "us-west1" }, ["mcp-param-region: us-west1"]],
  [{ region: "us west 1" }, ["mcp-param-region: us west 1"]],
  [{ region: "" }, ["mcp-param-region: =?base64??="]],
  [{ region: " padded " }, ["mcp-param-region: =?base64?IHBhZGRlZCA=?="]],
  [{ region: "line1\nline2" }, ["mcp-param-region: =?base64?bGluZTEKbGluZTI=?="]],
  [{ region: "a\r\nx-evil: 1" }, ["mcp-param-region: =?base64?YQ0KeC1ldmlsOiAx?="]],
  [{ region: "\tindented" }, ["mcp-param-region: =?base64?CWluZGVudGVk?="]],
  [{ region: "Hello, 世界" }, ["mcp-param-region: =?base64?SGVsbG8sIOS4lueVjA==?="]],
  [{ region: "=?base64?literal?=" }, ["mcp-param-region: =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="]],
  [{ count: 42 }, ["mcp-param-count: 42"]],
  [{ count: -7 }, ["mcp-param-count: -7"]],
  [{ count: 1e15 }, ["mcp-param-count: 1000000000000000"]],
  [{ count: Number.MAX_SAFE_INTEGER }, ["mcp-param-count: 9007199254740991"]],
  [{ dry: true }, ["mcp-param-dry: true"]],
  [{ dry: false }, ["mcp-param-dry: false"]],
  [{ a: { "b/c~d": "x" } }, ["mcp-param-deep: x"]],
  [{ region: "eu", dry: true, other: "kept here" }, ["mcp-param-region: eu", "mcp-param-dry: true"]],
];

for (const [args, headers] of SENT) {
  test(`K5b the arguments ${JSON.stringify(args)} travel as ${JSON.stringify(headers)}`, () => {
    const made = parameterHeaders([REGION, COUNT, DRY, DEEP], args);

    assert.deepEqual(made.ok && made.value.map(([name, value]) => `${name}: ${value}`), headers);
  });
}

const LEFT_OUT: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { region: null },
  { region: undefined },
  { other: "x" },
  { a: null },
  { a: "text" },
  { a: ["b/c~d"] },
  { a: {} },
];

for (const args of LEFT_OUT) {
  test(`K5b the arguments ${JSON.stringify(args)} put nothing into a header`, () => {
    assert.deepEqual(parameterHeaders([REGION, COUNT, DRY, DEEP], args), { ok: true, value: [] });
  });
}

test("K5b what an argument inherits is not mirrored", () => {
  const declared: ParameterHeader = { name: "x", path: ["constructor", "name"], type: "string" };

  assert.deepEqual(parameterHeaders([declared], {}), { ok: true, value: [] });
});

const INTEGER = "an integer between -9007199254740991 and 9007199254740991, since it is sent in a header";

const REFUSED: readonly (readonly [
  args: Readonly<Record<string, unknown>>,
  path: string,
  expected: string,
])[] = [
  [{ region: 7 }, "/region", "type string"],
  [{ region: ["secret"] }, "/region", "type string"],
  [{ count: "7" }, "/count", INTEGER],
  [{ count: 1.5 }, "/count", INTEGER],
  [{ count: Number.MAX_SAFE_INTEGER + 1 }, "/count", INTEGER],
  [{ count: Number.MIN_SAFE_INTEGER - 1 }, "/count", INTEGER],
  [{ dry: "true" }, "/dry", "type boolean"],
  [{ a: { "b/c~d": 1 } }, "/a/b~1c~0d", "type string"],
];

for (const [args, path, expected] of REFUSED) {
  test(`K5b the arguments ${JSON.stringify(args)} fit no header: ${path} has to be ${expected}`, () => {
    assert.deepEqual(parameterHeaders([REGION, COUNT, DRY, DEEP], args), {
      ok: false,
      refusal: { path, expected },
    });
  });
}

test("K5b names and values of one call are as long together as the limit, and not longer", () => {
  const rest = PARAMETER_HEADERS_LIMIT - "mcp-param-region".length - "mcp-param-dry".length - "true".length;
  const at = parameterHeaders([REGION, DRY], { region: "r".repeat(rest), dry: true });
  const above = parameterHeaders([REGION, DRY], { region: "r".repeat(rest + 1), dry: true });

  assert.equal(at.ok && at.value.length, 2);
  assert.equal(!above.ok && above.refusal.path, "/dry");
  assert.match(above.ok ? "" : above.refusal.expected, /^less text, .* 8192 bytes/);
});
