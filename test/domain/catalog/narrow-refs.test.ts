import assert from "node:assert/strict";
import { test } from "node:test";

import { narrowSchema } from "../../../src/domain/catalog/narrow-schema.ts";

const TEXT = { type: "string" };

function propertyAfter(schema: Record<string, unknown>): unknown {
  const outcome = narrowSchema({ type: "object", ...schema });
  assert.ok(outcome.ok);
  const { properties } = outcome.value.schema;
  assert.ok(typeof properties === "object" && properties !== null && "p" in properties);
  return properties.p;
}

const RESOLVED: readonly (readonly [what: string, schema: Record<string, unknown>])[] = [
  ["a definition", { properties: { p: { $ref: "#/$defs/D" } }, $defs: { D: TEXT } }],
  ["a draft-07 definition", { properties: { p: { $ref: "#/definitions/D" } }, definitions: { D: TEXT } }],
  ["a neighbour", { properties: { p: { $ref: "#/properties/q" }, q: TEXT } }],
  [
    "an item of a list",
    { properties: { p: { $ref: "#/$defs/L/allOf/0" } }, $defs: { L: { allOf: [TEXT] } } },
  ],
  [
    "a name that needs escapes",
    { properties: { p: { $ref: "#/$defs/a~1b~0c%20d" } }, $defs: { "a/b~c d": TEXT } },
  ],
  [
    "a definition named __proto__",
    JSON.parse('{"properties":{"p":{"$ref":"#/$defs/__proto__"}},"$defs":{"__proto__":{"type":"string"}}}'),
  ],
  ["an anchor", { properties: { p: { $ref: "#here" } }, $defs: { D: { $anchor: "here", ...TEXT } } }],
  [
    "the document's own identifier",
    {
      $id: "https://s.example/root.json",
      properties: { p: { $ref: "https://s.example/root.json#/$defs/D" } },
      $defs: { D: TEXT },
    },
  ],
  [
    "a chain of definitions",
    {
      properties: { p: { $ref: "#/$defs/A" } },
      $defs: { A: { $ref: "#/$defs/B" }, B: TEXT },
    },
  ],
  [
    "a definition beside keywords",
    {
      properties: { p: { $ref: "#/$defs/D" } },
      $defs: { D: { $ref: "#/$defs/E", $comment: "c" }, E: TEXT },
    },
  ],
];

for (const [what, schema] of RESOLVED) {
  test(`K4 a reference to ${what} stays enforced`, () => {
    assert.deepEqual(propertyAfter(schema), TEXT);
  });
}

const UNRESOLVED: readonly (readonly [what: string, ref: unknown])[] = [
  ["a definition that is not there", "#/$defs/none"],
  ["what every object inherits", "#/$defs/constructor"],
  ["a broken percent-encoding", "#/$defs/%E0%A4%A"],
  ["an index that is no index", "#/$defs/L/allOf/01"],
  ["an index beyond the list", "#/$defs/L/allOf/1"],
  ["an anchor that is there twice", "#twice"],
  ["a name of 1,025 characters", `#${"a".repeat(1024)}`],
];

for (const [what, ref] of UNRESOLVED) {
  test(`K4 a reference to ${what} becomes anything`, () => {
    const outcome = narrowSchema({
      type: "object",
      properties: { p: { $ref: ref } },
      $defs: { L: { allOf: [TEXT] }, A: { $anchor: "twice", ...TEXT }, B: { $anchor: "twice", ...TEXT } },
    });

    assert.deepEqual(outcome, {
      ok: true,
      value: {
        schema: { type: "object", properties: { p: {} } },
        reasons: [{ reason: "ref-unresolved", path: "/properties/p/$ref" }],
      },
    });
  });
}

test("K4 a reference that is no text becomes anything", () => {
  assert.deepEqual(propertyAfter({ properties: { p: { $ref: 7 } } }), {});
});

test("K4 a fragment is relative to the part with its own identifier", () => {
  const schema = {
    properties: { p: { $ref: "#/$defs/Part/properties/x" } },
    $defs: {
      X: { type: "integer" },
      Part: { $id: "https://s.example/part", properties: { x: { $ref: "#/$defs/X" } }, $defs: { X: TEXT } },
    },
  };

  assert.deepEqual(propertyAfter(schema), TEXT);
});

test("K4 a remote reference that nothing leads to is not looked at", () => {
  assert.deepEqual(
    propertyAfter({ properties: { p: TEXT }, $defs: { D: { $ref: "http://169.254.169.254/" } } }),
    TEXT,
  );
});

test("G13 K4 a recursive pointer without definitions is cut where it would repeat", () => {
  const list = {
    type: "array",
    items: { type: "object", properties: { c: { type: "array", items: { $ref: "#/properties/p/items" } } } },
  };

  assert.deepEqual(propertyAfter({ properties: { p: list } }), {
    type: "array",
    items: { type: "object", properties: { c: { type: "array", items: {} } } },
  });
});

test("K4 draft-04 does not know const, and a numeric bound beside its flag is exclusive", () => {
  const outcome = narrowSchema({
    $schema: "http://json-schema.org/draft-04/schema",
    type: "object",
    properties: {
      p: { const: 1 },
      q: { minimum: 2, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    },
  });

  assert.ok(outcome.ok);
  assert.deepEqual(outcome.value.schema["properties"], { p: {}, q: { maximum: 9, exclusiveMinimum: 2 } });
});

for (const dialect of [
  "http://json-schema.org/draft-04/schema#",
  "http://json-schema.org/draft-06/schema#",
  "http://json-schema.org/draft-07/schema",
  "https://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "https://json-schema.org/draft/2020-12/schema",
]) {
  test(`K4 the dialect ${dialect} is known`, () => {
    assert.equal(narrowSchema({ $schema: dialect, type: "object" }).ok, true);
  });
}
