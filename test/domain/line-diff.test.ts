import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { diffLines } from "../../src/domain/line-diff.ts";

function marks(before: string, after: string): readonly string[] {
  const signs = { same: " ", removed: "-", added: "+" };
  return diffLines(before, after).map(({ mark, text }) => signs[mark] + text);
}

const ROWS: readonly (readonly [before: string, after: string, lines: readonly string[]])[] = [
  ["a\nb", "a\nb", [" a", " b"]],
  ["a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
  ["a\nc", "a\nb\nc", [" a", "+b", " c"]],
  ["a\nb\nc", "a\nc", [" a", "-b", " c"]],
  ["a\na", "a", [" a", "-a"]],
  ["b\na\nc", "c\na\nb", ["-b", "-a", " c", "+a", "+b"]],
  ["", "x", ["-", "+x"]],
];

for (const [before, after, lines] of ROWS) {
  test(`A7 ${JSON.stringify(before)} and ${JSON.stringify(after)} are compared line by line`, () => {
    assert.deepEqual(marks(before, after), lines);
  });
}

test("A7 a comparison holds both texts, whole and in order", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (mark: string): string =>
        lines
          .filter((line) => line.mark !== mark)
          .map((line) => line.text)
          .join("\n");
      assert.deepEqual([without("added"), without("removed")], [before, after]);
    }),
    { numRuns: 300 },
  );
});

test("A7 texts of many lines that share nothing are replaced as a whole, at once", () => {
  const before = Array.from({ length: 8_000 }, (_, index) => `a${index}`).join("\n");
  const after = Array.from({ length: 8_000 }, (_, index) => `b${index}`).join("\n");

  assert.equal(diffLines(before, after).length, 16_000);
});
