import type { BytePipe } from "../../ports/byte-pipe.ts";

export interface StdioOutput {
  /** Resolves when the frame is written; rejects when it never will be. */
  write(text: string): Promise<void>;
  readonly waitingBytes: number;
  /** Resolves when no more than the limit waits, or nothing will be written any more. */
  hasRoom(): Promise<void>;
  /** Drops what waits, and takes no more. */
  close(): void;
}

const UTF8 = new TextEncoder();

/** Writes frames in order, those that wait together in one go. The first write that fails is told once. */
export function createStdioOutput(
  pipe: BytePipe,
  { limitBytes, onFailed }: { readonly limitBytes: number; readonly onFailed: () => void },
): StdioOutput {
  let queue: Uint8Array[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | undefined;
  let isClosed = false;
  let wake: (() => void)[] = [];

  const wakeAll = (): void => {
    const woken = wake;
    wake = [];
    for (const resolve of woken) resolve();
  };

  const drain = async (): Promise<void> => {
    try {
      while (queue.length > 0) {
        const batch = joined(queue);
        queue = [];
        await pipe.write(batch);
        waitingBytes -= batch.length;
        if (waitingBytes <= limitBytes) wakeAll();
      }
    } catch (error) {
      close();
      onFailed();
      throw error;
    } finally {
      writing = undefined; // With the look at the queue, so that no frame falls between two rounds.
    }
  };

  const close = (): void => {
    isClosed = true;
    queue = [];
    waitingBytes = 0;
    wakeAll();
  };

  return {
    write: (text) => {
      if (isClosed) return Promise.reject(new Error("output-ended"));
      const frame = UTF8.encode(`${text}\n`);
      queue.push(frame);
      waitingBytes += frame.length;
      writing ??= drain();
      return writing;
    },
    get waitingBytes() {
      return waitingBytes;
    },
    hasRoom: () =>
      isClosed || waitingBytes <= limitBytes
        ? Promise.resolve()
        : new Promise((resolve) => wake.push(resolve)),
    close,
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
