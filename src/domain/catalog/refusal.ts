import type { HoldReason } from "./adapt-reason.ts";
import type { StoreReason } from "../activation/store-refusal.ts";

/** A JSON value that does not fit, where, and what was expected, in words a model can act on. */
export interface SchemaMismatch {
  /** JSON Pointer into the value, cleaned and at most 256 characters; the keys in it are the value's own. */
  readonly path: string;
  /** What the schema asks for there, at most 256 characters. Never the value. */
  readonly expected: string;
}

export const CALL_REASONS = [
  "unknown-tool",
  "tool-held",
  "invalid-arguments",
  "headers-not-allowed",
] as const;
export type CallReason = (typeof CALL_REASONS)[number];

/**
 * A call that did nothing (K5).
 *
 * - `tool-held`, `unknown-tool`, `invalid-arguments`: nothing was sent; `tool-held` by the host's policy about pins (A7).
 * - `headers-not-allowed`: the server turned it away since it goes by arguments in headers, which are not allowed (K5b).
 */
export type CallRefusal =
  | { readonly kind: "call"; readonly reason: "tool-held"; readonly hold: HoldReason }
  | { readonly kind: "call"; readonly reason: "unknown-tool" | "headers-not-allowed" }
  | {
      readonly kind: "call";
      readonly reason: "invalid-arguments";
      readonly mismatches: readonly SchemaMismatch[];
    };

export const RESULT_REASONS = ["too-large", "not-kept", "reference-malformed", "reference-unknown"] as const;
export type ResultReason = (typeof RESULT_REASONS)[number];

/**
 * A result that cannot be handed over (K7).
 *
 * - `too-large`, `not-kept`: the tool was called and has answered, but its result is above `limitChars` and nobody keeps
 *   such results here, or the spill could not (`store` says why).
 * - `reference-malformed`, `reference-unknown`: no result is kept under the reference.
 */
export type ResultRefusal =
  | { readonly kind: "result"; readonly reason: "too-large"; readonly limitChars: number }
  | { readonly kind: "result"; readonly reason: "not-kept"; readonly store: StoreReason }
  | { readonly kind: "result"; readonly reason: "reference-malformed" | "reference-unknown" };
