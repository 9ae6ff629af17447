import type { AdaptReason } from "./catalog.ts";
import { own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { cleanText, TEXT_LIMIT } from "./untrusted-text.ts";

/** Collects why an item is not exactly what its server said. */
export type Reasons = AdaptReason[];

/** A text of an item, cleaned and cut (K9); what is no text is dropped, with a reason. */
export function admitText(item: JsonObject, key: string, reasons: Reasons): string | undefined {
  const raw = own(item, key);
  if (raw === undefined || raw === null) return undefined;
  const path = `/${key}`;
  if (typeof raw !== "string") {
    reasons.push({ reason: "text-malformed", path });
    return undefined;
  }
  const { text, changed } = cleanText(raw, TEXT_LIMIT);
  if (changed.some((change) => change !== "cut")) reasons.push({ reason: "text-cleaned", path });
  if (changed.includes("cut")) reasons.push({ reason: "text-cut", path });
  return text;
}

export function bucketFor(reasons: readonly AdaptReason[]): "adopted" | "adapted" {
  return reasons.length === 0 ? "adopted" : "adapted";
}
