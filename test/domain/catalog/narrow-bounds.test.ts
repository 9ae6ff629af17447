import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { narrowSchema } from "../../../src/domain/catalog/narrow-schema.ts";
import type { NarrowedSchema } from "../../../src/domain/catalog/narrow-schema.ts";

const OPEN = { type: "string" };

function narrow(schema: unknown, limits: Parameters<typeof narrowSchema>[1] = {}): NarrowedSchema {
  const outcome = narrowSchema(schema, limits);
  assert.ok(outcome.ok);
  return outcome.value;
}

function reasonsOf(schema: unknown, limits: Parameters<typeof narrowSchema>[1] = {}): readonly string[] {
  return narrow(schema, limits).reasons.map(({ reason }) => reason);
}

function many(count: number): unknown {
  const properties = Array.from({ length: count }, (_, index) => [`p${index}`, true]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

function nested(depth: number): unknown {
  let schema: unknown = OPEN;
  for (let level = 0; level < depth; level += 1) schema = { type: "object", properties: { n: schema } };
  return schema;
}

test("K4 a schema as deep as the bound is kept, one deeper is cut to anything", () => {
  const limits = { limits: { depth: 3 } };

  assert.deepEqual(narrow(nested(3), limits), { schema: nested(3), reasons: [] });
  assert.deepEqual(reasonsOf(nested(4), limits), ["depth-limit"]);
  assert.match(JSON.stringify(narrow(nested(4), limits).schema), /"n":\{\}/);
});

test("K4 a schema nested 100,000 deep ends at the depth bound", () => {
  assert.deepEqual(reasonsOf(nested(100_000)), ["depth-limit"]);
});

test("K4 as many schemas as the bound are kept, the next becomes anything and stays named", () => {
  const schema = { type: "object", properties: { a: OPEN, b: OPEN }, required: ["b"] };

  assert.deepEqual(reasonsOf(schema, { limits: { nodes: 3 } }), []);
  assert.deepEqual(narrow(schema, { limits: { nodes: 2 } }), {
    schema: { type: "object", properties: { a: OPEN, b: {} }, required: ["b"] },
    reasons: [{ reason: "node-limit", path: "/properties/b" }],
  });
});

test("K4 an enum of as many values as the bound is kept, one more is given up", () => {
  const schema = { type: "object", properties: { e: { enum: [1, 2, 3] } } };

  assert.deepEqual(reasonsOf(schema, { limits: { enumValues: 3 } }), []);
  assert.deepEqual(reasonsOf(schema, { limits: { enumValues: 2 } }), ["enum-limit"]);
});

test("K4 an enum value nested too deep to write is given up", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];

  assert.deepEqual(reasonsOf({ type: "object", properties: { e: { enum: [deep] } } }), ["enum-limit"]);
  assert.deepEqual(reasonsOf({ type: "object", properties: { e: { const: deep } } }), ["enum-limit"]);
  assert.deepEqual(reasonsOf({ type: "object", properties: { e: { default: deep } } }), ["default-dropped"]);
});

test("K4 a reference bomb stays within a multiple of its own size", () => {
  const file = join(import.meta.dirname, "../../fixtures/schemas/059-ref-bomb.json");
  const { inputSchema }: { inputSchema: unknown } = JSON.parse(readFileSync(file, "utf8"));

  const narrowed = narrow(inputSchema);

  assert.ok(JSON.stringify(narrowed.schema).length < 16 * JSON.stringify(inputSchema).length);
  assert.ok(narrowed.reasons.some(({ reason }) => reason === "expansion-limit"));
});

test("K4 repeating a long description or enum by reference uses up the budget", () => {
  const long = { type: "string", description: "d".repeat(8000), enum: Array.from({ length: 500 }, String) };
  const refs = Array.from({ length: 1000 }, (_, index) => [`p${index}`, { $ref: "#/$defs/D" }]);
  const schema = { type: "object", properties: Object.fromEntries(refs), $defs: { D: long } };

  const narrowed = narrow(schema);

  assert.ok(JSON.stringify(narrowed.schema).length < 16 * JSON.stringify(schema).length);
  assert.ok(narrowed.reasons.some(({ reason }) => reason === "expansion-limit"));
});

test("K4 a chain of 10,000 references ends at the depth bound", () => {
  const links = Array.from({ length: 10_000 }, (_, index) => [
    `d${index}`,
    { $ref: `#/$defs/d${index + 1}` },
  ]);
  const schema = {
    type: "object",
    properties: { p: { $ref: "#/$defs/d0" } },
    $defs: Object.fromEntries(links),
  };

  assert.deepEqual(reasonsOf(schema), ["depth-limit"]);
});

test("K4 a cyclic object ends where it meets itself", () => {
  const cyclic: Record<string, unknown> = { type: "object" };
  cyclic["properties"] = { self: cyclic };

  assert.deepEqual(narrow(cyclic), {
    schema: { type: "object", properties: { self: {} } },
    reasons: [{ reason: "ref-recursive", path: "/properties/self" }],
  });
});

test("K4 a hundred reasons are listed, and the next one says that there are more", () => {
  assert.equal(narrow(many(100)).reasons.length, 100);
  const more = narrow(many(200)).reasons;
  assert.equal(more.length, 101);
  assert.deepEqual(more.at(-1), { reason: "more-reasons" });
});

test("K4 a place given up is reported once, however often it is referred to", () => {
  const schema = {
    type: "object",
    properties: { a: { $ref: "#/$defs/D" }, b: { $ref: "#/$defs/D" } },
    $defs: { D: { not: {} } },
  };

  assert.deepEqual(narrow(schema).reasons, [{ reason: "keyword-unsupported", path: "/$defs/D/not" }]);
});

test("K9 a reported place shows no hidden characters of the server, and is cut", () => {
  const [reason] = narrow({ type: "object", properties: { [`\u202Ea/~${"b".repeat(9000)}`]: true } }).reasons;

  assert.equal(reason?.path?.startsWith("/properties/a~1~0b"), true);
  assert.equal(reason?.path?.length, 512);
});
