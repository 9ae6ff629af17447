import assert from "node:assert/strict";
import { test } from "node:test";

import { buildServerCatalog } from "../../../src/domain/catalog/build-server-catalog.ts";
import { readResultSize, resultLimit, weighResult } from "../../../src/domain/catalog/result-size.ts";

const KEY = "anthropic/maxResultSizeChars";

for (const asked of [25_001, 25_002, 100_000, 499_999, 500_000]) {
  test(`K7 a tool may ask for ${asked} characters`, () => {
    assert.equal(readResultSize({ [KEY]: asked }), asked);
  });
}

for (const asked of [
  25_000,
  24_999,
  500_001,
  0,
  -1,
  30_000.5,
  Number.NaN,
  Infinity,
  "30000",
  null,
  true,
  [30_000],
  {},
]) {
  test(`K7 what a tool asks with ${JSON.stringify(asked)} (${typeof asked}) is ignored`, () => {
    assert.equal(readResultSize({ [KEY]: asked }), "ignored");
  });
}

for (const meta of [
  undefined,
  null,
  [],
  "x",
  {},
  { maxResultSizeChars: 100_000 },
  { [KEY.toUpperCase()]: 1 },
]) {
  test(`K7 a definition with the _meta ${JSON.stringify(meta)} asks for nothing`, () => {
    assert.equal(readResultSize(meta), undefined);
  });
}

test("K7 what is asked stands on the tool, and what is ignored among the reasons, in its place", () => {
  const tool = (name: string, chars: unknown) => ({
    name,
    inputSchema: { type: "object" },
    _meta: { [KEY]: chars },
  });

  const { tools } = buildServerCatalog({ serverId: "s", tools: [tool("more", 30_000), tool("most", 1e9)] });

  assert.deepEqual(
    tools.map(({ resultSizeChars, reasons, bucket }) => [resultSizeChars, reasons, bucket]),
    [
      [30_000, [], "adopted"],
      [undefined, [{ reason: "result-size-ignored", path: `/_meta/${KEY.replace("/", "~1")}` }], "adapted"],
    ],
  );
});

for (const [resultSizeChars, limit] of [
  [30_000, 30_000],
  [500_000, 500_000],
  [500_001, 25_000],
  [1, 25_000],
] as const) {
  test(`K7 the limit of a tool that holds ${resultSizeChars} is ${limit}`, () => {
    assert.equal(resultLimit({ resultSizeChars }), limit);
  });
}

/** An envelope of exactly so many characters of JSON. */
function envelope(chars: number): object {
  const empty = JSON.stringify({ content: [{ type: "text", text: "" }] }).length;
  return { content: [{ type: "text", text: "x".repeat(chars - empty) }] };
}

for (const [chars, weight] of [
  [9_999, "fits"],
  [10_000, "fits"],
  [10_001, "large"],
  [24_999, "large"],
  [25_000, "large"],
  [25_001, "too-large"],
] as const) {
  test(`K7 an envelope of ${chars} characters is ${weight}`, () => {
    assert.equal(weighResult(envelope(chars), 25_000), weight);
  });
}

for (const [what, raw] of [
  ["base64", { content: [{ type: "image", mimeType: "image/png", data: "A".repeat(26_000) }] }],
  ["structured content", { content: [], structuredContent: { a: "x".repeat(26_000) } }],
  ["a key", { content: [], structuredContent: { ["k".repeat(26_000)]: 1 } }],
  ["numbers", { content: [], structuredContent: Array.from({ length: 13_000 }, () => 7) }],
  ["_meta", { content: [], _meta: { a: "x".repeat(26_000) } }],
  ["an unknown block", { content: [{ type: "video", data: "x".repeat(26_000) }] }],
] as const) {
  test(`K7 ${what} counts like text`, () => {
    assert.equal(weighResult(raw, 25_000), "too-large");
  });
}

test("K7 all parts share one budget", () => {
  const block = { type: "text", text: "x".repeat(9_000) };

  assert.equal(weighResult({ content: [block, block, block] }, 25_000), "too-large");
});

test("K7 a result of any depth is weighed", () => {
  let value: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) value = [value];

  assert.equal(weighResult({ content: [], structuredContent: value }, 25_000), "too-large");
});
