import type { Writable } from "node:stream";

import { writeJson } from "../../domain/catalog/json-text.ts";

/** The two streams of a command (M5): stdout carries the answer and nothing else. */
export interface Output {
  /** Adds to the answer, as it is. */
  answer(text: string): void;
  /** Adds one line to stderr; whatever could move a cursor or hide is taken out of it. */
  note(line: string): void;
  /** Resolves when all of it was handed over; `false` when the answer was not, and its reader did not want that. */
  flush(): Promise<boolean>;
}

/**
 * Writes to two streams. A reader that leaves early (`| head`) is no fault, and what comes later is dropped; a
 * disk that is full is one.
 */
export function createOutput(stdout: Writable, stderr: Writable): Output {
  const answers = createSink(stdout);
  const notes = createSink(stderr);
  return {
    answer: (text) => answers.write(text),
    note: (line) => notes.write(`${oneLine(line)}\n`),
    flush: async () => {
      const [answered] = await Promise.all([answers.flush(), notes.flush()]);
      return answered;
    },
  };
}

interface Sink {
  write(text: string): void;
  flush(): Promise<boolean>;
}

function createSink(stream: Writable): Sink {
  let state: "open" | "left" | "failed" = "open";
  stream.on("error", (error: NodeJS.ErrnoException) => {
    state = error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED" ? "left" : "failed";
  });
  return {
    write: (text) => {
      if (state === "open") stream.write(text);
    },
    flush: () =>
      new Promise((resolve) => {
        if (state !== "open") resolve(state === "left");
        // The callback of an empty write comes behind everything before it, with its error if there was one.
        else stream.write("", () => setImmediate(() => resolve(state !== "failed")));
      }),
  };
}

/** All that draws nothing, breaks the line or reorders what follows. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;

/** A text as one line that stays one line on any terminal. Harmless to what was escaped before. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, " ").trimEnd();
}

/**
 * One JSON document. Characters that a terminal would obey or not show are written as `\u….`: to a JSON parser
 * it is the same text.
 */
export function jsonDocument(value: unknown): string {
  const text = laidOut(value);
  // The line ends that JSON.stringify itself laid out stay; inside strings it has escaped its own.
  return `${text.replace(UNPRINTABLE, escapeUnits)}\n`;
}

function laidOut(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch (error) {
    // A server nested so deeply that the stack ends. It is still one document, only less pretty.
    if (error instanceof RangeError) return writeJson(value, { keys: "as-given", layout: "compact" });
    throw error;
  }
}

function escapeUnits(run: string): string {
  let escaped = "";
  for (let index = 0; index < run.length; index += 1) {
    const unit = run.charCodeAt(index);
    escaped += unit === 0x0a ? "\n" : `\\u${unit.toString(16).padStart(4, "0")}`;
  }
  return escaped;
}
