import { PIECES_LIMIT, type Slot, cutText, headText, joinPieces, parseHead } from "./entry-text.ts";
import type { Keyring } from "./keyring.ts";

/** A reader whose head was replaced while it read the pieces starts again. */
const READ_ATTEMPTS = 3;

/** What the keychain holds under a name is not what was written there. */
export class DamagedEntries extends Error {}

export interface EntryStoreOptions {
  readonly keyring: Keyring;
  /** Name of the head entry; pieces are `<name>.<slot>.<index>`. */
  readonly name: string;
  /** Characters that one entry holds. */
  readonly entryLimitChars: number;
  /** Asked before every step. Throws to stop. */
  readonly checkpoint: () => void;
}

/** Keeps one text of any size in the keychain. Every function throws what the keychain throws. */
export interface EntryStore {
  read(): Promise<string | undefined>;
  /** Answers `false` and writes nothing when the text is too large. */
  write(text: string): Promise<boolean>;
  remove(): Promise<void>;
}

export function createEntryStore(options: EntryStoreOptions): EntryStore {
  const { name, entryLimitChars } = options;
  return {
    read: async () => {
      for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt += 1) {
        const head = await getText(name, options);
        const parsed = head === undefined ? undefined : parseHead(head);
        if (parsed === undefined) return head;
        const pieces = await readPieces(parsed, options);
        const text = pieces && joinPieces(pieces, parsed);
        if (text !== undefined) return text;
      }
      throw new DamagedEntries();
    },
    write: async (text) => {
      if (text.length <= entryLimitChars) {
        await setText(name, text, options);
        await removePieces("a", options);
        await removePieces("b", options);
        return true;
      }
      const pieces = cutText(text, entryLimitChars);
      if (pieces.length > PIECES_LIMIT) return false;
      const used = parseHead((await getText(name, options)) ?? "")?.slot;
      const [slot, other] = used === "a" ? (["b", "a"] as const) : (["a", "b"] as const);
      // What a writer that was killed left there may be longer.
      await removePieces(slot, options);
      for (const [index, piece] of pieces.entries()) {
        await setText(pieceName(slot, index, options), piece, options);
      }
      await setText(name, headText(slot, pieces), options);
      await removePieces(other, options);
      return true;
    },
    remove: async () => {
      // The head goes first: from then on there is no record, whatever happens to the rest.
      await deleteEntry(name, options);
      await removePieces("a", options);
      await removePieces("b", options);
    },
  };
}

async function readPieces(
  { slot, pieces: count }: { readonly slot: Slot; readonly pieces: number },
  options: EntryStoreOptions,
): Promise<readonly string[] | undefined> {
  const pieces: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const piece = await getText(pieceName(slot, index, options), options);
    if (piece === undefined) return undefined;
    pieces.push(piece);
  }
  return pieces;
}

/** Last one first, so that a clean-up which is cut leaves no gap that hides the rest from the next one. */
async function removePieces(slot: Slot, options: EntryStoreOptions): Promise<void> {
  let count = 0;
  while (count < PIECES_LIMIT && (await getText(pieceName(slot, count, options), options)) !== undefined)
    count += 1;
  for (let index = count - 1; index >= 0; index -= 1) {
    await deleteEntry(pieceName(slot, index, options), options);
  }
}

function pieceName(slot: Slot, index: number, { name }: EntryStoreOptions): string {
  return `${name}.${slot}.${index}`;
}

async function getText(
  account: string,
  { keyring, checkpoint }: EntryStoreOptions,
): Promise<string | undefined> {
  checkpoint();
  return keyring.get(account);
}

async function setText(
  account: string,
  text: string,
  { keyring, checkpoint }: EntryStoreOptions,
): Promise<void> {
  checkpoint();
  await keyring.set(account, text);
}

async function deleteEntry(account: string, { keyring, checkpoint }: EntryStoreOptions): Promise<void> {
  checkpoint();
  await keyring.delete(account);
}
