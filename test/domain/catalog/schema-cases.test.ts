import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { createSchemaValidator } from "../../../src/adapters/json-schema/validator.ts";
import { buildCatalog, buildServerCatalog } from "../../../src/domain/catalog/build.ts";
import type { CatalogTool } from "../../../src/domain/catalog/catalog.ts";

/** Every tool of test/fixtures/schemas with what has to become of it. */
interface Expected {
  /** The fault in public hosts that this case is the smallest input of. */
  readonly fault?: string;
  /** Reasons with their places in the item; left out: the tool is adopted. */
  readonly reasons?: readonly string[];
  /** Why the tool is quarantined; then nothing else counts. */
  readonly rejected?: string;
  /** The narrowed properties. */
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly accepts?: readonly unknown[];
  readonly refuses?: readonly unknown[];
}

const folder = join(import.meta.dirname, "../../fixtures/schemas");
const validator = createSchemaValidator();
const text = { type: "string" };
const alone = { properties: {} };

const CASES: Readonly<Record<string, Expected>> = {
  "001-root-anyof": {
    fault: "G1",
    reasons: ["root-combinator /inputSchema/anyOf"],
    properties: { a: text, b: text },
    accepts: [{ a: "x" }, { b: "x" }],
    refuses: [{ a: 1 }],
  },
  "002-root-anyof-only": {
    fault: "G1",
    reasons: ["root-combinator /inputSchema/anyOf"],
    properties: { text: { anyOf: [text, {}] }, url: { anyOf: [text, {}] }, id: { anyOf: [text, {}] } },
    accepts: [{ text: "t" }, { url: "u", text: 5 }],
  },
  "004-root-allof-if-then": {
    fault: "G2",
    reasons: ["all-of-merged /inputSchema/allOf", "conditional /inputSchema/allOf/0/if"],
    properties: { mode: { enum: ["big", "small"] }, n: { type: "integer" } },
    refuses: [{ mode: "middle" }, { n: 1.5 }],
  },
  "005-root-not": { reasons: ["keyword-unsupported /inputSchema/not"], properties: { a: text, b: text } },
  "007-allof-ref": {
    fault: "G4",
    reasons: ["all-of-merged /inputSchema/allOf"],
    properties: { id: text, title: text },
    required: ["id"],
    refuses: [{ title: "t" }, { id: 1 }],
  },
  "008-ref-siblings": {
    properties: { k: { description: "kind", default: "a", type: "string", enum: ["a", "b"] } },
    refuses: [{ k: "c" }],
  },
  "010-recursive-defs": {
    fault: "G13",
    reasons: ["ref-recursive /inputSchema/$defs/N/properties/kids/items/$ref"],
    properties: { root: { type: "object", properties: { v: text, kids: { type: "array", items: {} } } } },
    accepts: [{ root: { v: "a", kids: [{ v: "b", kids: [] }] } }],
    refuses: [{ root: { v: 1 } }, { root: { kids: "none" } }],
  },
  "011-recursive-root": {
    reasons: ["ref-recursive /inputSchema/properties/child/$ref"],
    properties: { child: {}, v: { type: "integer" } },
    accepts: [{ child: { child: { v: 1 } } }],
  },
  "013-ref-self-loop": { fault: "G13", rejected: "ref-loop" },
  "014-ref-mutual-loop": { rejected: "ref-loop" },
  "016-ref-remote": { rejected: "ref-remote" },
  "017-ref-file": { rejected: "ref-remote" },
  "019-dynamic-anchor": {
    reasons: ["ref-dynamic /inputSchema/properties/kid/$dynamicRef"],
    properties: { kid: {} },
  },
  "020-type-null-union": {
    reasons: ["type-union /inputSchema/properties/s/type", "type-union /inputSchema/properties/f/type"],
    properties: {
      s: { anyOf: [text, { type: "null" }] },
      f: { anyOf: [{ type: "boolean" }, { type: "null" }] },
    },
    accepts: [
      { s: null, f: null },
      { s: "a", f: true },
    ],
    refuses: [{ s: 1 }, { f: "a" }],
  },
  "022-type-multi": {
    reasons: ["type-union /inputSchema/properties/v/type"],
    properties: { v: { anyOf: [{ type: "array", items: text }, text, { type: "number" }] } },
    accepts: [{ v: ["a"] }, { v: "a" }, { v: 1.5 }],
    refuses: [{ v: [1] }, { v: true }],
  },
  "023-bool-schemas": {
    reasons: [
      "boolean-schema /inputSchema/properties/any",
      "boolean-schema /inputSchema/properties/never",
      "false-property /inputSchema/properties/never",
      "boolean-schema /inputSchema/properties/list/items",
    ],
    properties: { any: {}, list: { type: "array", maxItems: 0, items: {} } },
    accepts: [{ any: [1], list: [] }],
    refuses: [{ list: [1] }],
  },
  "025-inputschema-empty": { fault: "G10", reasons: ["root-type-missing /inputSchema/type"], ...alone },
  "026-inputschema-array": { fault: "G10", reasons: ["schema-empty-array /inputSchema"], ...alone },
  "028-inputschema-null": { reasons: ["schema-missing /inputSchema"], ...alone },
  "029-properties-array": { fault: "G10", reasons: ["properties-array /inputSchema/properties"], ...alone },
  "031-root-type-array": {
    reasons: ["type-union /inputSchema/type", "root-type-union /inputSchema/type"],
    properties: { a: text },
  },
  "032-root-type-string": { rejected: "root-not-object" },
  "034-array-no-items": {
    properties: { v: { anyOf: [{ type: "array", items: {} }, text] } },
    accepts: [{ v: [1] }, { v: "a" }],
    refuses: [{ v: 1 }],
  },
  "035-props-on-string": {
    fault: "G11",
    reasons: [
      "idle-keyword /inputSchema/properties/data/properties",
      "idle-keyword /inputSchema/properties/data/required",
    ],
    properties: { data: text },
    accepts: [{ data: "a" }],
  },
  "037-draft04-declared": {
    fault: "G17",
    reasons: ["exclusive-bound /inputSchema/properties/p/exclusiveMaximum"],
    properties: { p: { type: "number", exclusiveMaximum: 1 } },
    accepts: [{ p: 0.9 }],
    refuses: [{ p: 1 }],
  },
  "038-draft07-declared": {
    reasons: [
      "tuple /inputSchema/properties/xy/items",
      "boolean-schema /inputSchema/properties/xy/additionalItems",
    ],
    properties: { xy: { type: "array", maxItems: 2, items: { type: "number" } } },
    accepts: [{ xy: [1, 2] }, { xy: [] }],
    refuses: [{ xy: [1, 2, 3] }, { xy: ["a"] }],
  },
  "040-id-relative-base": { rejected: "ref-remote" },
  "041-required-unknown": {
    reasons: ["required-duplicate /inputSchema/required"],
    properties: { a: text },
    required: ["a", "ghost"],
    refuses: [{ a: "x" }],
  },
  "043-enum-mixed": {
    properties: { e: { enum: ["a", 1, null, true] } },
    accepts: [{ e: null }, { e: 1 }],
    refuses: [{ e: 2 }],
  },
  "044-enum-empty": { reasons: ["enum-empty /inputSchema/properties/e/enum"], properties: { e: {} } },
  "046-default-wrong-type": {
    properties: { n: { default: "5", type: "integer" } },
    accepts: [{}],
    refuses: [{ n: "5" }],
  },
  "047-pattern-redos": {
    reasons: ["pattern-unbounded /inputSchema/properties/s/pattern"],
    properties: { s: text },
    accepts: [{ s: `${"a".repeat(40)}!` }],
  },
  "049-pattern-unicode": {
    properties: { s: { type: "string", pattern: "^\\p{L}+$" } },
    accepts: [{ s: "\u043a\u043b" }],
    refuses: [{ s: "1" }],
  },
  "050-format-unknown": {
    properties: { p: { type: "string", format: "phone-ish" } },
    accepts: [{ p: "anything" }],
  },
  "052-property-names-odd": {
    properties: {
      "a.b": text,
      "filter[x]": text,
      $top: { type: "integer" },
      "with space": text,
      "\u043a\u043b\u044e\u0447": text,
      "": text,
    },
    refuses: [{ "filter[x]": 1 }, { "": 1 }],
  },
  "053-property-proto": {
    properties: JSON.parse(
      '{"__proto__":{"type":"object","properties":{"polluted":{"enum":[true]}}},"constructor":{"type":"string"},"toString":{"type":"string"}}',
    ),
    accepts: [{}, JSON.parse('{"__proto__":{"polluted":true}}')],
    refuses: [JSON.parse('{"__proto__":{"polluted":false}}'), { constructor: 1 }],
  },
  "055-unevaluated": {
    reasons: ["keyword-unsupported /inputSchema/unevaluatedProperties", "all-of-merged /inputSchema/allOf"],
    properties: { b: text, a: text },
  },
  "056-dependent": {
    reasons: [
      "keyword-unsupported /inputSchema/dependentRequired",
      "keyword-unsupported /inputSchema/dependentSchemas",
    ],
    properties: { a: text, b: text },
    accepts: [{ a: "x" }],
  },
  "058-wide-2000": { accepts: [{ p1999: "x" }], refuses: [{ p1999: 1 }] },
  "061-desc-200k": { reasons: ["text-cut /description"], ...alone },
  "062-desc-hidden": {
    fault: "G19",
    reasons: ["text-cleaned /description", "text-cleaned /inputSchema/properties/a/description"],
    properties: { a: { description: "xy", type: "number" } },
  },
  "064-name-65": { fault: "G5", reasons: ["name-altered /name"], ...alone },
  "065-name-60-prefix": { fault: "G5", reasons: ["name-altered /name"], ...alone },
  "067-name-empty": { rejected: "name-empty" },
  "068-name-proto": { reasons: ["name-altered /name"], ...alone },
  "070-name-duplicate": { fault: "G7", rejected: "duplicate" },
  "071-name-case": alone,
  "073-output-array": { reasons: ["output-schema-dropped /outputSchema"], ...alone },
  "074-output-strict": alone,
  "076-extra-fields": { reasons: ["task-required /execution"], ...alone },
};

