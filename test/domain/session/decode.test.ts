import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { decodePeerIdentity, sessionIdentity } from "../../../src/domain/session/identity.ts";
import { estimateJsonSize } from "../../../src/domain/session/json-size.ts";
import { stripReservedMeta } from "../../../src/domain/session/meta.ts";
import { decodeResult } from "../../../src/domain/session/result.ts";

const LEGACY = { era: "legacy", protocolVersion: "2025-11-25", receivedAtMs: 1 } as const;
const MODERN = { era: "modern", protocolVersion: "2026-07-28", receivedAtMs: 1 } as const;

test("C3 a result of 2026-07-28 loses its type and nothing else", () => {
  assert.deepEqual(decodeResult({ resultType: "complete", a: 1 }, "modern"), { ok: true, value: { a: 1 } });
});

test("C3 a result of the older era needs no type and is not read by one", () => {
  const raw = { resultType: "input_required", a: 1 };

  assert.deepEqual(decodeResult(raw, "legacy"), { ok: true, value: raw });
});

for (const [raw, refusal] of [
  [{}, "invalid-response"],
  [{ resultType: null }, "invalid-response"],
  [{ resultType: "input_required" }, "input-required"],
  [{ resultType: "" }, "not-supported"],
  [{ resultType: "Complete" }, "not-supported"],
  [[], "invalid-response"],
  [null, "invalid-response"],
  ["x", "invalid-response"],
] as const) {
  test(`C3 the result ${JSON.stringify(raw)} is refused as ${refusal} in 2026-07-28`, () => {
    assert.deepEqual(decodeResult(raw, "modern"), { ok: false, refusal });
  });
}

test("C6b reserved _meta keys go, whatever else is there stays", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (own, meta) => {
        const spoofed = {
          ...meta,
          "io.modelcontextprotocol/x": 1,
          "io.modelcontextprotocol/": 2,
          progressToken: 3,
        };
        const { _meta: _own, ...rest } = own;

        const { _meta: kept, ...others } = stripReservedMeta({ ...rest, _meta: spoofed });

        const { progressToken: _token, ...expected } = meta;
        assert.deepEqual(others, rest);
        assert.deepEqual(kept ?? {}, expected);
      },
    ),
    { numRuns: 200 },
  );
});

for (const meta of [null, 7, "x", [1], {}]) {
  test(`C6b a _meta of ${JSON.stringify(meta)} is left out`, () => {
    assert.deepEqual(stripReservedMeta({ a: 1, _meta: meta }), { a: 1 });
  });
}

test("C5 a server's name, version and words are cleaned and cut", () => {
  const identity = decodePeerIdentity(
    {
      serverInfo: { name: `a\u202E${"b".repeat(200)}`, version: "1\u0007" },
      capabilities: { tools: {} },
      instructions: "x".repeat(9_000),
    },
    LEGACY,
  );

  assert.deepEqual(identity.serverInfo, { name: `a${"b".repeat(127)}`, version: "1" });
  assert.equal(identity.instructions?.length, 8_192);
  assert.deepEqual([...identity.capabilities], [["tools", {}]]);
});

for (const serverInfo of [undefined, null, "x", {}, { name: "x" }, { name: 1, version: "1" }]) {
  test(`C5 the server info ${JSON.stringify(serverInfo)} counts as not given`, () => {
    const identity = decodePeerIdentity({ serverInfo }, LEGACY);

    assert.equal(identity.serverInfo, undefined);
    assert.equal(sessionIdentity("s", identity, "g").serverInfoProvided, false);
  });
}

test("C5 2026-07-28 names the server in _meta, not where the older era does", () => {
  const info = { name: "n", version: "1" };

  const inMeta = decodePeerIdentity({ _meta: { "io.modelcontextprotocol/serverInfo": info } }, MODERN);
  const beside = decodePeerIdentity({ serverInfo: info }, MODERN);

  assert.deepEqual(inMeta.serverInfo, info);
  assert.equal(beside.serverInfo, undefined);
});

for (const [count, kept] of [
  [63, 63],
  [64, 64],
  [65, 64],
] as const) {
  test(`C6 of ${count} declared capabilities ${kept} are kept`, () => {
    const capabilities = Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, {}]));

    assert.equal(decodePeerIdentity({ capabilities }, LEGACY).capabilities.size, kept);
  });
}

test("C6 capabilities are kept by names of 1 to 64 characters, whatever they are called", () => {
  const capabilities = JSON.parse(`{"":1,"__proto__":2,"${"a".repeat(64)}":3,"${"b".repeat(65)}":4}`);

  const kept = decodePeerIdentity({ capabilities }, LEGACY).capabilities;

  assert.deepEqual([...kept.keys()], ["__proto__", "a".repeat(64)]);
});

test("K1 the size of a value without escapes is the length of its JSON text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "0", " ") });
  const value = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("json")),
      fc.dictionary(text, tie("json")),
    ),
  })).json;

  fc.assert(
    fc.property(value, (json) => {
      assert.equal(estimateJsonSize(json, Infinity), JSON.stringify(json).length);
    }),
    { numRuns: 200 },
  );
});

test("K1 the size of a value nested 100,000 deep is found, and a bound stops the search", () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];

  assert.equal(estimateJsonSize(deep, Infinity), 200_001);
  assert.ok(estimateJsonSize(deep, 10) <= 12);
});
