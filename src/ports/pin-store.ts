import type { PinKey, PinSet } from "../domain/activation/pins.ts";
import type { StoreRefusal } from "../domain/activation/store-refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

/** For remembering how tools were when they were taken as they are (A7), outside every workspace. */
export interface PinStore {
  /** `undefined`: nothing was ever pinned. What cannot be read is refused, never taken for nothing. */
  load(
    key: PinKey,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<PinSet | undefined, StoreRefusal>>;
  /**
   * Reads, changes and writes, whole or not at all, so that no other process gets in between. `change` answers the
   * new set, or the same one when there is nothing to write.
   */
  update(
    key: PinKey,
    change: (set: PinSet | undefined) => PinSet | undefined,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<PinSet | undefined, StoreRefusal>>;
}
