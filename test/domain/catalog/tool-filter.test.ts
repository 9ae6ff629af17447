import assert from "node:assert/strict";
import { test } from "node:test";

import { matchesGlob, passesFilter } from "../../../src/domain/catalog/tool-filter.ts";

const GLOBS: readonly (readonly [glob: string, text: string, matches: boolean])[] = [
  ["read", "read", true],
  ["read", "read_file", false],
  ["read*", "read_file", true],
  ["*file", "read_file", true],
  ["*e*f*", "read_file", true],
  ["r?ad", "read", true],
  ["r?ad", "rad", false],
  ["*", "", true],
  ["?", "", false],
  ["", "", true],
  ["", "a", false],
  ["a*b*c", "aXbXbXc", true],
  ["a*b*c", "aXcXb", false],
  ["?", "\u{1F600}", true],
  ["[ab]", "a", false],
  [".*", "anything", false],
  ["**a", "bba", true],
  ["a*", "a", true],
  ["a?c", "ac", false],
  ["a", "A", false],
  ["a.c", "abc", false],
  ["*a*b*", "xxbxxaxx", false],
  ["*?", "x", true],
  ["*?", "", false],
];

for (const [glob, text, matches] of GLOBS) {
  test(`D5 the glob ${JSON.stringify(glob)} ${matches ? "matches" : "does not match"} ${JSON.stringify(text)}`, () => {
    assert.equal(matchesGlob(glob, text), matches);
  });
}

test("D5 without lists every tool passes", () => {
  assert.equal(passesFilter({ allow: undefined, deny: [] }, "anything"), true);
});

test("D5 an empty allow list lets nothing pass", () => {
  assert.equal(passesFilter({ allow: [], deny: [] }, "anything"), false);
});

test("D5 deny wins over allow", () => {
  const filter = { allow: ["read_*"], deny: ["*_secret"] };

  assert.equal(passesFilter(filter, "read_file"), true);
  assert.equal(passesFilter(filter, "read_secret"), false);
  assert.equal(passesFilter(filter, "write_file"), false);
});

test("D5 a glob made of stars is matched in the product of the lengths", () => {
  assert.equal(matchesGlob(`${"*a".repeat(500)}b`, "a".repeat(1000)), false);
});
