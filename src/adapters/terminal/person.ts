import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

import type { Consent, Person, TypedLine } from "../../ports/person.ts";
import { discardTyped } from "./typed-ahead.ts";

/** Longest line that is read as a yes or a no; whoever sends more is not answering. */
const CONSENT_LIMIT = 16;
/** Longest line that is read at all, in UTF-16 units: as much as a field of a form takes. */
const LINE_LIMIT = 65_536;

export interface TerminalPersonOptions {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  /** Where the question goes: never the stream that carries the answer of the command (M5). */
  readonly output: Writable & { readonly isTTY?: boolean };
}

/**
 * Asks at a terminal. With no terminal on either side the answer is `nobody`, at once. What was typed before the
 * question stood there answers nothing: it was meant for something else.
 */
export function createTerminalPerson(terminal: TerminalPersonOptions): Person {
  const { input, output } = terminal;
  const line: Person["line"] = async (prompt, { signal }) => {
    signal.throwIfAborted();
    if (input.isTTY !== true || output.isTTY !== true) return "nobody";
    const typed = await discardTyped(input);
    signal.throwIfAborted();
    if (typed === "interrupt" || input.readableEnded) return "ended";
    return readLine(prompt, { input, output, signal });
  };
  return {
    line,
    confirm: async (question, options) => {
      const answer = await line(`${question} [y/N] `, options);
      return answer === "nobody" ? answer : consentOf(answer);
    },
  };
}

function readLine(
  prompt: string,
  { input, output, signal }: TerminalPersonOptions & { readonly signal: AbortSignal },
): Promise<TypedLine> {
  return new Promise((resolve, reject) => {
    // `terminal: false` leaves editing and Ctrl-C to the terminal: a raw mode would swallow the signal.
    const lines = createInterface({ input, terminal: false });
    const onAbort = (): void => lines.close();
    signal.addEventListener("abort", onAbort, { once: true });
    let answer: TypedLine = "ended";
    lines.once("line", (typed) => {
      if (typed.length <= LINE_LIMIT) answer = { typed };
      lines.close();
    });
    lines.once("close", () => {
      signal.removeEventListener("abort", onAbort);
      input.pause();
      if (signal.aborted) reject(signal.reason);
      else resolve(answer);
    });
    output.write(prompt);
  });
}

function consentOf(answer: Exclude<TypedLine, "nobody">): Consent {
  if (answer === "ended" || answer.typed.length > CONSENT_LIMIT) return "no";
  const word = answer.typed.trim().toLowerCase();
  return word === "y" || word === "yes" ? "yes" : "no";
}
