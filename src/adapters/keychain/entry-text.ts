import { sha256Hex } from "../../domain/sha256.ts";

/**
 * How a text lies in keychain entries of limited size, whole or not at all.
 *
 * A text that fits is the head entry itself. A longer one is cut into pieces in one of two slots, and the head
 * says which slot, how many pieces, and the digest of all of them together. A new text goes into the slot that is
 * not in use; the head is written last, so that it turns from the old text to the new one in one step. Pieces of
 * two writers that got mixed do not match the digest.
 */
export interface Head {
  readonly slot: Slot;
  readonly pieces: number;
  readonly digest: string;
}

export type Slot = "a" | "b";

/** Pieces of one text: far beyond what a record of tokens has, and a bound for who cleans up. */
export const PIECES_LIMIT = 64;

const HEAD = /^sallyport-pieces\/1 ([ab]) ([1-9][0-9]?) ([0-9a-f]{64})$/;

export function headText(slot: Slot, pieces: readonly string[]): string {
  return `sallyport-pieces/1 ${slot} ${pieces.length} ${sha256Hex(pieces.join(""))}`;
}

/** `undefined`: the entry is the text itself, or nothing of ours. */
export function parseHead(text: string): Head | undefined {
  const [, slot, count, digest] = HEAD.exec(text) ?? [];
  if ((slot !== "a" && slot !== "b") || digest === undefined) return undefined;
  const pieces = Number(count);
  return pieces <= PIECES_LIMIT ? { slot, pieces, digest } : undefined;
}

export function cutText(text: string, limitChars: number): readonly string[] {
  const count = Math.ceil(text.length / limitChars);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * limitChars, (index + 1) * limitChars),
  );
}

/** `undefined`: the pieces are not all of one text. */
export function joinPieces(pieces: readonly string[], { digest }: Head): string | undefined {
  const text = pieces.join("");
  return sha256Hex(text) === digest ? text : undefined;
}

/** JSON in ASCII alone: one character is one or two bytes in every keychain, and no cut falls into a letter. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
