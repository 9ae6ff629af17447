import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import { isJsonObject } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import type { CallRefusal, SchemaMismatch } from "./refusal.ts";

/** A compiled schema: what of a value does not fit, at most 16 places; empty when all of it does. */
export type SchemaCheck = (value: unknown) => readonly SchemaMismatch[];

/**
 * Checks the arguments of a call against the tool's narrowed schema (K5). Refuses with the places and what was
 * expected there. Nothing is coerced and no default is filled in: what is sent is what was given.
 */
export function checkArguments(check: SchemaCheck, args: unknown): Outcome<JsonObject, CallRefusal> {
  if (!isJsonObject(args)) return refuse(invalid([{ path: "", expected: "an object" }]));
  const mismatches = check(args);
  return mismatches.length === 0 ? accept(args) : refuse(invalid(mismatches));
}

function invalid(mismatches: readonly SchemaMismatch[]): CallRefusal {
  return { kind: "call", reason: "invalid-arguments", mismatches };
}
