import type { JsonObject } from "../../json-value.ts";
import { hasField, problem, type Read } from "../fields.ts";
import { accept } from "../../outcome.ts";

/** An entry on its way to the canonical shape. What no rule touches stays as it was written. */
export interface Draft {
  readonly fields: Map<string, unknown>;
  /** Canonical field → the field of the file, so that a problem names what is written there. */
  readonly written: Map<string, string>;
}

export function draftOf(entry: JsonObject): Draft {
  const fields = new Map(Object.entries(entry).filter(([key]) => hasField(entry, key)));
  return { fields, written: new Map() };
}

/** Takes a foreign field out of the draft and puts `value` under the canonical name, which must be free. */
export function move(draft: Draft, names: { from: string; to: string }, value: unknown): Read<true> {
  const { from, to } = names;
  draft.fields.delete(from);
  if (draft.fields.has(to)) return problem("conflicting-fields", from, `\`${from}\` or \`${to}\`, not both`);
  draft.fields.set(to, value);
  draft.written.set(to, from);
  return accept(true);
}

/** Adds to an object field, such as `env`; a key that is there already is refused: one of the two would be lost. */
export function addTo(
  draft: Draft,
  names: { from: string; to: "env" | "headers" },
  added: readonly (readonly [key: string, value: unknown])[],
): Read<true> {
  const { from, to } = names;
  draft.fields.delete(from);
  const there = draft.fields.get(to);
  const isObject = typeof there === "object" && there !== null && !Array.isArray(there);
  if (there !== undefined && !isObject) return problem("invalid-type", to, "an object of texts");
  const entries = new Map<string, unknown>(isObject ? Object.entries(there) : []);
  for (const [key, value] of added) {
    const twice = [...entries.keys()].some((known) => sameKey(known, key, to));
    if (twice) return problem("conflicting-fields", from, `no key that \`${to}\` has too`);
    entries.set(key, value);
  }
  draft.fields.set(to, Object.fromEntries(entries));
  if (there === undefined) draft.written.set(to, from);
  return accept(true);
}

/** Header names are one whatever their case. */
function sameKey(a: string, b: string, field: "env" | "headers"): boolean {
  return field === "headers" ? a.toLowerCase() === b.toLowerCase() : a === b;
}
