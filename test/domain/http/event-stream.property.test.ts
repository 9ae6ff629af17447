import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createEventStreamParser, type StreamEvent } from "../../../src/domain/http/event-stream.ts";

interface Parsed {
  readonly events: readonly StreamEvent[];
  readonly retryMs: number | undefined;
  readonly lastEventId: string;
}

const LIMITS = { limitBytes: 1_000_000 };

function parsed(chunks: readonly Uint8Array[]): Parsed {
  const parser = createEventStreamParser(LIMITS);
  const events = chunks.flatMap((chunk) => parser.push(chunk));
  return { events, retryMs: parser.retryMs, lastEventId: parser.lastEventId };
}

/** The standard's own algorithm (9.2.6), on text and with no thought of its cost. */
function plainly(text: string): Parsed {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  lines.pop();
  const events: StreamEvent[] = [];
  let block = { type: "", data: [] as string[] };
  let id = "";
  let lastEventId = "";
  let retryMs: number | undefined;
  for (const line of lines) {
    const [, name, value = ""] = /^([^:]*)(?::[ ]?(.*))?$/s.exec(line) ?? [];
    if (line === "") {
      lastEventId = id;
      const { type, data } = block;
      if (data.length > 0) events.push({ type: type === "" ? "message" : type, data: data.join("\n") });
      block = { type: "", data: [] };
    } else if (name === "data") block.data.push(value);
    else if (name === "event") block.type = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^\d{1,15}$/.test(value)) retryMs = Number(value);
  }
  return { events, retryMs, lastEventId };
}

const LINE_ENDS = fc.constantFrom("\n", "\r", "\r\n", "\n\n");
const FIELDS = fc.constantFrom("data", "dat", "datax", "event", "even", "id", "ids", "retry", "");
const VALUES = fc.constantFrom(
  ":",
  ": ",
  ": x",
  ":7",
  ":é世",
  ":\0",
  "\uFEFF",
  `:${"0".repeat(20)}`,
  `:${"y".repeat(80)}`,
);
const PIECES = fc.oneof(LINE_ENDS, FIELDS, VALUES);

const TEXT = fc.array(PIECES, { maxLength: 60 }).map((pieces) => pieces.join(""));

test("H3b a stream means what the standard says, however it is cut", () => {
  fc.assert(
    fc.property(
      TEXT,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
      (text, cuts) => {
        const bytes = new TextEncoder().encode(text);
        const chunks: Uint8Array[] = [];
        for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
          const to = from + (cuts[turn % cuts.length] ?? 1);
          chunks.push(bytes.subarray(from, to));
          from = to;
        }
        const expected = plainly(text);

        // A carriage return at the very end ends its line at once: what follows it is not waited for.
        assert.deepEqual(parsed([bytes]), expected);
        assert.deepEqual(parsed(chunks), expected);
      },
    ),
    { numRuns: 1_000 },
  );
});

/** Milliseconds of CPU for so many bytes of one line again and again, the best of three. */
function cpuOf(line: string, size: number): number {
  const chunk = new TextEncoder().encode(line.repeat(Math.ceil(65_536 / line.length)));
  const runs = [1, 2, 3].map(() => {
    const parser = createEventStreamParser(LIMITS);
    const before = process.cpuUsage();
    for (let bytes = 0; bytes < size; bytes += chunk.length) parser.push(chunk);
    assert.equal(parser.overflowed, false);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

for (const line of [":\n", ":\r\n", ": keep-alive\n", "\n", "\r"]) {
  test(`H3b lines ${JSON.stringify(line)} that say nothing cost little, and no more than their number`, () => {
    const small = cpuOf(line, 1 << 18);
    const large = cpuOf(line, 1 << 22);

    // Sixteen times the bytes; work that grows with what came before would be 256 times as much.
    assert.ok(large < 64 * Math.max(small, 4), `${small} ms, ${large} ms`);
  });
}