/* Its expectation is a bound, not a schema: see narrow-bounds.test.ts. */
const ELSEWHERE = ["059-ref-bomb"];

function build(file: string): ReturnType<typeof buildServerCatalog> {
  const document: unknown = JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8"));
  return buildServerCatalog({ serverId: "case", tools: Array.isArray(document) ? document : [document] });
}

test("K4 every schema case has its expectation", () => {
  const files = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));

  assert.deepEqual(files.toSorted(), [...Object.keys(CASES), ...ELSEWHERE].toSorted());
});

for (const [file, expected] of Object.entries(CASES)) {
  const { rejected, fault } = expected;
  const ids = fault === undefined ? "K2 K4" : `${fault} K2 K4`;
  if (rejected !== undefined) {
    test(`${ids} the case ${file} is quarantined as ${rejected}`, () => {
      const server = build(file);

      assert.deepEqual(server.tools, []);
      assert.deepEqual(
        server.rejected.map((item) => item.reason),
        server.rejected.map(() => rejected),
      );
      assert.equal(server.rejected.length > 0, true);
    });
    continue;
  }
  test(`${ids} the case ${file} is ${expected.reasons === undefined ? "adopted" : "adapted"}`, () => {
    const server = build(file);

    assert.deepEqual(server.rejected, []);
    assert.equal(buildCatalog([server]).tools.size, server.tools.length);
    for (const tool of server.tools) assertTool(tool, expected);
  });
}

function assertTool(tool: CatalogTool, expected: Expected): void {
  const reasons = tool.reasons.map(({ reason, path }) => `${reason} ${path ?? ""}`);
  assert.deepEqual(reasons, expected.reasons ?? []);
  assert.equal(tool.bucket, expected.reasons === undefined ? "adopted" : "adapted");
  assert.equal(tool.inputSchema["type"], "object");
  if (expected.properties !== undefined)
    assert.deepEqual(tool.inputSchema["properties"], expected.properties);
  assert.deepEqual(tool.inputSchema["required"], expected.required);
  const check = validator.compile(tool.inputSchema);
  for (const value of expected.accepts ?? []) assert.deepEqual(check(value), []);
  for (const value of expected.refuses ?? []) assert.notDeepEqual(check(value), []);
}
