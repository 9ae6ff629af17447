import * as fc from "fast-check";

import { isJsonObject } from "../../src/domain/json-value.ts";
import type { JsonObject } from "../../src/domain/json-value.ts";

/** Values that a schema of a profile describes, bounds and patterns aside: what a model would answer. */
export function anyFitting(schema: JsonObject): fc.Arbitrary<unknown> {
  if (Array.isArray(schema["anyOf"])) return oneOf(schema["anyOf"].map((branch) => anyFitting(branch)));
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
  if (Array.isArray(schema["type"]))
    return oneOf(schema["type"].map((type) => anyFitting({ ...schema, type })));
  switch (schema["type"]) {
    case "string":
      return fc.constantFrom("", "a", "ab", "b1");
    case "number":
      return fc.constantFrom(0, 1, 2, 1.5);
    case "integer":
      return fc.constantFrom(0, 1, 2);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(anyFitting(isJsonObject(schema["items"]) ? schema["items"] : {}), { maxLength: 2 });
    case "object":
      return everyProperty(isJsonObject(schema["properties"]) ? schema["properties"] : {});
    default:
      return fc.constant(null);
  }
}

function oneOf(branches: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.oneof(...branches);
}

function everyProperty(properties: JsonObject): fc.Arbitrary<unknown> {
  const entries = Object.entries(properties).map(([key, part]) =>
    anyFitting(isJsonObject(part) ? part : {}).map((value) => [key, value] as const),
  );
  return fc.tuple(...entries).map((pairs) => Object.fromEntries(pairs));
}
