/**
 * Text that a server wrote, made fit to be shown to a person or a model (K9).
 *
 * What cannot be seen must not be read either: bidirectional controls reorder an approval dialog,
 * zero-width and tag characters carry instructions that only the model gets. Both views get the same bytes.
 */

/** Why a cleaned text is not exactly the server's. */
export type TextChange =
  | "control-characters"
  | "bidi-characters"
  | "invisible-characters"
  | "tag-characters"
  | "lone-surrogates"
  | "cut";

export interface CleanText {
  readonly text: string;
  /** In the order of {@link TextChange}; empty when the text is the server's own. */
  readonly changed: readonly TextChange[];
}

/** K9: what is kept of a title or a description, in UTF-16 units. */
export const TEXT_LIMIT = 8192;

/* A variation selector or joiner right after an emoji belongs to it, so that "⚠️" stays what it is. One
   each: a run of them is how text is hidden. The first alternative takes those, the second all the rest. */
const HIDDEN =
  /([0-9#*]\uFE0F\u20E3|\p{Extended_Pictographic})[\uFE0E\uFE0F]?(?:\u200D(?=\p{Extended_Pictographic}))?|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]/gu;

/* Most texts: not worth a look at the properties of each character. */
const PLAIN = /^[\n\t\x20-\x7E]*$/;

const BIDI = /^\p{Bidi_Control}$/u;
const CONTROL = /^[\p{Cc}\p{Zl}\p{Zp}]$/u;
const ORDER: readonly TextChange[] = [
  "control-characters",
  "bidi-characters",
  "invisible-characters",
  "tag-characters",
  "lone-surrogates",
  "cut",
];

/**
 * Removes what a reader cannot see and keeps at most `limit` UTF-16 units, never half a surrogate pair.
 * Newline and tab stay; a lone surrogate becomes U+FFFD. Linear in the text.
 */
export function cleanText(text: string, limit: number = TEXT_LIMIT): CleanText {
  if (text.length <= limit && PLAIN.test(text)) return { text, changed: [] };
  const changes = new Set<TextChange>();
  const visible = text.replace(HIDDEN, (found: string, emoji: string | undefined) => {
    if (emoji !== undefined || found === "\n" || found === "\t") return found;
    const change = changeFor(found);
    changes.add(change);
    return change === "lone-surrogates" ? "\uFFFD" : "";
  });
  const kept = cutText(visible, limit);
  if (kept.length < visible.length) changes.add("cut");
  return { text: kept, changed: ORDER.filter((change) => changes.has(change)) };
}

/** The first `limit` UTF-16 units, or one less where that would halve a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const halved = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, halved ? limit - 1 : limit);
}

function changeFor(character: string): TextChange {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return "lone-surrogates";
  if (code >= 0xe0000 && code <= 0xe007f) return "tag-characters";
  if (CONTROL.test(character)) return "control-characters";
  return BIDI.test(character) ? "bidi-characters" : "invisible-characters";
}
