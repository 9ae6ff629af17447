import type { StoreRefusal } from "../../domain/activation/store-refusal.ts";
import type { ResultRefusal } from "../../domain/catalog/refusal.ts";
import { readSpilledText } from "../../domain/catalog/spilled-result.ts";
import type { KeptResult } from "../../domain/catalog/spilled-result.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { ResultSpill } from "../../ports/result-spill.ts";

/** Reads a kept result back, whole (K7). Refuses with `store-corrupt` what is not what was kept. */
export async function readResult(
  reference: string,
  { spill, signal }: { readonly spill: ResultSpill; readonly signal: AbortSignal },
): Promise<Outcome<KeptResult, ResultRefusal | StoreRefusal>> {
  const loaded = await spill.load(reference, { signal });
  if (!loaded.ok) return loaded;
  const kept = readSpilledText(loaded.value);
  return kept === undefined ? refuse({ kind: "store", reason: "store-corrupt" }) : accept(kept);
}
