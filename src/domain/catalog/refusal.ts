/** A JSON value that does not fit, where, and what was expected, in words a model can act on. */
export interface SchemaMismatch {
  /** JSON Pointer into the value, cleaned and at most 256 characters; the keys in it are the value's own. */
  readonly path: string;
  /** What the schema asks for there, at most 256 characters. Never the value. */
  readonly expected: string;
}

export const CALL_REASONS = ["unknown-tool", "invalid-arguments"] as const;
export type CallReason = (typeof CALL_REASONS)[number];

/** A call that was not dispatched (K5). Nothing was sent. */
export type CallRefusal =
  | { readonly kind: "call"; readonly reason: "unknown-tool" }
  | {
      readonly kind: "call";
      readonly reason: "invalid-arguments";
      readonly mismatches: readonly SchemaMismatch[];
    };
