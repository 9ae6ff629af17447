import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** One for all calls: making an encoder costs more than encoding a line. */
const UTF8 = new TextEncoder();

/** SHA-256 as 64 lower-case hex digits. Text is hashed as UTF-8. Pure JavaScript, so the domain stays pure. */
export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256(typeof data === "string" ? UTF8.encode(data) : data));
}
