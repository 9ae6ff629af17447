import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeForm } from "../../../src/domain/elicitation/decode-form.ts";
import type { FormReason } from "../../../src/domain/elicitation/refusal.ts";

function paramsOf(properties: Record<string, unknown>, more: Record<string, unknown> = {}): unknown {
  return { message: "Who?", requestedSchema: { type: "object", properties, ...more } };
}

function fieldOf(schema: unknown): unknown {
  const form = decodeForm(paramsOf({ f: schema }));
  return form.ok ? form.value.fields[0] : form.refusal;
}

test("C7 a form is read with its message, its fields in order, and what is required", () => {
  const params = paramsOf(
    {
      name: {
        type: "string",
        title: "Name",
        description: "Yours",
        minLength: 1,
        maxLength: 9,
        default: "Ada",
      },
      mail: { type: "string", format: "email" },
      age: { type: "integer", minimum: 0, maximum: 150, default: 30 },
      score: { type: "number" },
      sure: { type: "boolean", default: false },
    },
    { required: ["name", "sure"] },
  );

  assert.deepEqual(decodeForm(params), {
    ok: true,
    value: {
      message: "Who?",
      fields: [
        {
          type: "text",
          name: "name",
          required: true,
          title: "Name",
          description: "Yours",
          minLength: 1,
          maxLength: 9,
          default: "Ada",
        },
        { type: "text", name: "mail", required: false, format: "email" },
        { type: "integer", name: "age", required: false, minimum: 0, maximum: 150, default: 30 },
        { type: "number", name: "score", required: false },
        { type: "boolean", name: "sure", required: true, default: false },
      ],
    },
  });
});

test("C7 a form without fields, and one that names its mode, are forms", () => {
  assert.deepEqual(decodeForm({ ...Object(paramsOf({})), mode: "form" }), {
    ok: true,
    value: { message: "Who?", fields: [] },
  });
});

const A_AND_B = [
  { value: "a", title: "a" },
  { value: "b", title: "b" },
];
const TITLED = [
  { value: "a", title: "First" },
  { value: "b", title: "Second" },
];
const CONSTANTS = TITLED.map(({ value, title }) => ({ const: value, title }));

for (const [what, schema, field] of [
  ["an enum", { type: "string", enum: ["a", "b"] }, { type: "choice", options: A_AND_B }],
  ["titled constants", { type: "string", oneOf: CONSTANTS }, { type: "choice", options: TITLED }],
  [
    "an enum with names",
    { type: "string", enum: ["a", "b"], enumNames: ["First", "Second"] },
    { type: "choice", options: TITLED },
  ],
  [
    "an enum with too few names",
    { type: "string", enum: ["a", "b"], enumNames: ["First"] },
    { type: "choice", options: A_AND_B },
  ],
  [
    "an array over an enum",
    { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2, default: ["b"] },
    { type: "choices", options: A_AND_B, minItems: 1, maxItems: 2, default: ["b"] },
  ],
  [
    "an array over titled constants",
    { type: "array", items: { anyOf: CONSTANTS } },
    { type: "choices", options: TITLED },
  ],
] as const) {
  test(`C7 ${what} is a choice as SEP-1330 says`, () => {
    assert.deepEqual(fieldOf(schema), { name: "f", required: false, ...field });
  });
}

test("C7 texts of a form lose what cannot be seen, and a title without anything else", () => {
  const properties = { f: { type: "string", title: "\u200B\u202E", description: "a\u202Eb\u{E0041}" } };
  const form = decodeForm({ message: "pay\u202E me", requestedSchema: { type: "object", properties } });

  assert.deepEqual(form, {
    ok: true,
    value: {
      message: "pay me",
      fields: [{ type: "text", name: "f", required: false, description: "ab" }],
    },
  });
});

test("C7 two options that differ in what cannot be seen do not look the same", () => {
  assert.deepEqual(fieldOf({ type: "string", enum: ["a", "a\u200B"] }), {
    name: "f",
    required: false,
    type: "choice",
    options: [
      { value: "a", title: "a" },
      { value: "a\u200B", title: "a\\u{200b}" },
    ],
  });
});

for (const [what, schema] of [
  ["of another type", { type: "integer", default: "7" }],
  ["out of bounds", { type: "integer", maximum: 6, default: 7 }],
  ["that is no option", { type: "string", enum: ["a"], default: "b" }],
  ["with a hidden character", { type: "string", default: "a\u202Eb" }],
] as const) {
  test(`C7 a default ${what} is left out`, () => {
    assert.equal(Object.hasOwn(Object(fieldOf(schema)), "default"), false);
  });
}

test("C7 a property __proto__ is a field like any other", () => {
  const form = decodeForm(
    JSON.parse(
      '{"message":"","requestedSchema":{"type":"object","properties":{"__proto__":{"type":"boolean"}}}}',
    ),
  );

  assert.deepEqual(form, {
    ok: true,
    value: { message: "", fields: [{ type: "boolean", name: "__proto__", required: false }] },
  });
});

