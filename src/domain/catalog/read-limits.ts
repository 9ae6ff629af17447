import { own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import type { Note } from "./reading.ts";
import { LIMIT_KEYWORDS } from "./shape.ts";
import type { LimitKeyword, Shape } from "./shape.ts";

const COUNTS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
]);

const EXCLUSIVE: ReadonlyMap<string, "minimum" | "maximum"> = new Map([
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
]);

/** Reads the numeric keywords, draft-04's boolean `exclusiveMinimum` and `exclusiveMaximum` included. */
export function readLimits(raw: JsonObject, shape: Shape, note: Note): void {
  const limits = new Map<LimitKeyword, number>();
  for (const keyword of Object.keys(LIMIT_KEYWORDS) as LimitKeyword[]) {
    const bound = own(raw, keyword);
    if (bound === undefined) continue;
    if (isBound(keyword, bound)) limits.set(keyword, bound);
    else if (typeof bound !== "boolean" || !EXCLUSIVE.has(keyword)) note("keyword-malformed", keyword);
  }
  for (const [exclusive, inclusive] of EXCLUSIVE) {
    const flag = own(raw, exclusive);
    if (typeof flag !== "boolean") continue;
    note("exclusive-bound", exclusive);
    const bound = limits.get(inclusive);
    if (!flag || bound === undefined) continue;
    limits.delete(inclusive);
    limits.set(exclusive as LimitKeyword, bound);
  }
  if (limits.size > 0) shape.limits = limits;
}

function isBound(keyword: LimitKeyword, bound: unknown): bound is number {
  if (typeof bound !== "number" || !Number.isFinite(bound)) return false;
  if (COUNTS.has(keyword)) return Number.isInteger(bound) && bound >= 0;
  return keyword !== "multipleOf" || bound > 0;
}
