/** The text of UTF-8 bytes, a byte order mark included; `undefined` where decoding would lose or change something. */
export function losslessText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
