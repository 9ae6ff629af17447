import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

import type { Consent, Person } from "../../ports/person.ts";
import { discardTyped } from "./typed-ahead.ts";

/** Longest line that is read as an answer; whoever sends more is not answering. */
const ANSWER_LIMIT = 16;

export interface TerminalPersonOptions {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  /** Where the question goes: never the stream that carries the answer of the command (M5). */
  readonly output: Writable & { readonly isTTY?: boolean };
}

/**
 * Asks at a terminal. With no terminal on either side the answer is `nobody`, at once. What was typed before the
 * question stood there answers nothing: it was meant for something else.
 */
export function createTerminalPerson({ input, output }: TerminalPersonOptions): Person {
  return {
    confirm: async (question, { signal }) => {
      signal.throwIfAborted();
      if (input.isTTY !== true || output.isTTY !== true) return "nobody";
      const typed = await discardTyped(input);
      signal.throwIfAborted();
      if (typed === "interrupt" || input.readableEnded) return "no";
      return askForLine(`${question} [y/N] `, { input, output, signal });
    },
  };
}

function askForLine(
  prompt: string,
  { input, output, signal }: TerminalPersonOptions & { readonly signal: AbortSignal },
): Promise<Consent> {
  return new Promise((resolve, reject) => {
    // `terminal: false` leaves editing and Ctrl-C to the terminal: a raw mode would swallow the signal.
    const lines = createInterface({ input, terminal: false });
    const onAbort = (): void => lines.close();
    signal.addEventListener("abort", onAbort, { once: true });
    let consent: Consent = "no";
    lines.once("line", (line) => {
      consent = consentOf(line);
      lines.close();
    });
    lines.once("close", () => {
      signal.removeEventListener("abort", onAbort);
      input.pause();
      if (signal.aborted) reject(signal.reason);
      else resolve(consent);
    });
    output.write(prompt);
  });
}

function consentOf(line: string): Consent {
  if (line.length > ANSWER_LIMIT) return "no";
  const word = line.trim().toLowerCase();
  return word === "y" || word === "yes" ? "yes" : "no";
}
