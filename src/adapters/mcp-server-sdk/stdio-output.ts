import type { BytePipe } from "../../ports/byte-pipe.ts";

export interface StdioOutput {
  /** Resolves when the frame is written, or when it is not waited for any more. Failures are told by `onFailed`. */
  write(text: string): Promise<void>;
  readonly waitingBytes: number;
  /** Resolves when no more than the limit waits, or nothing is taken any more. */
  hasRoom(): Promise<void>;
  /** From here on nobody waits for a write: the client may not read any more. */
  letGo(): void;
  /** Takes no more. What was handed over still goes out. */
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
  let isWriting = false;
  let isLetGo = false;
  let isClosed = false;
  /** Who waits for the batch that is written, for the next one, and for room. */
  const current = new Waiters();
  const next = new Waiters();
  const room = new Waiters();

  const drain = async (): Promise<void> => {
    isWriting = true;
    while (queue.length > 0) {
      const batch = joined(queue);
      queue = [];
      current.take(next);
      await pipe.write(batch);
      waitingBytes -= batch.length;
      current.wake();
      if (waitingBytes <= limitBytes) room.wake();
    }
    isWriting = false; // With the look at the queue, so that no frame falls between two rounds.
  };

  const letGo = (): void => {
    isLetGo = true;
    current.wake();
    next.wake();
  };

  const close = (): void => {
    isClosed = true;
    letGo();
    room.wake();
  };

  return {
    write: (text) => {
      if (isClosed) return Promise.resolve();
      const frame = UTF8.encode(`${text}\n`);
      queue.push(frame);
      waitingBytes += frame.length;
      const written = isLetGo ? Promise.resolve() : next.wait();
      if (!isWriting) {
        drain().catch(() => {
          queue = [];
          close();
          onFailed();
        });
      }
      return written;
    },
    get waitingBytes() {
      return waitingBytes;
    },
    hasRoom: () => (isClosed || waitingBytes <= limitBytes ? Promise.resolve() : room.wait()),
    letGo,
    close,
  };
}

class Waiters {
  #resolves: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#resolves.push(resolve));
  }

  wake(): void {
    for (const resolve of this.#resolves.splice(0)) resolve();
  }

  /** Makes those of another one its own. */
  take(other: Waiters): void {
    this.#resolves.push(...other.#resolves.splice(0));
  }
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
