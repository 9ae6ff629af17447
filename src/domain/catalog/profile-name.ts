import { sha256Hex } from "../sha256.ts";

/** What the APIs take of a property's name, in characters. */
const NAME_LIMIT = 64;
const HASH_LENGTH = 8;

/**
 * The name that a property is shown under: its own where `allowed` takes it, else its harmless characters and 8 hex
 * digits of the SHA-256 of all of it. Of the name alone, so that it can be found again; two names never share one.
 */
export function shownName(name: string, allowed: RegExp | undefined): string {
  if (allowed === undefined || allowed.test(name)) return name;
  const plain = name.slice(0, NAME_LIMIT - HASH_LENGTH - 2).replace(/[^A-Za-z0-9_]/g, "_");
  const start = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
  return `${start}_${sha256Hex(JSON.stringify(name)).slice(0, HASH_LENGTH)}`;
}
