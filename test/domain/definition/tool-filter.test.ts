import assert from "node:assert/strict";
import { test } from "node:test";

import { isToolAllowed } from "../../../src/domain/definition/tool-filter.ts";

test("D5 without an allow list every tool passes that is not denied", () => {
  const filter = { allow: undefined, deny: ["rm", "write_*"] };

  assert.deepEqual(
    ["ls", "rm", "rmdir", "write_file", "write_"].map((name) => isToolAllowed(filter, name)),
    [true, false, true, false, false],
  );
});

test("D5 an allow list lets only its tools pass, and deny wins", () => {
  const filter = { allow: ["read_*", "ls"], deny: ["read_secret"] };

  assert.deepEqual(
    ["read_file", "read_secret", "ls", "write"].map((name) => isToolAllowed(filter, name)),
    [true, false, true, false],
  );
});

test("D5 an empty allow list lets nothing pass", () => {
  assert.equal(isToolAllowed({ allow: [], deny: [] }, "a"), false);
});

test("D5 a pattern matches the whole name, * any run and ? one character", () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["*", "", true],
    ["*", "anything", true],
    ["a*", "a", true],
    ["a*c", "abbbc", true],
    ["a*c", "abbb", false],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["a", "A", false],
    ["a.c", "abc", false],
    ["[a]", "a", false],
    ["*a*b*", "xxaxxbxx", true],
    ["*a*b*", "xxbxxaxx", false],
    ["**", "x", true],
    ["*?", "x", true],
    ["*?", "", false],
  ];
  for (const [pattern, name, matches] of rows) {
    assert.equal(isToolAllowed({ allow: [pattern], deny: [] }, name), matches, `${pattern} ${name}`);
  }
});

test("D5 a hostile pattern ends within pattern times name steps", () => {
  const pattern = `${"*a".repeat(127)}b`;

  assert.equal(isToolAllowed({ allow: [pattern], deny: [] }, "a".repeat(20_000)), false);
});
