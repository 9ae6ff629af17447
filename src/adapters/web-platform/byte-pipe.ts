import type { BytePipe } from "../../ports/byte-pipe.ts";

/**
 * A pipe over web streams. The streams are locked from the first use on, and never closed or cancelled here: who gave
 * them decides what becomes of them.
 */
export function createWebBytePipe(streams: {
  readonly stdin: ReadableStream<Uint8Array>;
  readonly stdout: WritableStream<Uint8Array>;
}): BytePipe {
  const reader = streams.stdin.getReader();
  const writer = streams.stdout.getWriter();
  /** A read that its caller left: its bytes belong to the next one. */
  let left: ReturnType<typeof reader.read> | undefined;
  return {
    read: ({ signal }) =>
      new Promise((resolve, reject) => {
        const reading = left ?? reader.read();
        left = undefined;
        const leave = (): void => {
          left = reading;
          reject(signal.reason);
        };
        if (signal.aborted) {
          reading.catch(() => undefined); // Told to whoever reads next.
          leave();
          return;
        }
        signal.addEventListener("abort", leave, { once: true });
        reading
          .then(({ value }) => resolve(value), reject)
          .finally(() => signal.removeEventListener("abort", leave));
      }),
    write: async (bytes) => {
      await writer.ready;
      await writer.write(bytes);
    },
    onOutputEnd: (listener) => {
      let isWanted = true;
      const tell = (): void => {
        if (isWanted) listener();
      };
      writer.closed.then(tell, tell);
      return () => {
        isWanted = false;
      };
    },
  };
}
