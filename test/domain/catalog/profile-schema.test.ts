import assert from "node:assert/strict";
import { test } from "node:test";

import type { SchemaProfile } from "../../../src/domain/catalog/profile-rules.ts";
import { profileSchema } from "../../../src/domain/catalog/profile-schema.ts";
import type { JsonObject } from "../../../src/domain/json-value.ts";

/** What is shown of one property `p`, and every reason with its place. */
function shownProperty(
  profile: SchemaProfile,
  schema: JsonObject,
  required: readonly string[] = ["p"],
): readonly [unknown, readonly string[]] {
  const { schema: shown, reasons } = profileSchema(
    { type: "object", properties: { p: schema }, required },
    profile,
  );
  const properties = shown["properties"];
  const property =
    typeof properties === "object" && properties !== null && "p" in properties ? properties.p : undefined;
  return [property, reasons.map(({ reason, path }) => `${reason} ${path}`)];
}

const CLOSED = { properties: {}, required: [], additionalProperties: false };
const ANY_STRICT = {
  anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "null" }],
};
const ANY_GEMINI = {
  anyOf: [{ type: "string", nullable: true }, { type: "number" }, { type: "boolean" }],
};

const ROWS: readonly (readonly [
  says: string,
  profile: SchemaProfile,
  schema: JsonObject,
  shown: unknown,
  reasons: readonly string[],
])[] = [
  ["keeps all of the subset", "openai", { type: "string", minLength: 1, format: "uri" }, undefined, []],
  ["keeps alternatives", "anthropic", { anyOf: [{ type: "string" }, { type: "null" }] }, undefined, []],
  ["keeps a value of any kind", "openai", {}, undefined, []],
  ["drops a reference", "anthropic", { $ref: "#/$defs/a" }, {}, ["keyword-not-taken /properties/p/$ref"]],
  [
    "drops the length of a text",
    "openai-strict",
    { type: "string", minLength: 1, maxLength: 2, pattern: "^a" },
    { type: "string", pattern: "^a" },
    ["keyword-not-taken /properties/p/minLength", "keyword-not-taken /properties/p/maxLength"],
  ],
  ["keeps a format on its list", "openai-strict", { type: "string", format: "uuid" }, undefined, []],
  [
    "drops another format",
    "openai-strict",
    { type: "string", format: "uri" },
    { type: "string" },
    ["keyword-not-taken /properties/p/format"],
  ],
  [
    "drops a default",
    "openai-strict",
    { type: "integer", default: 1, exclusiveMinimum: 0 },
    { type: "integer", exclusiveMinimum: 0 },
    ["keyword-not-taken /properties/p/default"],
  ],
  ["shows any value as plain ones", "openai-strict", {}, ANY_STRICT, ["any-value /properties/p"]],
  [
    "closes a free object",
    "openai-strict",
    { type: "object" },
    { type: "object", ...CLOSED },
    ["additional-closed /properties/p/additionalProperties"],
  ],
  [
    "closes a map",
    "openai-strict",
    { type: "object", additionalProperties: { type: "string" } },
    { type: "object", ...CLOSED },
    ["additional-closed /properties/p/additionalProperties"],
  ],
  ["says nothing of a closed one", "openai-strict", { type: "object", ...CLOSED }, undefined, []],
  [
    "gives mixed values their types",
    "openai-strict",
    { enum: ["a", 1, null], description: "d" },
    {
      description: "d",
      anyOf: [{ type: "string", enum: ["a"] }, { type: "integer", enum: [1] }, { type: "null" }],
    },
    [],
  ],
  [
    "leaves out values that are objects",
    "openai-strict",
    { enum: [{}, "a"] },
    { type: "string", enum: ["a"] },
    ["enum-values /properties/p/enum"],
  ],
  [
    "pushes a type into alternatives",
    "openai-strict",
    { type: "string", anyOf: [{ pattern: "^a" }, { pattern: "^b" }, { type: "null" }] },
    {
      anyOf: [
        { pattern: "^a", type: "string" },
        { pattern: "^b", type: "string" },
      ],
    },
    [],
  ],
  [
    "drops alternatives beside properties",
    "openai-strict",
    {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
    ["keyword-not-taken /properties/p/anyOf"],
  ],
  [
    "drops the alternative that says nothing",
    "openai-strict",
    { anyOf: [{ type: "string" }, {}] },
    { type: "string" },
    ["any-value /properties/p/anyOf/1"],
  ],
  [
    "says so where none of the listed values can be",
    "openai-strict",
    { type: "null", enum: [1] },
    { type: "null" },
    ["enum-values /properties/p/enum"],
  ],
  [
    "reports a place once, whatever the types it is shown as",
    "openai-strict",
    { minimum: 1, pattern: "^a", format: "uri" },
    {
      anyOf: [
        { type: "string", pattern: "^a" },
        { type: "number", minimum: 1 },
      ],
    },
    ["any-value /properties/p", "keyword-not-taken /properties/p/format"],
  ],
  [
    "shows what keywords talk about",
    "openai-strict",
    { minimum: 1, items: { type: "string" } },
    {
      anyOf: [
        { type: "array", items: { type: "string" } },
        { type: "number", minimum: 1 },
      ],
    },
    ["any-value /properties/p"],
  ],
  [
    "marks null",
    "gemini",
    { anyOf: [{ type: "string" }, { type: "null" }], description: "d", title: "t" },
    { type: "string", nullable: true, description: "d", title: "t" },
    [],
  ],
  [
    "keeps both descriptions of one",
    "gemini",
    {
      anyOf: [{ type: "string", description: "inner", title: "lost" }, { type: "null" }],
      description: "d",
      title: "t",
    },
    { type: "string", nullable: true, description: "d\ninner", title: "t" },
    ["keyword-not-taken /properties/p/title"],
  ],
  [
    "lets alternatives stand alone",
    "gemini",
    { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }], description: "d" },
    { anyOf: [{ type: "string", nullable: true, description: "d" }, { type: "integer" }] },
    [],
  ],
  ["shows any value as plain ones", "gemini", {}, ANY_GEMINI, ["any-value /properties/p"]],
  [
    "shows the items of any list",
    "gemini",
    { type: "array", items: {} },
    { type: "array", items: ANY_GEMINI },
    ["any-value /properties/p/items"],
  ],
  ["keeps a value that is only null", "gemini", { type: "null" }, undefined, []],
  [
    "lists texts alone",
    "gemini",
    { type: "integer", enum: [1, 2] },
    { type: "integer" },
    ["enum-values /properties/p/enum"],
  ],
  [
    "lists no empty text",
    "gemini",
    { type: "string", enum: ["", "a"] },
    { type: "string", enum: ["a"] },
    ["enum-values /properties/p/enum"],
  ],
  ["keeps its formats", "gemini", { type: "string", format: "date-time" }, undefined, []],
  [
    "drops the format of another type",
    "gemini",
    { type: "integer", format: "date-time" },
    { type: "integer" },
    ["keyword-not-taken /properties/p/format"],
  ],
  [
    "names the next whole number",
    "gemini",
    { type: "integer", exclusiveMinimum: 0, minimum: -5, exclusiveMaximum: 10 },
    { type: "integer", minimum: 1, maximum: 9 },
    [],
  ],
  [
    "lets in the bound of other numbers",
    "gemini",
    { type: "number", exclusiveMinimum: 0.5, exclusiveMaximum: 2 },
    { type: "number", minimum: 0.5, maximum: 2 },
    ["bound-widened /properties/p/exclusiveMinimum", "bound-widened /properties/p/exclusiveMaximum"],
  ],
  [
    "drops steps and the word on other properties",
    "gemini",
    { type: "object", properties: { a: { type: "number", multipleOf: 2 } }, additionalProperties: false },
    { type: "object", properties: { a: { type: "number" } } },
    [
      "keyword-not-taken /properties/p/properties/a/multipleOf",
      "keyword-not-taken /properties/p/additionalProperties",
    ],
  ],
  [
    "shows what is required and not described",
    "gemini",
    { type: "object", required: ["a"] },
    { type: "object", properties: { a: ANY_GEMINI }, required: ["a"] },
    ["any-value /properties/p/properties/a"],
  ],
];

