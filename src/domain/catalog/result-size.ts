import { estimateJsonSize } from "../session/json-size.ts";
import type { CatalogTool } from "./catalog.ts";
import { isJsonObject, own } from "../json-value.ts";

/** K7. Characters are UTF-16 units of the envelope's JSON; an escaped one counts once, as in the text it stands for. */
export const RESULT_WARN_CHARS = 10_000;
/** What a tool may hand over without asking for more. */
export const RESULT_SPILL_CHARS = 25_000;
/** The most that a tool can ask for. */
export const RESULT_MOST_CHARS = 500_000;

/* What hosts already read of a tool definition; there is no key of the protocol's own. */
const RESULT_SIZE_KEY = "anthropic/maxResultSizeChars";
/** Where it stands in a tool, as a JSON Pointer. */
export const RESULT_SIZE_PATH = "/_meta/anthropic~1maxResultSizeChars";

/** What a tool definition's `_meta` asks for; `ignored`: it asks for something that nobody may have. */
export function readResultSize(meta: unknown): number | "ignored" | undefined {
  const asked = isJsonObject(meta) ? own(meta, RESULT_SIZE_KEY) : undefined;
  if (asked === undefined) return undefined;
  const admitted = typeof asked === "number" && Number.isInteger(asked) && inRange(asked);
  return admitted ? asked : "ignored";
}

function inRange(chars: number): boolean {
  return chars > RESULT_SPILL_CHARS && chars <= RESULT_MOST_CHARS;
}

/** Up to how many characters this tool's results are handed over whole. A tool put together by hand gets no more. */
export function resultLimit({ resultSizeChars }: Pick<CatalogTool, "resultSizeChars">): number {
  if (resultSizeChars === undefined || !inRange(resultSizeChars)) return RESULT_SPILL_CHARS;
  return resultSizeChars;
}

/**
 * Weighs the whole envelope of a raw result: text, base64, structured content and `_meta` are one budget.
 * Stops counting at the limit, however large the result is.
 */
export function weighResult(raw: unknown, limitChars: number): "fits" | "large" | "too-large" {
  const chars = estimateJsonSize(raw, limitChars);
  if (chars > limitChars) return "too-large";
  return chars > RESULT_WARN_CHARS ? "large" : "fits";
}

/** Counts the whole envelope. */
export function resultChars(raw: unknown): number {
  return estimateJsonSize(raw, Number.POSITIVE_INFINITY);
}
