/** D2. Counted in code points. */
export const SERVER_NAME_LIMIT = 128;

// `C` is control, format (bidi included), surrogate, private use and unassigned; `Zl` and `Zp` break lines.
// Default-ignorable characters draw nothing, so that two names that look the same could differ by one.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

// U+2800 is a letter-like symbol that draws an empty cell.
const ONLY_BLANK = /^[\s\u2800]*$/u;

/**
 * Tells whether a text may name a server: 1–128 printable characters, not only white space (D2).
 * Names are compared exactly; `__proto__` and `constructor` are names like any other.
 */
export function isServerName(name: string): boolean {
  // A code point takes at most two units: longer than this needs no counting.
  if (name.length > SERVER_NAME_LIMIT * 2) return false;
  if (UNPRINTABLE.test(name) || ONLY_BLANK.test(name)) return false;
  return name.length <= SERVER_NAME_LIMIT || Array.from(name).length <= SERVER_NAME_LIMIT;
}
