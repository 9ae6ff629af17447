import assert from "node:assert/strict";
import { test } from "node:test";

import { profileSchema } from "../../../src/domain/catalog/profile-schema.ts";
import type { JsonObject } from "../../../src/domain/json-value.ts";
import { brokenRules } from "../../kit/profile-checkers.ts";

function strict(schema: JsonObject): { readonly shown: JsonObject; readonly reasons: readonly string[] } {
  const { schema: shown, reasons } = profileSchema({ type: "object", ...schema }, "openai-strict");
  assert.deepEqual(brokenRules("openai-strict", shown), []);
  return { shown, reasons: reasons.map(({ reason, path }) => `${reason} ${path ?? ""}`) };
}

function texts(count: number, length: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(index).padStart(length, "x"));
}

function manyProperties(count: number): JsonObject {
  return Object.fromEntries(texts(count, 5).map((name) => [name, { type: "string" }]));
}

function nested(levels: number, required: readonly string[] = []): JsonObject {
  let schema: JsonObject = { type: "object", properties: { end: { type: "string" } }, required: ["end"] };
  for (let level = 1; level < levels; level += 1)
    schema = { type: "object", properties: { in: schema }, required };
  return schema;
}

for (const [levels, isWhole] of [
  [9, true],
  [10, true],
  [11, false],
  [100, false],
] as const) {
  test(`K4 ${levels} nested objects are ${isWhole ? "shown" : "cut"} in strict mode`, () => {
    const { shown, reasons } = strict(nested(levels));

    assert.equal(JSON.stringify(shown).includes('"end"'), isWhole);
    assert.deepEqual(reasons, isWhole ? [] : [`shown-depth-limit ${"/properties/in".repeat(10)}`]);
  });
}

test("K4 a required property that is too deep is said to make calls impossible", () => {
  const { reasons } = strict(nested(11, ["in"]));

  const path = "/properties/in".repeat(10);
  assert.deepEqual(reasons, [`shown-depth-limit ${path}`, `required-left-out ${path}`]);
});

test("K4 a list whose items are too deep is left out whole", () => {
  const list = { type: "array", items: { type: "object" } };
  let schema: JsonObject = { type: "object", properties: { list } };
  for (let level = 1; level < 9; level += 1) schema = { type: "object", properties: { in: schema } };

  const { shown, reasons } = strict(schema);

  assert.equal(JSON.stringify(shown).includes('"list"'), false);
  assert.deepEqual(reasons, [`shown-depth-limit ${"/properties/in".repeat(8)}/properties/list/items`]);
});

for (const [count, isWhole] of [
  [4999, true],
  [5000, true],
  [5001, false],
] as const) {
  test(`K4 ${count} properties are ${isWhole ? "all" : "not all"} shown in strict mode`, () => {
    const { shown, reasons } = strict({ properties: manyProperties(count) });

    assert.equal(Object.keys(shown["properties"] ?? {}).length, Math.min(count, 5000));
    assert.deepEqual(reasons, isWhole ? [] : ["shown-property-limit /properties/x5000"]);
  });
}

for (const [count, isWhole] of [
  [999, true],
  [1000, true],
  [1001, false],
] as const) {
  test(`K4 ${count} listed values are ${isWhole ? "shown" : "not shown"} in strict mode`, () => {
    const p = { type: "integer", enum: Array.from({ length: count }, (_, index) => index) };

    const { shown, reasons } = strict({ properties: { p }, required: ["p"] });

    assert.deepEqual(shown["properties"], { p: isWhole ? p : { type: "integer" } });
    assert.deepEqual(reasons, isWhole ? [] : ["shown-enum-limit /properties/p/enum"]);
  });
}

for (const [count, length, isWhole] of [
  [250, 100, true],
  [251, 59, true],
  [300, 50, true],
  [300, 51, false],
  [251, 60, false],
] as const) {
  test(`K4 ${count} values of ${length} characters are ${isWhole ? "shown" : "not shown"} in strict mode`, () => {
    const p = { type: "string", enum: texts(count, length) };

    const { reasons } = strict({ properties: { p }, required: ["p"] });

    assert.deepEqual(reasons, isWhole ? [] : ["shown-enum-limit /properties/p/enum"]);
  });
}

for (const [length, reasons] of [
  [119_998, []],
  [119_999, []],
  [120_000, ["shown-text-limit /properties/p/enum"]],
] as const) {
  test(`K4 one name of one character and a value of ${length} are ${reasons.length === 0 ? "shown" : "too long"}`, () => {
    const p = { type: "string", enum: ["x".repeat(length)] };

    assert.deepEqual(strict({ properties: { p }, required: ["p"] }).reasons, reasons);
  });
}

test("K4 names beyond 120,000 characters are left out, and later shorter ones are not", () => {
  const long = "x".repeat(119_990);
  const second = "y".repeat(20);
  const properties = { [long]: {}, [second]: {}, z: { type: "string" } };

  const { shown, reasons } = strict({ properties, required: [long, second, "z"] });

  assert.deepEqual(Object.keys(shown["properties"] ?? {}), [long, "z"]);
  assert.deepEqual(reasons.slice(1), [
    `shown-text-limit /properties/${second}`,
    `required-left-out /properties/${second}`,
  ]);
});

for (const profile of ["openai", "anthropic", "gemini"] as const) {
  test(`K4 ${profile} knows no such limits`, () => {
    const p = { type: "string", enum: texts(1001, 200) };
    const { reasons } = profileSchema({ properties: { ...manyProperties(0), p, in: nested(30) } }, profile);

    assert.deepEqual(reasons, []);
  });
}

for (const profile of ["openai", "openai-strict", "anthropic", "gemini"] as const) {
  test(`K4 a schema of any depth ends for ${profile}, and says where`, () => {
    let schema: JsonObject = { type: "string" };
    for (let depth = 0; depth < 50_000; depth += 1) schema = { anyOf: [schema, { type: "integer" }] };

    const { reasons } = profileSchema({ properties: { p: schema } }, profile);

    assert.ok(reasons.some(({ reason }) => reason === "shown-depth-limit"));
  });

  test(`K4 the work for ${profile} grows with the schema and no faster`, () => {
    let read = 0;
    const counted = (count: number): number => {
      read = 0;
      const properties = new Proxy(manyProperties(count), {
        get: (target, key, receiver) => {
          read += 1;
          return Reflect.get(target, key, receiver);
        },
      });
      profileSchema({ type: "object", properties }, profile);
      return read;
    };
    const [small, large] = [counted(100), counted(1000)];

    assert.ok(small >= 100 && large <= 10 * small + 100, `${small} and ${large} reads`);
  });
}
