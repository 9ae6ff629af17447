import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

/** Turns of the event loop without input after which nothing is left: what the terminal holds comes within one. */
const QUIET_TURNS = 3;
/** A key that is held down must not keep the question away. */
const MOST_TURNS = 1_000;
const CTRL_C = 0x03;

/**
 * Throws away what was typed already. Answers `interrupt` when Ctrl-C was among it, which raw mode hands over as a
 * character.
 */
export async function discardTyped(
  input: Readable & { setRawMode?(raw: boolean): unknown },
): Promise<"nothing" | "something" | "interrupt"> {
  let typed: "nothing" | "something" | "interrupt" = "nothing";
  let quiet = 0;
  const onData = (chunk: string | Uint8Array): void => {
    quiet = 0;
    const interrupted = typeof chunk === "string" ? chunk.includes("\u0003") : chunk.includes(CTRL_C);
    if (interrupted) typed = "interrupt";
    else if (typed === "nothing") typed = "something";
  };
  // A terminal hands over whole lines; in raw mode it also gives up one that has no end yet.
  input.setRawMode?.(true);
  input.on("data", onData);
  try {
    for (let turn = 0; quiet < QUIET_TURNS && turn < MOST_TURNS; turn += 1) {
      quiet += 1;
      await setImmediate();
    }
  } finally {
    input.off("data", onData);
    input.pause();
    input.setRawMode?.(false);
  }
  return typed;
}
