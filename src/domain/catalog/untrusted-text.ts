/**
 * Text that a server wrote, made fit to be shown to a person or a model (K9).
 *
 * What cannot be seen must not be read either: bidirectional controls reorder an approval dialog,
 * zero-width and tag characters carry instructions that only the model gets. Both views get the same bytes.
 */

/** Why a cleaned text is not exactly the server's. */
export type TextChange =
  | "lone-surrogates"
  | "control-characters"
  | "bidi-characters"
  | "tag-characters"
  | "invisible-characters"
  | "cut";

export interface CleanText {
  readonly text: string;
  /** In the order of {@link TextChange}; empty when the text is the server's own. */
  readonly changed: readonly TextChange[];
}

/** K9: what is kept of a title or a description, in UTF-16 units. */
export const TEXT_LIMIT = 8192;

/* What is removed, one native pass each: a callback a character would take seconds on a result of megabytes. */
const CONTROLS = /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}]/gu;
const BIDI = /\p{Bidi_Control}/gu;
const TAGS = /[\u{E0000}-\u{E007F}]/gu;
const LONE_SURROGATES = /\p{Cs}/gu;
/* A variation selector or joiner right after an emoji belongs to it, so that "⚠️" stays what it is. One
   each: a run of them is how text is hidden. The group takes those, the second alternative all the rest. */
const INVISIBLE =
  /((?:[0-9#*]\uFE0F\u20E3|\p{Extended_Pictographic})[\uFE0E\uFE0F]?(?:\u200D(?=\p{Extended_Pictographic}))?)|[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]/gu;

/* Most texts: not worth a look at the properties of each character. */
const PLAIN = /^[\n\t\x20-\x7E]*$/;

/* Every character that some pass below looks for: one search tells that a text of any script needs none of them. */
const SUSPECT =
  /[^\P{Cc}\n\t]|[\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;

/* Lone surrogates first: two halves must not meet, and be a hidden character, once what parted them is gone. */
const PASSES: readonly (readonly [change: TextChange, hidden: RegExp, instead: string])[] = [
  ["lone-surrogates", LONE_SURROGATES, "\uFFFD"],
  ["control-characters", CONTROLS, ""],
  ["bidi-characters", BIDI, ""],
  ["tag-characters", TAGS, ""],
  ["invisible-characters", INVISIBLE, "$1"],
];

/**
 * Removes what a reader cannot see and keeps at most `limit` UTF-16 units, never half a surrogate pair.
 * Newline and tab stay; a lone surrogate becomes U+FFFD. Linear in the text.
 */
export function cleanText(text: string, limit: number = TEXT_LIMIT): CleanText {
  if (text.length <= limit && PLAIN.test(text)) return { text, changed: [] };
  const changed: TextChange[] = [];
  let visible = text;
  for (const [change, hidden, instead] of SUSPECT.test(text) ? PASSES : []) {
    const shorter = visible.replace(hidden, instead);
    if (shorter !== visible) changed.push(change);
    visible = shorter;
  }
  const kept = cutText(visible, limit);
  if (kept.length < visible.length) changed.push("cut");
  return { text: kept, changed };
}

/** The first `limit` UTF-16 units, or one less where that would halve a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const halved = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, halved ? limit - 1 : limit);
}
