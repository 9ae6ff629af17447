import type { SchemaCheck } from "../domain/catalog/arguments.ts";
import type { SchemaMismatch } from "../domain/catalog/refusal.ts";

export type { SchemaMismatch };

/** Compiled once a schema; never runs generated code, never fetches, bounded by the narrowing before it. */
export type CompiledSchema = SchemaCheck;

/** For checking JSON values against a narrowed JSON Schema (2020-12 subset, see domain/catalog). */
export interface SchemaValidator {
  /**
   * Prepares a check. Keywords outside the subset (references and `format` among them) are ignored. The
   * check answers at most 16 mismatches, never throws, and treats a value that is too large or too deep to
   * be checked, or that is not JSON, as a mismatch.
   */
  compile(schema: unknown): CompiledSchema;
}
