import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeCallResult } from "../../../src/domain/catalog/content.ts";
import { resultText } from "../../../src/domain/catalog/result-text.ts";
import { readSpilledText, spilledResult, spilledText } from "../../../src/domain/catalog/spilled-result.ts";

const TOOL = { name: "s__big", serverId: "s", sourceName: "big" };
const REFERENCE = "0123456789abcdef0123456789abcdef";

test("K7 nothing is lost: what is kept decodes to the very result, hidden characters and unknown blocks included", () => {
  const raw = {
    isError: true,
    content: [
      { type: "text", text: "a\u202Eb\uD800\r\n" },
      { type: "image", mimeType: "image/png", data: "AAEC" },
      { type: "video", later: { x: null } },
      { type: "text" },
    ],
    structuredContent: null,
    _meta: { "x/y": 1 },
  };

  const kept = readSpilledText(spilledText(TOOL, raw));

  assert.deepEqual(kept, { tool: "s__big", serverId: "s", sourceName: "big", result: decodeCallResult(raw) });
});

for (const text of [
  "",
  "{",
  "null",
  "[]",
  "{}",
  '{"version":1}',
  '{"version":2,"tool":"t","server":"s","sourceName":"n"}',
]) {
  test(`K7 ${JSON.stringify(text)} is not what was kept`, () => {
    assert.equal(readSpilledText(text), undefined);
  });
}

test("K7 a result of any depth is kept and read back", () => {
  let value: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) value = [value];

  const text = spilledText(TOOL, { content: [], structuredContent: value });

  assert.notEqual(readSpilledText(text)?.result.structured, undefined);
});

test("K7 in the place of a kept result stand its beginning, its size, its reference and what it said of itself", () => {
  const raw = { isError: true, content: [{ type: "text", text: "abc".repeat(10_000) }] };

  const result = spilledResult(decodeCallResult(raw), { raw, reference: REFERENCE });

  assert.deepEqual(result, {
    isError: true,
    parts: [{ type: "text", text: "abc".repeat(667).slice(0, 2_000) }],
    structured: undefined,
    diagnostics: ["result-spilled"],
    spilled: { reference: REFERENCE, chars: JSON.stringify(raw).length },
    mismatches: [],
  });
});

test("K7 the preview is cleaned, and names media by type and size", () => {
  const raw = {
    content: [
      { type: "text", text: "a\u202Eb" },
      { type: "image", mimeType: "image/png", data: "AAEC".repeat(10_000) },
    ],
  };

  const { parts } = spilledResult(decodeCallResult(raw), { raw, reference: REFERENCE });

  assert.deepEqual(parts, [{ type: "text", text: "ab\n[image left out: image/png, 30000 bytes]" }]);
});

test("K7 the text of a kept result ends with its size and its reference", () => {
  const raw = { content: [{ type: "text", text: "x".repeat(30_000) }] };

  const text = resultText(spilledResult(decodeCallResult(raw), { raw, reference: REFERENCE }));

  assert.equal(
    text.slice(2_000),
    `\n[the result is cut here; all ${JSON.stringify(raw).length} characters of it are kept as ${REFERENCE}]`,
  );
});
