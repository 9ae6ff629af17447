import { validate } from "@cfworker/json-schema";
import type { Schema } from "@cfworker/json-schema";

import { measureJson } from "../../domain/json-value.ts";
import type { SchemaMismatch } from "../../domain/catalog/refusal.ts";
import type { CompiledSchema, SchemaValidator } from "../../ports/schema-validator.ts";
import { mismatchesFrom } from "./mismatch.ts";
import { subsetOf } from "./subset.ts";
import type { Subset } from "./subset.ts";

/* A value deeper than this is data nobody described; the check would recurse as deep. */
const DEPTH_LIMIT = 128;
/* Values times schemas: the most comparisons one check may cost, about two seconds. */
const COMPARISON_LIMIT = 5_000_000;
const VALUE_LIMIT = 500_000;
/* Text that a pattern may have to look at: its work is at most 100 steps a character (domain/catalog/pattern). */
const PATTERN_TEXT_LIMIT = 1_048_576;
/* Up to here every mismatch is looked for; above, the first one has to do. */
const THOROUGH_LIMIT = 2_000;

/**
 * Creates the validator on `@cfworker/json-schema`, an interpreter: no generated code, nothing fetched.
 *
 * Only the narrowed subset reaches the library, and only values it can get through in bounded time; what is
 * larger is a mismatch, not a wait.
 */
export function createSchemaValidator(): SchemaValidator {
  return {
    compile(schema: unknown): CompiledSchema {
      const subset = subsetOf(schema);
      return (value) => check(subset, value);
    },
  };
}

function check(subset: Subset, value: unknown): readonly SchemaMismatch[] {
  const size = measureJson(value, {
    depth: DEPTH_LIMIT,
    values: Math.min(VALUE_LIMIT, Math.floor(COMPARISON_LIMIT / subset.size)),
    text: subset.hasPattern ? PATTERN_TEXT_LIMIT : Number.POSITIVE_INFINITY,
  });
  if (size === undefined) return [{ path: "", expected: "JSON of a size and depth that can be checked" }];
  try {
    const first = run(subset, value, true);
    if (first.valid) return [];
    const result = size.values > THOROUGH_LIMIT ? first : run(subset, value, false);
    const found = mismatchesFrom(result.errors, subset.schema, value);
    return found.length > 0 ? found : [{ path: "", expected: "what the schema describes" }];
  } catch {
    /* A property name that is no well-formed Unicode, which the library cannot write a location for. */
    return [{ path: "", expected: "JSON with well-formed property names" }];
  }
}

function run(subset: Subset, value: unknown, stopEarly: boolean): ReturnType<typeof validate> {
  /* An empty table of known schemas: there are no references, so none is resolved. */
  const known: Record<string, Schema | boolean> = Object.create(null);
  return validate(value, subset.schema, "2020-12", known, stopEarly);
}
