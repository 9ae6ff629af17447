import { FrameSplitter } from "../../domain/frames.ts";
import type { BytePipe } from "../../ports/byte-pipe.ts";
import type { StdioServeLimits } from "./stdio-limits.ts";

/** Why nothing more is read. */
export type InputEnd = "input-ended" | "frame-limit" | "stopped";

export interface StdioInput {
  /** Lets the frames through that waited, and those that come. */
  open(onFrame: (frame: Uint8Array) => void): void;
  /** Resolves with why reading ended. */
  readonly ended: Promise<InputEnd>;
}

/**
 * Reads frames from the first moment on, so that an input that ends is seen at once, and keeps the early ones until
 * somebody takes them. What is over the bound waits in the pipe: the client feels it.
 */
export function readStdioInput(
  pipe: BytePipe,
  options: {
    readonly limits: StdioServeLimits;
    readonly signal: AbortSignal;
    /** Resolves when there is room for the answers to more. */
    readonly hasRoom: () => Promise<void>;
  },
): StdioInput {
  const { limits, signal } = options;
  const frames = new FrameSplitter(() => limits.frameBytes);
  const early: Uint8Array[] = [];
  let earlyBytes = 0;
  let take: ((frame: Uint8Array) => void) | undefined;
  const { promise: open, resolve: opened } = Promise.withResolvers<void>();

  const push = (chunk: Uint8Array): "ok" | "too-long" => {
    if (take !== undefined) return frames.push(chunk, take);
    earlyBytes += chunk.length;
    // A frame is valid during the call alone: what waits is a copy.
    return frames.push(chunk, (frame) => early.push(frame.slice()));
  };

  const run = async (): Promise<InputEnd> => {
    for (;;) {
      const chunk = await pipe.read({ signal });
      if (chunk === undefined) return "input-ended";
      if (push(chunk) === "too-long") return "frame-limit";
      if (take === undefined && earlyBytes >= limits.earlyBytes) await untilEither(open, signal);
      await options.hasRoom();
      if (signal.aborted) return "stopped";
    }
  };

  return {
    open: (onFrame) => {
      take = onFrame;
      for (const frame of early.splice(0)) onFrame(frame);
      opened();
    },
    // An input that fails has ended, whatever the system says of why.
    ended: run().catch(() => (signal.aborted ? "stopped" : "input-ended")),
  };
}

function untilEither(ready: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => resolve();
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
    void ready.then(() => {
      signal.removeEventListener("abort", done);
      done();
    });
  });
}
