import assert from "node:assert/strict";
import { test } from "node:test";

import { isServerName } from "../../src/domain/names.ts";

test("D2 a name has 1 to 128 characters", () => {
  assert.equal(isServerName(""), false);
  assert.equal(isServerName("a"), true);
  assert.equal(isServerName("a".repeat(127)), true);
  assert.equal(isServerName("a".repeat(128)), true);
  assert.equal(isServerName("a".repeat(129)), false);
});

test("D2 a character outside the basic plane counts once", () => {
  assert.equal(isServerName("𝒜".repeat(128)), true);
  assert.equal(isServerName("𝒜".repeat(129)), false);
});

test("D2 plain names are accepted in any script, with spaces and signs", () => {
  for (const name of [
    "github",
    "my server",
    "Ünïcode",
    "服务器",
    "a.b/c:d@e",
    "🚀",
    "-",
    "__proto__",
    "constructor",
  ]) {
    assert.equal(isServerName(name), true, name);
  }
});

test("D2 control, format, bidi, surrogate and invisible characters are refused", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["NUL", "a\0"],
    ["line feed", "a\nb"],
    ["escape", "\u001b[31m"],
    ["delete", "a\u007f"],
    ["C1 control", "a\u0085"],
    ["zero width space", "a\u200b"],
    ["zero width joiner", "a\u200db"],
    ["right-to-left override", "a\u202eb"],
    ["right-to-left isolate", "\u2067a"],
    ["byte order mark", "\ufeffa"],
    ["soft hyphen", "a\u00adb"],
    ["tag", "a\u{e0041}"],
    ["variation selector", "a\ufe0f"],
    ["Hangul filler", "\u3164"],
    ["line separator", "a\u2028b"],
    ["unpaired surrogate", "a\ud800"],
    ["private use", "a\ue000"],
  ];
  for (const [what, name] of rows) assert.equal(isServerName(name), false, what);
});

test("D2 a name of white space alone is refused", () => {
  for (const name of [" ", "   ", "\u00a0", "\u3000 ", "\u2800"]) {
    assert.equal(isServerName(name), false, JSON.stringify(name));
  }
});
