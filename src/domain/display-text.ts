// Everything that draws nothing, breaks the line, reorders what follows, or looks like a plain space.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|\\(?=u\{)/gu;

const NON_ASCII = /[^\x20-\x7e]|\\(?=u\{)/gu;

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Shows control, bidi, format and other invisible characters as `\u{202e}`, so that a text cannot be made
 * to look like another one (D16). A literal `\u{` has its backslash escaped: different texts stay different.
 */
export function escapeForDisplay(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** As {@link escapeForDisplay}, and every non-ASCII character too: for URLs, where look-alike letters deceive. */
export function escapeUrlForDisplay(text: string): string {
  return text.replace(NON_ASCII, escapeCharacter);
}
