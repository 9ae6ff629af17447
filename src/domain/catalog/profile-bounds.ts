import { own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import type { JsonType } from "./shape.ts";

/** What an API without exclusive bounds is told instead. */
export interface InclusiveBounds {
  readonly bounds: { readonly minimum?: number; readonly maximum?: number };
  /** Keywords whose very bound is let in now: the next number that is no integer cannot be named. */
  readonly widened: readonly string[];
}

/** Turns exclusive bounds into inclusive ones, the tighter of two. Exact for whole numbers. */
export function inclusiveBounds(schema: JsonObject, type: JsonType): InclusiveBounds {
  const bounds: { minimum?: number; maximum?: number } = {};
  const widened: string[] = [];
  const above = numberAt(schema, "exclusiveMinimum");
  if (above !== undefined) {
    const next = wholeOr(above, Math.floor(above) + 1, type);
    if (next === above) widened.push("exclusiveMinimum");
    bounds.minimum = Math.max(next, numberAt(schema, "minimum") ?? next);
  }
  const below = numberAt(schema, "exclusiveMaximum");
  if (below !== undefined) {
    const next = wholeOr(below, Math.ceil(below) - 1, type);
    if (next === below) widened.push("exclusiveMaximum");
    bounds.maximum = Math.min(next, numberAt(schema, "maximum") ?? next);
  }
  return { bounds, widened };
}

function wholeOr(bound: number, next: number, type: JsonType): number {
  return type === "integer" && Number.isSafeInteger(next) ? next : bound;
}

function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === "number" ? value : undefined;
}
