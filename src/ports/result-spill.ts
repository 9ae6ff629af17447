import type { StoreRefusal } from "../domain/activation/store-refusal.ts";
import type { ResultRefusal } from "../domain/catalog/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

/** For keeping results that are too large to hand over, until somebody asks for them (K7). */
export interface ResultSpill {
  /** Keeps a text, whole or not at all, and answers a reference that says nothing about it. */
  store(text: string, options: { readonly signal: AbortSignal }): Promise<Outcome<string, StoreRefusal>>;
  /**
   * Reads one back, exactly as it was stored. The reference may come from anybody: refuses with
   * `result/reference-malformed` before anything is looked at, with `result/reference-unknown` when there is none.
   */
  load(
    reference: string,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<string, ResultRefusal | StoreRefusal>>;
}
