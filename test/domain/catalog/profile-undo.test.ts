import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createSchemaValidator } from "../../../src/adapters/json-schema/validator.ts";
import { narrowSchema } from "../../../src/domain/catalog/narrow-schema.ts";
import { profileSchema } from "../../../src/domain/catalog/profile-schema.ts";
import { isJsonObject } from "../../../src/domain/json-value.ts";
import type { JsonObject } from "../../../src/domain/json-value.ts";
import { objectInstance, plainSchema } from "../../kit/arbitrary-schema.ts";

const TEXT = { type: "string" };
const MAYBE = { anyOf: [{ type: "string" }, { type: "null" }] };
const KINDS = {
  anyOf: [
    { type: "object", properties: { kind: { type: "string", enum: ["a"] }, x: TEXT }, required: ["kind"] },
    {
      type: "object",
      properties: { kind: { type: "string", enum: ["b"] }, y: TEXT, x: MAYBE },
      required: ["kind"],
    },
  ],
};

const ROWS: readonly (readonly [says: string, properties: JsonObject, given: unknown, undone: unknown])[] = [
  ["takes out a null that says absent", { a: TEXT, b: TEXT }, { a: null, b: "x" }, { b: "x" }],
  [
    "keeps a null that the server takes",
    { a: MAYBE, b: {}, c: { type: "null" } },
    { a: null, b: null, c: null },
    undefined,
  ],
  ["keeps a null among listed values", { a: { enum: ["x", null] } }, { a: null }, undefined],
  ["takes out a null that is not among them", { a: { enum: ["x"] } }, { a: null }, {}],
  ["keeps a null of a name it does not know", { a: TEXT }, { z: null }, undefined],
  ["keeps a null of a required property, to be refused", { need: TEXT }, { need: null }, undefined],
  [
    "goes into objects and lists",
    {
      o: {
        type: "object",
        properties: { l: { type: "array", items: { type: "object", properties: { a: TEXT } } } },
      },
    },
    { o: { l: [{ a: null }, { a: "x" }] } },
    { o: { l: [{}, { a: "x" }] } },
  ],
  [
    "goes into maps",
    { o: { type: "object", additionalProperties: { type: "object", properties: { a: TEXT } } } },
    { o: { k: { a: null } } },
    { o: { k: {} } },
  ],
  [
    "goes by the alternative that is meant",
    { o: KINDS },
    { o: { kind: "a", x: null } },
    { o: { kind: "a" } },
  ],
  [
    "keeps a null that one of two alternatives takes",
    { o: { anyOf: [{ properties: { x: TEXT } }, { properties: { x: MAYBE } }] } },
    { o: { x: null } },
    undefined,
  ],
  [
    "goes by the other one",
    { o: KINDS },
    { o: { kind: "b", x: null, y: null } },
    { o: { kind: "b", x: null } },
  ],
  [
    "leaves a text where an object belongs",
    { o: { type: "object", properties: { a: TEXT } } },
    { o: "x" },
    undefined,
  ],
];

for (const [says, properties, given, undone] of ROWS) {
  test(`K5 undoing strict mode ${says}: ${JSON.stringify(given)}`, () => {
    const { undo } = profileSchema({ type: "object", properties, required: ["need"] }, "openai-strict");

    const result = undo(given);

    if (undone === undefined) assert.equal(result, given);
    else assert.deepEqual(result, undone);
  });
}

for (const profile of ["openai", "anthropic", "gemini"] as const) {
  test(`K5 undoing ${profile} leaves nulls and what was not renamed`, () => {
    const given = { a: null, "b-c": 1 };
    const { undo } = profileSchema({ properties: { a: TEXT, "b-c": { type: "integer" } } }, profile);

    assert.equal(undo(given), given);
  });
}

for (const given of [undefined, null, "text", 1, [], [null]]) {
  test(`K5 undoing leaves ${JSON.stringify(given)} for the check`, () => {
    const { undo } = profileSchema({ properties: { a: TEXT } }, "openai-strict");

    assert.equal(undo(given), given);
  });
}

