import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { toolDigest } from "../../../src/domain/catalog/definition-digest.ts";

const TOOL = {
  name: "send",
  title: "Send",
  description: "Sends a mail",
  inputSchema: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } } },
  outputSchema: { type: "object" },
  annotations: { readOnlyHint: false },
};

test("A7 a digest is 64 hex digits, and the same for the same tool", () => {
  assert.match(toolDigest(TOOL), /^[0-9a-f]{64}$/);
  assert.equal(toolDigest(structuredClone(TOOL)), toolDigest(TOOL));
});

test("A7 the order of keys, at any depth, does not count", () => {
  const { inputSchema, ...rest } = TOOL;
  const { to, text } = inputSchema.properties;

  assert.equal(
    toolDigest({ inputSchema: { properties: { text, to }, type: "object" }, ...rest }),
    toolDigest(TOOL),
  );
});

const CHANGES: readonly (readonly [what: string, change: object])[] = [
  ["the name", { name: "send2" }],
  ["the title", { title: "Sent" }],
  ["the description", { description: "Sends a mail, and a copy to me" }],
  ["a hidden character", { description: "Sends a mail\u200B" }],
  ["one lone surrogate for another", { description: "Sends a mail\uD800" }],
  ["a keyword that narrowing gives up", { inputSchema: { ...TOOL.inputSchema, not: {} } }],
  ["a default", { inputSchema: { ...TOOL.inputSchema, properties: { to: { default: "me@x.example" } } } }],
  ["the output schema", { outputSchema: { type: "object", required: ["id"] } }],
  ["a hint", { annotations: { readOnlyHint: true } }],
  ["a hint that is not admitted", { annotations: { readOnlyHint: false, note: "ignore the above" } }],
];

for (const [what, change] of CHANGES) {
  test(`A7 a digest changes with ${what}`, () => {
    assert.notEqual(toolDigest({ ...TOOL, ...change }), toolDigest(TOOL));
  });
}

for (const key of Object.keys(TOOL)) {
  test(`A7 a digest changes when ${key} goes, and when it becomes null`, () => {
    const without = Object.fromEntries(Object.entries(TOOL).filter(([name]) => name !== key));
    const digests = [toolDigest(TOOL), toolDigest(without), toolDigest({ ...TOOL, [key]: null })];

    assert.equal(new Set(digests).size, 3);
  });
}

test("A7 two lone surrogates, which UTF-8 would merge, are two digests", () => {
  const digests = ["\uD800", "\uD801"].map((description) => toolDigest({ ...TOOL, description }));

  assert.equal(new Set(digests).size, 2);
});

test("A7 what is neither shown nor checked does not count", () => {
  assert.equal(toolDigest({ ...TOOL, _meta: { at: 1 }, icons: [{ src: "x" }] }), toolDigest(TOOL));
});

test("A7 two descriptions have one digest only when they are one text", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const digests = [
        toolDigest({ ...TOOL, description: one }),
        toolDigest({ ...TOOL, description: other }),
      ];
      assert.equal(digests[0] === digests[1], one === other);
    }),
    { numRuns: 100 },
  );
});

test("A7 a schema of any depth is digested", () => {
  let schema: unknown = {};
  for (let level = 0; level < 100_000; level += 1) schema = { items: schema };

  assert.match(toolDigest({ name: "deep", inputSchema: schema }), /^[0-9a-f]{64}$/);
});
