import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { cleanText, TEXT_LIMIT } from "../../../src/domain/catalog/untrusted-text.ts";

const CASES: readonly (readonly [what: string, text: string, cleaned: string, changed: readonly string[]])[] =
  [
    ["plain text", "Adds two numbers.", "Adds two numbers.", []],
    ["newline and tab", "a\n\tb", "a\n\tb", []],
    ["a carriage return", "a\r\nb", "a\nb", ["control-characters"]],
    ["an escape sequence", "a\u001B[31mb\u0007", "a[31mb", ["control-characters"]],
    ["a C1 control", "a\u009Bb", "ab", ["control-characters"]],
    ["a line separator", "a\u2028b", "ab", ["control-characters"]],
    ["a bidi override", "a\u202Eb\u202C", "ab", ["bidi-characters"]],
    ["a bidi isolate", "x\u2066y\u2069", "xy", ["bidi-characters"]],
    ["a zero-width space", "a\u200Bb\uFEFF", "ab", ["invisible-characters"]],
    ["a soft hyphen and a filler", "a\u00ADb\u3164", "ab", ["invisible-characters"]],
    ["tag characters", "ok\u{E0041}\u{E0042}", "ok", ["tag-characters"]],
    ["a run of variation selectors", "a\u{E0100}\u{E0101}\uFE01", "a", ["invisible-characters"]],
    ["a lone surrogate", "a\uD800b", "a\uFFFDb", ["lone-surrogates"]],
    [
      "two halves of a tag character",
      "\uDB40\u200B\uDC41",
      "\uFFFD\uFFFD",
      ["lone-surrogates", "invisible-characters"],
    ],
    ["a noncharacter", "a\uFFFEb", "ab", ["invisible-characters"]],
    ["an emoji with its selector", "\u26A0\uFE0F stop", "\u26A0\uFE0F stop", []],
    ["a keycap", "1\uFE0F\u20E3", "1\uFE0F\u20E3", []],
    ["an emoji sequence", "\u{1F469}\u200D\u{1F4BB}", "\u{1F469}\u200D\u{1F4BB}", []],
    ["two selectors on one emoji", "\u26A0\uFE0F\uFE0F", "\u26A0\uFE0F", ["invisible-characters"]],
    ["a joiner that joins nothing", "\u26A0\u200D.", "\u26A0.", ["invisible-characters"]],
    [
      "everything at once",
      "\u0000\u202E\u200B\u{E0041}\uDC00",
      "\uFFFD",
      ["lone-surrogates", "control-characters", "bidi-characters", "tag-characters", "invisible-characters"],
    ],
  ];

for (const [what, text, cleaned, changed] of CASES) {
  test(`K9 ${what} is ${changed.length === 0 ? "kept" : "cleaned, and said so"}`, () => {
    assert.deepEqual(cleanText(text), { text: cleaned, changed });
  });
}

test("K9 8,192 characters are kept, one more is cut with a note", () => {
  assert.equal(TEXT_LIMIT, 8192);
  assert.deepEqual(cleanText("a".repeat(8192)), { text: "a".repeat(8192), changed: [] });
  assert.deepEqual(cleanText("a".repeat(8193)), { text: "a".repeat(8192), changed: ["cut"] });
});

test("K9 a cut never halves a surrogate pair", () => {
  assert.deepEqual(cleanText(`a\u{1F600}`, 2), { text: "a", changed: ["cut"] });
  assert.deepEqual(cleanText(`a\u{1F600}`, 3), { text: "a\u{1F600}", changed: [] });
});

test("K9 hidden characters do not use up the limit", () => {
  assert.equal(cleanText(`${"\u200B".repeat(9000)}visible`).text, "visible");
});

test("K9 cleaning a cleaned text changes nothing more", () => {
  const hidden = fc.constantFrom(
    "\u0000",
    "\u202E",
    "\u200D",
    "\uFE0F",
    "\u{E0041}",
    "\uDB40",
    "\uDC41",
    "\u26A0",
    "1",
    "\u20E3",
    "a",
  );
  fc.assert(
    fc.property(fc.array(hidden, { maxLength: 12 }), (characters) => {
      const once = cleanText(characters.join("")).text;
      assert.deepEqual(cleanText(once), { text: once, changed: [] });
    }),
    { numRuns: 2000 },
  );
});

test("K9 no character of a hidden kind is overlooked, whatever text it stands in", () => {
  const kinds = [
    /[^\P{Cc}\n\t]/u,
    /[\p{Zl}\p{Zp}\p{Cs}]/u,
    /\p{Bidi_Control}/u,
    /\p{Default_Ignorable_Code_Point}/u,
    /\p{Noncharacter_Code_Point}/u,
    /[\uFFF9-\uFFFB]/u,
  ];
  const overlooked: number[] = [];
  let seen = 0;
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point);
    if (!kinds.some((kind) => kind.test(character))) continue;
    seen += 1;
    if (cleanText(`漢${character}b`).changed.length === 0) overlooked.push(point);
  }

  assert.deepEqual(overlooked, []);
  assert.ok(seen > 6_000);
});
