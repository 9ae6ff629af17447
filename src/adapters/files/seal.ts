import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rm } from "node:fs/promises";

import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import { FILE_MODE, codeOf, ensureOwnerOnlyFolder, openOwnerOnlyFile, translated } from "./owner-only.ts";
import { dirname } from "node:path";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
/** NIST SP 800-38D: 96 random bits, good for 2^32 messages under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and authenticates a text. `context` is authenticated with it: elsewhere the same bytes do not open. */
export function seal(text: string, options: { readonly key: Uint8Array; readonly context: string }): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, options.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(options.context));
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString("base64");
}

/** `undefined`: another key, another context, or not what {@link seal} wrote. */
export function unseal(
  sealed: string,
  options: { readonly key: Uint8Array; readonly context: string },
): string | undefined {
  const bytes = Buffer.from(sealed, "base64");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, options.key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(options.context));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(opened).toString("utf8");
  } catch {
    // The tag does not fit: the only thing that decrypting can throw for bytes of any kind.
    return undefined;
  }
}

/**
 * Reads the key of this home, or makes it: 32 random bytes, mode 0600, in a file apart from what it seals. Of
 * several processes that make one at the same time, all get the one that was there first.
 */
export async function sealingKey(path: string): Promise<Outcome<Uint8Array, StoreReason>> {
  const folder = await ensureOwnerOnlyFolder(dirname(path));
  if (!folder.ok) return folder;
  const known = await readKey(path);
  if (!known.ok || known.value !== undefined) return asKey(known);
  const made = await translated(async () => accept(await makeKey(path)));
  return made.ok ? asKey(await readKey(path)) : made;
}

function asKey(read: Outcome<Uint8Array | undefined, StoreReason>): Outcome<Uint8Array, StoreReason> {
  if (!read.ok) return read;
  return read.value?.length === KEY_BYTES ? accept(read.value) : refuse("store-corrupt");
}

async function readKey(path: string): Promise<Outcome<Uint8Array | undefined, StoreReason>> {
  const opened = await openOwnerOnlyFile(path, constants.O_RDONLY);
  if (!opened.ok) return opened;
  const file = opened.value;
  if (file === undefined) return accept(undefined);
  return translated(async () => {
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(KEY_BYTES + 1), 0, KEY_BYTES + 1, 0);
      return accept(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  });
}

/** Written whole under another name first; `link` gives it its name only where nobody has that name yet. */
async function makeKey(path: string): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "wx", FILE_MODE);
    try {
      await file.writeFile(randomBytes(KEY_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, path).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
}
