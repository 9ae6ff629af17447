/** A JSON value that does not fit, where, and what was expected, in words a model can act on. */
export interface SchemaMismatch {
  /** JSON Pointer into the value; the keys in it are the value's own. */
  readonly path: string;
  /** JSON Schema keyword that failed, and what it asks for. */
  readonly expected: string;
}

/** Compiled once a schema; never runs generated code, never fetches, bounded by the narrowing before it. */
export type CompiledSchema = (value: unknown) => readonly SchemaMismatch[];

/** For checking JSON values against a narrowed JSON Schema (2020-12 subset, see domain/catalog). */
export interface SchemaValidator {
  compile(schema: unknown): CompiledSchema;
}
