/** What may stand in a header field as it is: ASCII without control characters, no space at either end. */
const PLAIN = /^[!-~](?:[\t -~]*[!-~])?$/;

/** Whether text can be a header value as it is, and comes back the same. */
export function isPlainHeaderText(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * Writes text as a header value: as it is where that is safe, else as `=?base64?…?=` over UTF-8 (2026-07-28, Value
 * Encoding). What begins and ends like the encoded form is encoded, since it would be decoded.
 */
export function encodeHeaderText(text: string): string {
  const looksEncoded = text.startsWith("=?base64?") && text.endsWith("?=");
  if (isPlainHeaderText(text) && !looksEncoded) return text;
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return `=?base64?${btoa(binary)}?=`;
}
