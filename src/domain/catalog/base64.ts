/* 1 for each character of the standard alphabet (RFC 4648, section 4). */
const ALPHABET = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
  ALPHABET[character.charCodeAt(0)] = 1;
}

/**
 * The number of bytes that a base64 text decodes to, or `undefined` when it is none: standard alphabet,
 * padded, no white space. One pass, nothing is decoded.
 */
export function base64Bytes(text: string): number | undefined {
  if (text.length % 4 !== 0) return undefined;
  let end = text.length;
  if (text.endsWith("==")) end -= 2;
  else if (text.endsWith("=")) end -= 1;
  for (let index = 0; index < end; index += 1) {
    /* Beyond ASCII the table has no entry. */
    if (ALPHABET[text.charCodeAt(index)] !== 1) return undefined;
  }
  return (text.length / 4) * 3 - (text.length - end);
}
