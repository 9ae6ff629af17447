import { createStderrLines } from "../../domain/launch/stderr-line.ts";
import type { Clock } from "../../ports/clock.ts";
import { type RateLimit, createTokenBucket } from "./message-rate.ts";

/** What leaves of a server's stderr without a sink (X5). */
export interface StderrReport {
  readonly bytes: number;
  /** Not everything was shown: a line was cut or dropped, or nobody asked for the lines. */
  readonly truncated: boolean;
}

export interface StderrReader {
  push(chunk: Uint8Array): void;
  /** Shows the last line, if it has no newline. */
  end(): void;
  report(): StderrReport;
}

export interface StderrOptions {
  /** Gets each line. What it throws is dropped. */
  readonly sink: ((line: string) => void) | undefined;
  /** What the server was given and must not be shown (B5). */
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly rate: RateLimit;
}

const NEWLINE = 0x0a;
const MOST_BYTES_A_UNIT = 4;

/** Drains stderr. Counts always; makes lines only for a sink, masked, cleaned and bounded in length and number. */
export function createStderrReader(options: StderrOptions): StderrReader {
  const { sink } = options;
  let bytes = 0;
  if (sink === undefined) {
    return {
      push: (chunk) => {
        bytes += chunk.length;
      },
      end: () => undefined,
      report: () => ({ bytes, truncated: bytes > 0 }),
    };
  }
  const shown = createLineSink({ ...options, sink });
  const line = new LineBuffer(shown.keptBytes);
  return {
    push: (chunk) => {
      bytes += chunk.length;
      for (let start = 0; start < chunk.length;) {
        const newline = chunk.indexOf(NEWLINE, start);
        const end = newline < 0 ? chunk.length : newline;
        line.append(chunk.subarray(start, end));
        if (newline >= 0) shown.show(line.take());
        start = end + 1;
      }
    },
    end: () => {
      const last = line.take();
      if (last.text !== "") shown.show(last);
    },
    report: () => ({ bytes, truncated: shown.isTruncated() }),
  };
}

function createLineSink({
  sink,
  secrets,
  clock,
  rate,
}: StderrOptions & { readonly sink: (line: string) => void }): {
  readonly keptBytes: number;
  show(line: { readonly text: string; readonly isPartial: boolean }): void;
  isTruncated(): boolean;
} {
  const bucket = createTokenBucket(rate, clock);
  const lines = createStderrLines(secrets);
  let truncated = false;
  return {
    keptBytes: lines.keptUnits * MOST_BYTES_A_UNIT,
    isTruncated: () => truncated,
    show: ({ text, isPartial }) => {
      if (!bucket.take(1)) {
        truncated = true;
        return;
      }
      const line = lines.show(text, isPartial);
      truncated ||= line.isCut;
      try {
        sink(line.text);
      } catch {
        // The sink is the host's. If a fault of it ended the reading, the server would block (E13).
      }
    },
  };
}

/** Half a character at the cut becomes U+FFFD; a byte order mark is text like any other. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** Collects one line up to a bound and forgets the rest of it. */
class LineBuffer {
  readonly #limitBytes: number;
  #parts: Uint8Array = new Uint8Array(0);
  #length = 0;
  #isPartial = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  append(part: Uint8Array): void {
    const fitting = part.subarray(0, this.#limitBytes - this.#length);
    this.#isPartial ||= fitting.length < part.length;
    const length = this.#length + fitting.length;
    if (length > this.#parts.length) {
      const grown = new Uint8Array(Math.min(this.#limitBytes, Math.max(length, this.#parts.length * 2)));
      grown.set(this.#parts.subarray(0, this.#length));
      this.#parts = grown;
    }
    this.#parts.set(fitting, this.#length);
    this.#length = length;
  }

  take(): { readonly text: string; readonly isPartial: boolean } {
    const text = DECODER.decode(this.#parts.subarray(0, this.#length));
    const taken = { text, isPartial: this.#isPartial };
    this.#length = 0;
    this.#isPartial = false;
    return taken;
  }
}
