import assert from "node:assert/strict";
import { test } from "node:test";

import { admitPattern, PATTERN_LIMIT } from "../../../src/domain/catalog/pattern.ts";

const KEPT = [
  "^[a-z]+$",
  "^\\p{L}+$",
  "^\\d+[hdw]$",
  "^#[0-9A-Fa-f]{6}$",
  "^[a-zA-Z0-9_.-]+\\.(png|svg|gif)$",
  "^(pid|process|tag)!?=.+$",
  "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  "^[a-z]{1,64}$",
  "^a*|^b*",
  "^(?<year>\\d{4})-(?:0[1-9]|1[0-2])$",
  "^\\u{1F600}?\\x41\\t[\\]\\\\]$",
  "foo|bar",
  "[A-Z]{2}\\d{3}",
  "^x*?y",
  "\\bword\\b",
  "^[a-z]{1,30}-[a-z]{1,30}$",
  "",
];

const UNBOUNDED = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "^a*a*$",
  "^(?:a*){2}$",
  "^(a?){30}a{30}$",
  "a+",
  "[a-z]+$",
  "(?:^|x)a*b",
  "^.{0,200}.{0,200}$",
  "(?:a{1,50}){1,50}",
  "^a{20000}$",
  "[a-z]{1,64}x",
  "(?=a)b",
  "(?!a)b",
  "(?<=a)b",
  "^(a)\\1$",
  "^(?<n>a)\\k<n>$",
];

const INVALID = ["(", "[a", "a{2,1}", "*a", "\\", "^\\-$", "(?<a>x)(?<a>y)", "\\p{Nonsense}", "a**"];

for (const pattern of KEPT) {
  test(`K4 the pattern ${JSON.stringify(pattern)} is linear and stays enforced`, () => {
    assert.deepEqual(admitPattern(pattern), { ok: true, value: pattern });
  });
}

for (const pattern of UNBOUNDED) {
  test(`K4 the pattern ${JSON.stringify(pattern.slice(0, 40))} is given up as unbounded`, () => {
    assert.deepEqual(admitPattern(pattern), { ok: false, refusal: "pattern-unbounded" });
  });
}

for (const pattern of INVALID) {
  test(`K4 the pattern ${JSON.stringify(pattern)} is given up as invalid`, () => {
    assert.deepEqual(admitPattern(pattern), { ok: false, refusal: "pattern-invalid" });
  });
}

test("K4 a pattern that is no text is given up as invalid", () => {
  assert.deepEqual(admitPattern(7), { ok: false, refusal: "pattern-invalid" });
});

test("K4 a pattern of 256 characters is looked at, one of 257 is not", () => {
  const longest = `^${"a".repeat(PATTERN_LIMIT - 1)}`;

  assert.equal(admitPattern(longest).ok, true);
  assert.deepEqual(admitPattern(`${longest}a`), { ok: false, refusal: "pattern-unbounded" });
});

test("K4 groups nested fifty deep in counted repetition are judged without unfolding them", () => {
  const pattern = `^${"(".repeat(45)}${"){9}".repeat(45)}`;

  assert.equal(pattern.length <= PATTERN_LIMIT, true);
  assert.deepEqual(admitPattern(pattern), { ok: false, refusal: "pattern-unbounded" });
});
