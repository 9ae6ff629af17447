import assert from "node:assert/strict";
import { test } from "node:test";

import {
  joinArguments,
  parseArguments,
  splitArguments,
} from "../../../src/composition/cli/tool-arguments.ts";

const SCHEMA = {
  type: "object",
  properties: { text: { type: "string" }, count: { type: "number" }, either: { type: ["string", "number"] } },
};

test("M5 an argument is split at its first equals sign", () => {
  assert.deepEqual(splitArguments(["a=b=c", "d="]), {
    ok: true,
    value: [
      { key: "a", text: "b=c" },
      { key: "d", text: "" },
    ],
  });
});

for (const written of [["a"], ["=b"], ["a=1", "a=2"]]) {
  test(`M5 the arguments ${written.join(" ")} are refused`, () => {
    assert.equal(splitArguments(written).ok, false);
  });
}

const VALUES: readonly (readonly [key: string, text: string, value: unknown])[] = [
  ["count", "3", 3],
  ["count", "three", "three"],
  ["other", "true", true],
  ["other", "[1]", [1]],
  ["other", '"quoted"', "quoted"],
  ["other", "plain text", "plain text"],
  ["other", "", ""],
  ["either", "3", 3],
  ["text", "3", "3"],
  ["text", "true", "true"],
  ["text", '"quoted"', '"quoted"'],
];

for (const [key, text, value] of VALUES) {
  test(`K5 --arg ${key}=${text} becomes ${JSON.stringify(value)}`, () => {
    assert.deepEqual(joinArguments({}, [{ key, text }], SCHEMA), { ok: true, value: { [key]: value } });
  });
}

test("K5 single arguments join the JSON, a key named __proto__ like any other", () => {
  const joined = joinArguments({ a: 1 }, [{ key: "__proto__", text: "2" }], undefined);

  assert.ok(joined.ok);
  assert.deepEqual(Object.entries(joined.value as object), [
    ["a", 1],
    ["__proto__", 2],
  ]);
});

test("M5 an argument that is in the JSON too is refused, and so is one beside JSON that is no object", () => {
  assert.equal(joinArguments({ a: 1 }, [{ key: "a", text: "2" }], undefined).ok, false);
  assert.equal(joinArguments([1], [{ key: "a", text: "2" }], undefined).ok, false);
});

test("K5 without single arguments the JSON stays what it is, for the tool's schema to judge", () => {
  assert.deepEqual(joinArguments([1], [], undefined), { ok: true, value: [1] });
});

test("D17 broken JSON is refused without a word of it", () => {
  const parsed = parseArguments('{"token": canary');

  assert.ok(!parsed.ok);
  assert.match(parsed.refusal, /not valid JSON; .* --arg KEY=VALUE$/);
  assert.doesNotMatch(parsed.refusal, /canary|token/);
});
