import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { catalogName, mayBeNamed } from "../../../src/domain/catalog/tool-name.ts";

const SUFFIXED = /_[0-9a-f]{8}$/;

test("K3 a plain server and tool join to <server>__<tool>", () => {
  assert.equal(catalogName("github", "tool", "create_issue"), "github__create_issue");
  assert.equal(catalogName("a-b_c", "prompt", "D-9"), "a-b_c__D-9");
});

const LOSSY: readonly (readonly [what: string, server: string, source: string])[] = [
  ["a replaced character", "srv", "read file"],
  ["a replaced character of the server", "my server", "read"],
  ["two underscores in the server", "a__b", "c"],
  ["two underscores in the tool", "a", "b__c"],
  ["an underscore before the seam", "a_", "b"],
  ["an underscore after the seam", "a", "_b"],
  ["an empty tool", "a", ""],
  ["an empty server", "", "a"],
];

for (const [what, server, source] of LOSSY) {
  test(`K3 ${what} appends eight hex digits`, () => {
    const name = catalogName(server, "tool", source);

    assert.match(name, SUFFIXED);
    assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
  });
}

test("K3 every way to blur the seam gives another name", () => {
  const names = [
    catalogName("a_", "tool", "b"),
    catalogName("a", "tool", "_b"),
    catalogName("a__", "tool", "b"),
    catalogName("a", "tool", "__b"),
    catalogName("a__b", "tool", "c"),
    catalogName("a", "tool", "b__c"),
    catalogName("a", "tool", "b"),
  ];

  assert.equal(new Set(names).size, names.length);
});

test("K3 a name of exactly 64 characters is plain, one of 65 keeps its server and is suffixed", () => {
  const server = "s".repeat(30);

  assert.equal(catalogName(server, "tool", "t".repeat(32)), `${server}__${"t".repeat(32)}`);
  const cut = catalogName(server, "tool", "t".repeat(33));
  assert.equal(cut.length, 64);
  assert.match(cut, /^s{30}__t{23}_[0-9a-f]{8}$/);
});

test("K3 a server of 128 characters leaves 13 characters to the tool", () => {
  const name = catalogName("s".repeat(128), "tool", "t".repeat(40));

  assert.match(name, /^s{40}__t{13}_[0-9a-f]{8}$/);
});

test("K3 a short tool leaves a long server more than 40 characters", () => {
  assert.match(catalogName("s".repeat(128), "tool", "run"), /^s{50}__run_[0-9a-f]{8}$/);
});

test("K3 the kind is part of what is hashed", () => {
  assert.notEqual(catalogName("a", "tool", "x y"), catalogName("a", "prompt", "x y"));
});

test("K3 a name does not change between versions", () => {
  /* sha256('["srv","tool","read file"]'), first 8 digits: a host may have stored it. */
  assert.equal(catalogName("srv", "tool", "read file"), "srv__read_file_1c70f082");
});

test("K3 names that differ only in case stay apart", () => {
  assert.notEqual(catalogName("a", "tool", "Get"), catalogName("a", "tool", "get"));
});

const seams = fc.stringMatching(/^[_a]{0,6}$/);
const part = fc.oneof(
  { weight: 3, arbitrary: seams },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-c_-]{0,80}$/) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 90 }) },
);
const pair = fc.tuple(part, part);

test("K3 names are injective, in the alphabet and at most 64 characters", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(pair, { minLength: 2, maxLength: 40, selector: (one) => JSON.stringify(one) }),
      (pairs) => {
        const names = pairs.map(([server, source]) => catalogName(server, "tool", source));
        for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
        assert.equal(new Set(names).size, pairs.length);
      },
    ),
    { numRuns: 500 },
  );
});

test("K3 a name may always be of the server that it was made for", () => {
  fc.assert(
    fc.property(fc.tuple(fc.oneof(part, fc.string({ maxLength: 140 })), part), ([server, source]) => {
      assert.equal(mayBeNamed(catalogName(server, "tool", source), server), true);
    }),
    { numRuns: 500 },
  );
});

test("K3 a name is not of a server that it does not begin with", () => {
  assert.equal(mayBeNamed("github__create", "git"), false);
  assert.equal(mayBeNamed("github__create", "gitlab"), false);
  assert.equal(mayBeNamed(catalogName("s".repeat(128), "tool", "run"), `${"s".repeat(39)}t`), false);
});
