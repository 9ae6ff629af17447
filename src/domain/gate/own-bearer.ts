import { toBase64Url } from "../oauth/bytes-text.ts";
import { sha256Hex } from "../sha256.ts";

/** The bearer of one loopback host. What it compares with is a digest, so that it cannot give the token away. */
export interface OwnBearer {
  /** Takes as long for every candidate of a length, wherever it differs. */
  matches(candidate: string): boolean;
}

/** 256 bits (R4). */
export const BEARER_BYTES = 32;

/** Makes the token of a host out of fresh chance. The caller hands it on, once; nothing here keeps it. */
export function createOwnBearer(bytes: Uint8Array): { readonly token: string; readonly bearer: OwnBearer } {
  const token = toBase64Url(bytes);
  const digest = sha256Hex(token);
  return { token, bearer: { matches: (candidate) => equalDigests(sha256Hex(candidate), digest) } };
}

/** Both sides have 64 digits, so nothing about the token decides how long this takes. */
function equalDigests(one: string, other: string): boolean {
  let difference = 0;
  for (let at = 0; at < other.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
