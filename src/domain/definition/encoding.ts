import type { MaterialisedText } from "./definition.ts";

/**
 * Canonical, length-prefixed encoding (D14): two different values never have the same encoding, since the
 * length of everything is said before it. Lengths are in UTF-16 units.
 */

// An unpaired surrogate has no UTF-8 form: hashing would make different texts equal.
const LONE_SURROGATE = /\p{Surrogate}/u;

export function encodeText(text: string): string {
  return LONE_SURROGATE.test(text) ? `u${text.length}:${JSON.stringify(text)}` : `t${text.length}:${text}`;
}

/** A text, a whole number, or `true` for what is only ever there or absent. */
export function encodePlain(value: string | number | true): string {
  if (typeof value === "string") return encodeText(value);
  return value === true ? "b" : `i${value};`;
}

export function encodeTexts(texts: readonly string[]): string {
  return `l${texts.length}:${texts.map((text) => encodeText(text)).join("")}`;
}

/**
 * A materialised text: what may be read as it is, secret stretches as markers – `s` and the variable they
 * came from, `k` for a literal under a credential-shaped key. No secret, and no length of one, is in it.
 */
export function encodeMaterialised({ text, stretches }: MaterialisedText): string {
  if (stretches.length === 0) return `x1:${encodeText(text)}`;
  const pieces: string[] = [];
  let open = 0;
  for (const stretch of stretches) {
    if (!stretch.secret) continue;
    if (stretch.start > open) pieces.push(encodeText(text.slice(open, stretch.start)));
    pieces.push(stretch.variable === undefined ? "k" : `s${stretch.variable.length}:${stretch.variable}`);
    open = stretch.end;
  }
  if (open < text.length || pieces.length === 0) pieces.push(encodeText(text.slice(open)));
  return `x${pieces.length}:${pieces.join("")}`;
}
