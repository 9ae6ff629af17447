import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { checkHeaders, HEADER_LIMITS, isHeaderValue } from "../../../src/domain/http/headers.ts";

const RESERVED = [
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "proxy-authorization",
  "Proxy-Connection",
  "te",
  "trailer",
  "Upgrade",
  "content-type",
  "Content-Encoding",
  "content-range",
  "Expect",
  "Accept",
  "mcp-session-id",
  "MCP-Protocol-Version",
  "Mcp-Param-x",
  "traceparent",
  "tracestate",
  "Last-Event-ID",
  "Origin",
  "Cookie",
];

for (const name of RESERVED) {
  test(`H2 ${name} may not be set`, () => {
    assert.deepEqual(
      checkHeaders([
        ["x-fine", "1"],
        [name, "v"],
      ]),
      {
        ok: false,
        refusal: { reason: "reserved-header", position: 2 },
      },
    );
  });
}

test("H2 ordinary headers pass in their order, with lower-case names and untouched values", () => {
  const headers = [
    ["Authorization", "Bearer a b"],
    ["X-Tenant", "é"],
    ["x-empty", ""],
  ] as const;
  assert.deepEqual(checkHeaders(headers), {
    ok: true,
    value: [
      ["authorization", "Bearer a b"],
      ["x-tenant", "é"],
      ["x-empty", ""],
    ],
  });
});

test("H2 names that only begin like a reserved one pass", () => {
  const names = ["hosts", "x-mcp-thing", "te-x", "cookies", "acceptance", "mcpx"];
  assert.equal(checkHeaders(names.map((name) => [name, "v"] as const)).ok, true);
});

for (const name of [
  "",
  "a b",
  "a:b",
  "é",
  "a\r\nb",
  "a\0",
  "(x)",
  "n".repeat(HEADER_LIMITS.nameLength + 1),
]) {
  test(`H2 the name ${JSON.stringify(name.slice(0, 12))} is no token`, () => {
    assert.deepEqual(checkHeaders([[name, "v"]]), {
      ok: false,
      refusal: { reason: "invalid-header-name", position: 1 },
    });
  });
}

for (const value of ["a\r\nb: c", "a\nb", "\0", "\u007f", "\u0085", "\u0100", "😀"]) {
  test(`H2 the value ${JSON.stringify(value)} is refused`, () => {
    assert.deepEqual(checkHeaders([["x", value]]), {
      ok: false,
      refusal: { reason: "invalid-header-value", position: 1 },
    });
  });
}

test("H2 a value may be as long as the limit and no longer", () => {
  assert.equal(isHeaderValue("v".repeat(HEADER_LIMITS.valueLength - 1)), true);
  assert.equal(isHeaderValue("v".repeat(HEADER_LIMITS.valueLength)), true);
  assert.equal(isHeaderValue("v".repeat(HEADER_LIMITS.valueLength + 1)), false);
});

test("H2 one header in two spellings is refused", () => {
  const outcome = checkHeaders([
    ["X-Key", "a"],
    ["x-key", "b"],
  ]);
  assert.deepEqual(outcome, { ok: false, refusal: { reason: "duplicate-header", position: 2 } });
});

test("H2 as many headers as the limit pass, and one more is refused", () => {
  const many = Array.from({ length: HEADER_LIMITS.count + 1 }, (_, index) => [`x-${index}`, "v"] as const);
  assert.equal(checkHeaders(many.slice(1)).ok, true);
  assert.deepEqual(checkHeaders(many), {
    ok: false,
    refusal: { reason: "too-many-headers", position: HEADER_LIMITS.count + 1 },
  });
});

test("H2 whatever passes holds no control character and no reserved name", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 5 }), (headers) => {
      const outcome = checkHeaders(headers);
      if (!outcome.ok) return;
      for (const [name, value] of outcome.value) {
        assert.match(name, /^[!-~]+$/);
        assert.doesNotMatch(name, /^(?:mcp-|proxy-|host$|cookie$)/);
        // oxlint-disable-next-line no-control-regex -- the absence of control characters is what is tested
        assert.doesNotMatch(value, /[\0-\x1f\x7f]/);
      }
    }),
    { numRuns: 200 },
  );
});