for (const [says, profile, schema, shown, reasons] of ROWS) {
  test(`K4 ${profile} ${says}: ${JSON.stringify(schema)}`, () => {
    assert.deepEqual(shownProperty(profile, schema), [shown ?? schema, reasons]);
  });
}

const OPTIONAL: readonly (readonly [says: string, schema: JsonObject, shown: unknown])[] = [
  ["a type of two", { type: "string", description: "d" }, { type: ["string", "null"], description: "d" }],
  [
    "an alternative to listed values",
    { type: "string", enum: ["a"], title: "t" },
    { title: "t", anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
  ],
  [
    "an alternative to an object",
    { type: "object", ...CLOSED },
    { anyOf: [{ type: "object", ...CLOSED }, { type: "null" }] },
  ],
  [
    "one more alternative",
    { anyOf: [{ type: "string" }, { type: "integer" }] },
    { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
  ],
  [
    "nothing where it was there",
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
  ],
];

for (const [says, schema, shown] of OPTIONAL) {
  test(`K4 openai-strict makes an optional property required, null being ${says}`, () => {
    assert.deepEqual(shownProperty("openai-strict", schema, []), [shown, []]);
  });
}

test("K4 a name that anthropic does not take is replaced by its harmless part and a hash, and so is it in required", () => {
  const schema = {
    type: "object",
    properties: { "a[b]": { type: "string" }, "a.b": {} },
    required: ["a[b]"],
  };

  const { schema: shown, reasons } = profileSchema(schema, "anthropic");

  assert.deepEqual(shown, {
    type: "object",
    properties: { a_b__186b75a3: { type: "string" }, "a.b": {} },
    required: ["a_b__186b75a3"],
  });
  assert.deepEqual(reasons, [{ reason: "property-renamed", path: "/properties/a[b]" }]);
});

for (const [profile, name, isTaken] of [
  ["anthropic", "x".repeat(64), true],
  ["anthropic", "x".repeat(65), false],
  ["anthropic", "", false],
  ["anthropic", "a-b.c_1", true],
  ["gemini", "x".repeat(64), true],
  ["gemini", "x".repeat(65), false],
  ["gemini", "a-b", false],
  ["gemini", "1a", false],
  ["gemini", "_a1", true],
  ["openai", "a b", true],
] as const) {
  test(`K4 ${profile} ${isTaken ? "takes" : "renames"} a property of ${name.length} characters: ${name}`, () => {
    const { schema: shown } = profileSchema({ properties: { [name]: { type: "string" } } }, profile);

    const [key = ""] = Object.keys(shown["properties"] ?? {});
    assert.equal(key === name, isTaken);
    assert.ok(profile === "openai" || /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(key) || key === name, key);
  });
}

for (const profile of ["anthropic", "gemini"] as const) {
  test(`K4 ${profile} does not see a property whose replacement is the name of another`, () => {
    const taken = Object.keys(
      profileSchema({ properties: { "a b": {} } }, profile).schema["properties"] ?? {},
    );
    const [name = ""] = taken;
    const [text, number] = [{ type: "string" }, { type: "integer" }];

    for (const properties of [
      { "a b": text, [name]: number },
      { [name]: number, "a b": text },
    ]) {
      const { schema: shown, reasons } = profileSchema({ properties }, profile);
      assert.deepEqual(shown["properties"], { [name]: number });
      assert.deepEqual(reasons, [{ reason: "property-clash", path: "/properties/a b" }]);
    }
  });
}

test("K4 what anthropic and openai refuse at the root is left out there alone", () => {
  const inner = { anyOf: [{ enum: ["a"] }, { type: "null" }] };
  const schema = { type: "object", properties: { inner }, anyOf: [{ required: ["inner"] }], enum: [{}] };

  for (const profile of ["anthropic", "openai"] as const) {
    const { schema: shown, reasons } = profileSchema(schema, profile);
    assert.deepEqual(shown, { type: "object", properties: { inner } });
    assert.deepEqual(reasons, [
      { reason: "keyword-not-taken", path: "/anyOf" },
      { reason: "keyword-not-taken", path: "/enum" },
    ]);
  }
});

test("K4 at most 100 places are reported, and that there are more", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`p${index}`, { type: "string", minLength: 1 }]),
  );

  const { reasons } = profileSchema({ properties }, "openai-strict");

  assert.equal(reasons.length, 101);
  assert.deepEqual(reasons.at(-1), { reason: "more-reasons" });
});

test("K4 a property __proto__ is a property like any other", () => {
  const properties: JsonObject = JSON.parse('{ "__proto__": { "type": "string" } }');

  const { schema: shown } = profileSchema({ properties, required: ["__proto__"] }, "openai-strict");

  assert.equal(JSON.stringify(shown["properties"]), '{"__proto__":{"type":"string"}}');
});

test("K4 a profile that there is not is a mistake of the caller", () => {
  // @ts-expect-error -- what a caller without types may write
  assert.throws(() => profileSchema({}, "toString"), TypeError);
});
