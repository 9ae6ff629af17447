import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { escapeForDisplay, escapeUrlForDisplay } from "../../src/domain/display-text.ts";

test("D16 control, bidi, format and look-alike space characters are shown escaped", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["a\nb", "a\\u{a}b"],
    ["\u001b[2J", "\\u{1b}[2J"],
    ["a\u202eb", "a\\u{202e}b"],
    ["a\u200bb", "a\\u{200b}b"],
    ["a\u00a0b", "a\\u{a0}b"],
    ["\u{e0041}", "\\u{e0041}"],
    ["\ud800", "\\u{d800}"],
    ["\u2028", "\\u{2028}"],
  ];
  for (const [text, shown] of rows) assert.equal(escapeForDisplay(text), shown);
});

test("D16 readable text of any script is shown as it is", () => {
  for (const text of ["C:\\Program Files\\x", "größe 服务器", "a b", "🚀"]) {
    assert.equal(escapeForDisplay(text), text);
  }
});

test("D16 a URL shows every non-ASCII letter escaped, so that look-alikes are seen", () => {
  assert.equal(escapeUrlForDisplay("https://ex\u0430mple.com/"), "https://ex\\u{430}mple.com/");
});

test("D16 two different texts are never shown alike", () => {
  const nasty = fc.string({
    unit: fc.constantFrom("\\", "u", "{", "}", "a", "5", "c", "\n", "\u202e", "\ud800", "0"),
    maxLength: 12,
  });
  fc.assert(
    fc.property(nasty, nasty, (a, b) => (a === b) === (escapeForDisplay(a) === escapeForDisplay(b))),
    { numRuns: 2_000 },
  );
});
