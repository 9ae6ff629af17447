import type { Readable, Writable } from "node:stream";

import type { BytePipe } from "../../ports/byte-pipe.ts";

/**
 * A pipe over Node's streams. They are neither ended nor destroyed here. An input that nobody reads any more keeps no
 * process alive: with `readable` listeners a process's stdin goes on holding its handle, paused or not.
 */
export function createNodeBytePipe({
  stdin,
  stdout,
}: {
  readonly stdin: Readable;
  readonly stdout: Writable;
}): BytePipe {
  return {
    read: (options) => readChunk(stdin, options),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (stdout.destroyed || stdout.writableEnded) {
          reject(new Error("output-ended"));
          return;
        }
        stdout.write(bytes, (error) => {
          if (error instanceof Error) reject(error);
          else resolve();
        });
      }),
    onOutputEnd: (listener) => {
      const stop = (): void => {
        stdout.off("error", tell).off("close", tell).off("finish", tell);
        // A write that fails late has nobody left to tell, and must not end the process.
        stdout.off("error", ignore).on("error", ignore);
      };
      const tell = (): void => {
        stop();
        listener();
      };
      stdout.on("error", tell).on("close", tell).on("finish", tell);
      if (stdout.destroyed || stdout.writableEnded) queueMicrotask(tell);
      return stop;
    },
  };
}

function ignore(): void {}

function readChunk(
  stdin: Readable,
  { signal }: { readonly signal: AbortSignal },
): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void): void => {
      stdin.off("readable", look).off("end", end).off("close", end).off("error", fail);
      signal.removeEventListener("abort", leave);
      how();
    };
    const end = (): void => settle(() => resolve(undefined));
    const fail = (error: Error): void => settle(() => reject(error));
    const leave = (): void =>
      settle(() => {
        holdProcess(stdin, "unref");
        reject(signal.reason);
      });
    const look = (): void => {
      const chunk: unknown = stdin.read();
      if (chunk === null) return;
      settle(() => resolve(typeof chunk === "string" ? new TextEncoder().encode(chunk) : toBytes(chunk)));
    };
    if (signal.aborted) {
      leave();
      return;
    }
    signal.addEventListener("abort", leave, { once: true });
    if (stdin.readableEnded || stdin.destroyed) {
      end();
      return;
    }
    holdProcess(stdin, "ref");
    stdin.on("end", end).on("close", end).on("error", fail).on("readable", look);
    look();
  });
}

/** Sockets and terminals know how; a stream of another kind holds nothing. */
function holdProcess(stdin: Readable, how: "ref" | "unref"): void {
  const hold: unknown = Reflect.get(stdin, how);
  if (typeof hold === "function") hold.call(stdin);
}

function toBytes(chunk: unknown): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : new Uint8Array(0);
}
