import * as fc from "fast-check";

/** Random JSON Schemas over a few names and values, so that random instances meet them often. */

const NAMES = ["a", "b", "__proto__"] as const;
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;

const name = fc.constantFrom(...NAMES);
const scalar: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  2,
  1.5,
  "",
  "a",
  "ab",
  "b1",
);

/** JSON values of the kind that {@link anySchema} talks about. */
export const instance: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
    { weight: 2, arbitrary: objectOf(tie("value")) },
  ),
})).value;

export const objectInstance: fc.Arbitrary<Record<string, unknown>> = objectOf(instance);

function objectOf<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  return fc
    .uniqueArray(fc.tuple(name, value), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries));
}

const type = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...TYPES) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }) },
);

const ref = fc.constantFrom(
  "#/$defs/A",
  "#/$defs/B",
  "#/$defs/C",
  "#",
  "#/properties/a",
  "#/$defs/none",
  "#anchor",
);

function keywordsOver(schema: fc.Arbitrary<unknown>): Record<string, fc.Arbitrary<unknown>> {
  const some = fc.array(schema, { minLength: 1, maxLength: 3 });
  const count = fc.integer({ min: 0, max: 2 });
  return {
    type,
    enum: fc.array(fc.oneof(scalar, instance), { minLength: 1, maxLength: 3 }),
    const: instance,
    minimum: count,
    maximum: count,
    exclusiveMinimum: count,
    multipleOf: fc.constantFrom(1, 0.5, 2),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom("^a", "^[ab]+$", "b\\d", "(a+)+$"),
    items: schema,
    prefixItems: some,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    contains: schema,
    properties: objectOf(schema),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.constant<unknown>(false), schema),
    patternProperties: schema.map((value) => ({ "^b": value })),
    propertyNames: schema,
    minProperties: count,
    maxProperties: count,
    dependentRequired: fc.constant({ a: ["b"] }),
    anyOf: some,
    oneOf: some,
    allOf: some,
    not: schema,
    if: schema,
    else: schema,
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; nobody awaits this record
    then: schema,
    unevaluatedProperties: schema,
    $ref: ref,
    title: fc.constant("t"),
    default: scalar,
  };
}

const { schema: nested } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 2, arbitrary: fc.record({ type }) },
    { weight: 6, arbitrary: fewOf(keywordsOver(tie("schema"))) },
  ),
}));

/* All keywords optional and few at a time: a schema of thirty keywords accepts nothing. */
function fewOf(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(keywords).map(([key, value]) => value.map((made) => [key, made] as const));
  return fc
    .uniqueArray(fc.oneof(...entries), { minLength: 1, maxLength: 4, selector: ([key]) => key })
    .map((chosen) => Object.fromEntries(chosen));
}

/** A schema of any kind, with definitions that it may refer to, in a cycle too. */
const wildSchema: fc.Arbitrary<Record<string, unknown>> = fc
  .record({
    root: fewOf(keywordsOver(nested)),
    definitions: fc.record({ A: nested, B: nested, C: nested }),
    anchored: fc.boolean(),
  })
  .map(({ root, definitions, anchored }) => {
    const anchor = anchored ? { D: { $anchor: "anchor", type: "string" } } : {};
    return Object.assign(root, { $defs: Object.assign(definitions, anchor) });
  });

/* Small parts that many instances fit, so that what becomes too strict in putting them together is met. */
const leaf = fc.constantFrom<unknown>(
  { type: "string" },
  { type: "number" },
  { type: ["integer", "null"] },
  { minimum: 1 },
  { maximum: 1 },
  { enum: [1, "a", null] },
  { items: { type: "string" } },
  { prefixItems: [{ type: "string" }, { type: "number" }] },
  { prefixItems: [{ type: "string" }], items: { type: "number" } },
  { items: [{ type: "string" }] },
  true,
  false,
  {},
);
const part = fewOf({
  properties: objectOf(leaf),
  required: fc.constantFrom(["a"], ["b"]),
  additionalProperties: leaf,
  patternProperties: leaf.map((schema) => ({ "^b": schema })),
  minProperties: fc.constant(1),
});
const parts = fc.array(part, { minLength: 1, maxLength: 3 });

/** Object schemas put together of small parts by every combinator. */
const joinedSchema: fc.Arbitrary<Record<string, unknown>> = fewOf({
  properties: objectOf(leaf),
  additionalProperties: leaf,
  patternProperties: leaf.map((schema) => ({ "^b": schema })),
  allOf: parts,
  anyOf: parts,
  oneOf: parts,
  $ref: fc.constantFrom("#/$defs/A", "#/$defs/B"),
}).chain((root) =>
  fc
    .record({ A: part, B: fc.record({ anyOf: parts }) })
    .map((definitions) => Object.assign(root, { $defs: definitions })),
);

export const anySchema: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  { weight: 1, arbitrary: wildSchema },
  { weight: 3, arbitrary: joinedSchema },
);

const PLAIN: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "multipleOf",
  "minLength",
  "maxLength",
  "items",
  "minItems",
  "maxItems",
  "properties",
  "required",
  "additionalProperties",
  "anyOf",
  "$ref",
]);

/** An object schema made only of what the universal subset can say, mostly. */
export const plainSchema: fc.Arbitrary<Record<string, unknown>> = fc
  .letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 1, arbitrary: fc.record({ type: fc.constantFrom(...TYPES) }) },
      { weight: 2, arbitrary: fewOf(plainKeywords(tie("schema"))) },
    ),
  }))
  .schema.chain((schema) =>
    fc.record({
      type: fc.constant("object"),
      properties: objectOf(fc.constant(schema)),
      required: fc.uniqueArray(name, { maxLength: 1 }),
      additionalProperties: fc.constantFrom<unknown>(false, true, schema),
      $defs: fc.constant({
        A: { type: "string" },
        B: { enum: [1, "a"] },
        C: { type: "object", required: ["a"] },
      }),
    }),
  );

function plainKeywords(schema: fc.Arbitrary<unknown>): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(keywordsOver(schema)).filter(([key]) => PLAIN.has(key)));
}