const OPTION = { type: "string", enum: ["a"] };

for (const [what, params, reason] of [
  ["no object", 7, "form-malformed"],
  ["URL mode", { mode: "url", message: "", url: "javascript:alert(1)", elicitationId: "1" }, "url-mode"],
  ["another mode", { ...Object(paramsOf({})), mode: "iframe" }, "form-malformed"],
  ["no message", { requestedSchema: { type: "object", properties: {} } }, "form-malformed"],
  ["no schema", { message: "" }, "form-malformed"],
  ["a schema that is no object's", paramsOf({}, { type: "string" }), "form-malformed"],
  ["no properties", { message: "", requestedSchema: { type: "object" } }, "form-malformed"],
  ["a required that is no list", paramsOf({}, { required: "f" }), "form-malformed"],
  ["a required field that is not there", paramsOf({}, { required: ["f"] }), "form-malformed"],
  ["a field that is no object", paramsOf({ f: null }), "form-malformed"],
  ["a nested object", paramsOf({ f: { type: "object", properties: {} } }), "form-malformed"],
  ["a field of two types", paramsOf({ f: { type: ["string", "null"] } }), "form-malformed"],
  ["a title that is no text", paramsOf({ f: { type: "string", title: 7 } }), "form-malformed"],
  ["an empty choice", paramsOf({ f: { type: "string", enum: [] } }), "form-malformed"],
  ["a choice of one thing twice", paramsOf({ f: { type: "string", enum: ["a", "a"] } }), "form-malformed"],
  ["an option that is no text", paramsOf({ f: { type: "string", enum: [7] } }), "form-malformed"],
  ["a constant that is no object", paramsOf({ f: { type: "string", oneOf: ["a"] } }), "form-malformed"],
  ["an array of anything", paramsOf({ f: { type: "array", items: { type: "string" } } }), "form-malformed"],
  ["an array without items", paramsOf({ f: { type: "array" } }), "form-malformed"],
  [
    "more choices than options",
    paramsOf({ f: { type: "array", items: OPTION, minItems: 2 } }),
    "form-malformed",
  ],
  [
    "lengths that nothing has",
    paramsOf({ f: { type: "string", minLength: 2, maxLength: 1 } }),
    "form-malformed",
  ],
  ["a length below nothing", paramsOf({ f: { type: "string", minLength: -1 } }), "form-malformed"],
  ["bounds that nothing has", paramsOf({ f: { type: "number", minimum: 2, maximum: 1 } }), "form-malformed"],
  ["a bound that is no number", paramsOf({ f: { type: "number", minimum: "0" } }), "form-malformed"],
] satisfies [string, unknown, FormReason][]) {
  test(`C7 a form with ${what} is refused`, () => {
    assert.deepEqual(decodeForm(params), { ok: false, refusal: reason });
  });
}

function fields(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: "boolean" }]));
}

function options(count: number): unknown {
  return { type: "string", enum: Array.from({ length: count }, (_, index) => `${index}`) };
}

for (const [bound, limit, build] of [
  ["fields", 64, (count: number) => paramsOf(fields(count))],
  ["options", 512, (count: number) => paramsOf({ f: options(count) })],
  [
    "characters of a message",
    8_192,
    (count: number) => ({ ...Object(paramsOf({})), message: "m".repeat(count) }),
  ],
  [
    "characters of a field's name",
    128,
    (count: number) => paramsOf({ ["n".repeat(count)]: { type: "boolean" } }),
  ],
  [
    "characters of a title",
    256,
    (count: number) => paramsOf({ f: { type: "boolean", title: "t".repeat(count) } }),
  ],
  [
    "characters of a description",
    2_048,
    (count: number) => paramsOf({ f: { type: "boolean", description: "d".repeat(count) } }),
  ],
  [
    "characters of an option",
    1_024,
    (count: number) => paramsOf({ f: { type: "string", enum: ["o".repeat(count)] } }),
  ],
  [
    "characters of an option's title",
    256,
    (count: number) => paramsOf({ f: { type: "string", oneOf: [{ const: "a", title: "o".repeat(count) }] } }),
  ],
] as const) {
  test(`C7 a form may have ${limit} ${bound}, and no more`, () => {
    assert.equal(decodeForm(build(limit - 1)).ok, true);
    assert.equal(decodeForm(build(limit)).ok, true);
    assert.deepEqual(decodeForm(build(limit + 1)), { ok: false, refusal: "form-too-large" });
  });
}

test("C7 more required names than a form has fields are refused unread", () => {
  const required = Array.from({ length: 65 }, () => "f0");
  assert.deepEqual(decodeForm(paramsOf(fields(1), { required })), { ok: false, refusal: "form-too-large" });
});
