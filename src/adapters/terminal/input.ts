import type { Readable } from "node:stream";

/** Arguments of a call: as much as a message may hold (X5). */
export const INPUT_LIMIT_BYTES: number = 8 * 1024 * 1024;

/**
 * Reads a stream to its end as UTF-8. `undefined`: it is longer than `limitBytes`, or is no UTF-8.
 * Rejects with `signal.reason` on an abort.
 */
export async function readText(
  stream: Readable,
  { signal, limitBytes = INPUT_LIMIT_BYTES }: { readonly signal: AbortSignal; readonly limitBytes?: number },
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const onAbort = (): void => void stream.destroy();
  signal.throwIfAborted();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for await (const chunk of stream) {
      // A stream without an encoding gives bytes.
      const bytes: Uint8Array = chunk;
      length += bytes.length;
      if (length > limitBytes) return undefined;
      chunks.push(bytes);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  signal.throwIfAborted();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}