test("K5 renamed properties get their names back, in objects, lists and alternatives", () => {
  const inner = {
    anyOf: [{ type: "object", properties: { "c d": TEXT }, required: ["c d"] }, { type: "null" }],
  };
  const schema = {
    properties: { "a b": { type: "array", items: inner }, plain: TEXT },
    required: ["a b", "e f"],
  };
  for (const profile of ["anthropic", "gemini"] as const) {
    const { schema: shown, undo } = profileSchema(schema, profile);
    const [list = "", , last = ""] = [
      ...Object.keys(shown["properties"] ?? {}),
      ...requiredOf(shown).slice(1),
    ];
    const [deep = ""] = Object.keys(
      profileSchema({ properties: { "c d": TEXT } }, profile).schema["properties"] ?? {},
    );

    const undone = undo({ [list]: [{ [deep]: "x" }, null], plain: "p", [last]: 1 });

    assert.deepEqual(undone, { "a b": [{ "c d": "x" }, null], plain: "p", "e f": 1 });
    assert.notEqual(list, "a b");
  }
});

function requiredOf(schema: JsonObject): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.map(String) : [];
}

test("K5 the replacement of a name is left alone where the server has a property of that name", () => {
  const [name = ""] = Object.keys(
    profileSchema({ properties: { "a b": {} } }, "anthropic").schema["properties"] ?? {},
  );
  const { undo } = profileSchema({ properties: { "a b": TEXT, [name]: TEXT } }, "anthropic");

  assert.deepEqual(undo({ [name]: "x" }), { [name]: "x" });
});

test("K5 arguments that would take half a million steps are left for the check", () => {
  const branch = { type: "object", properties: { a: TEXT } };
  const items = { anyOf: Array.from({ length: 2000 }, () => branch) };
  const { undo } = profileSchema({ properties: { l: { type: "array", items } } }, "openai-strict");
  const few = { l: [{ a: null }] };
  const many = { l: Array.from({ length: 2000 }, () => ({ a: null })) };

  assert.deepEqual(undo(few), { l: [{}] });
  assert.equal(undo(many), many);
});

/** What strict mode makes of a value: a null for everything optional that is not there. */
function filled(value: unknown, schema: JsonObject): unknown {
  const { properties, required } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(properties).map(([key, part]) => {
      if (!Object.hasOwn(value, key)) return [key, null];
      return [key, isJsonObject(part) ? filled(value[key], part) : value[key]];
    }),
  );
  const needs: readonly unknown[] = Array.isArray(required) ? required : [];
  const mayFill = Object.entries(properties).filter(
    ([key, part]) =>
      Object.hasOwn(value, key) || (!needs.includes(key) && JSON.stringify(part).includes('"type"')),
  );
  const kept = new Set(mayFill.map(([key]) => key));
  const rest = Object.entries(value).filter(([key]) => !Object.hasOwn(properties, key));
  return Object.fromEntries([...Object.entries(given).filter(([key]) => kept.has(key)), ...rest]);
}

test("K5 what fits the narrowed schema fits it still after strict mode and undoing it", () => {
  const validator = createSchemaValidator();
  let compared = 0;
  fc.assert(
    fc.property(plainSchema, fc.array(objectInstance, { minLength: 16, maxLength: 16 }), (raw, values) => {
      const narrowed = narrowSchema(raw);
      if (!narrowed.ok) return;
      const { schema } = narrowed.value;
      const { undo } = profileSchema(schema, "openai-strict");
      const check = validator.compile(schema);
      for (const value of values) {
        if (check(value).length > 0) continue;
        const full = filled(value, schema);
        if (JSON.stringify(full) !== JSON.stringify(value)) compared += 1;
        if (check(full).length > 0) assert.deepEqual(check(undo(full)), []);
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(compared > 300, `only ${compared} values had a null put in`);
});
