import type { CatalogTool } from "../../domain/catalog/catalog.ts";
import type { CallResult } from "../../domain/catalog/content-part.ts";
import type { ResultRefusal } from "../../domain/catalog/refusal.ts";
import { resultLimit, weighResult } from "../../domain/catalog/result-size.ts";
import { spilledResult, spilledText } from "../../domain/catalog/spilled-result.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { ResultSpill } from "../../ports/result-spill.ts";

export interface ResultAdmission {
  readonly tool: CatalogTool;
  /** The server's envelope, which counts as a whole. */
  readonly raw: unknown;
  /** Absent: what is too large is refused. */
  readonly spill: ResultSpill | undefined;
}

/**
 * Hands over a decoded result by its size (K7): as it is, as it is with `result-large`, or its beginning with a
 * reference to the whole. Refuses with `too-large` where nobody keeps results, with `not-kept` where that failed.
 */
export async function admitResult(
  result: CallResult,
  { tool, raw, spill }: ResultAdmission,
): Promise<Outcome<CallResult, ResultRefusal>> {
  const limitChars = resultLimit(tool);
  switch (weighResult(raw, limitChars)) {
    case "fits":
      return accept(result);
    case "large":
      return accept({ ...result, diagnostics: [...result.diagnostics, "result-large"] });
    case "too-large":
      break;
  }
  if (spill === undefined) return refuse({ kind: "result", reason: "too-large", limitChars });
  // The tool has acted: its answer is kept even when the caller has left meanwhile.
  const { signal } = new AbortController();
  const stored = await spill.store(spilledText(tool, raw), { signal });
  if (!stored.ok) return refuse({ kind: "result", reason: "not-kept", store: stored.refusal.reason });
  return accept(spilledResult(result, { raw, reference: stored.value }));
}
