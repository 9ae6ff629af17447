/**
 * What a decision answers: a value, or a refusal with a reason out of a closed set.
 *
 * A refusal is data, not an exception: its fields are closed literals, names we parsed, numbers, and
 * paths made only of keys our schema knows. It never holds a URL, a header, an argument or library text.
 */
export type Outcome<Value, Refusal> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal };

export function accept<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function refuse<Refusal>(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}
