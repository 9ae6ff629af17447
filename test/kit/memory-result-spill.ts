import { accept, refuse } from "../../src/domain/outcome.ts";
import type { ResultSpill } from "../../src/ports/result-spill.ts";

/** Keeps results as long as the test runs. */
export function createMemoryResultSpill(): ResultSpill & { readonly kept: ReadonlyMap<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    store: async (text, { signal }) => {
      signal.throwIfAborted();
      const reference = (kept.size + 1).toString(16).padStart(32, "0");
      kept.set(reference, text);
      return accept(reference);
    },
    load: async (reference, { signal }) => {
      signal.throwIfAborted();
      if (!/^[0-9a-f]{32}$/.test(reference)) return refuse({ kind: "result", reason: "reference-malformed" });
      const text = kept.get(reference);
      return text === undefined ? refuse({ kind: "result", reason: "reference-unknown" }) : accept(text);
    },
  };
}
