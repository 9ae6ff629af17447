import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createEventStreamParser, type StreamEvent } from "../../../src/domain/http/event-stream.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parser = (limitBytes = 1_000_000): ReturnType<typeof createEventStreamParser> =>
  createEventStreamParser({ limitBytes });
const parse = (text: string): readonly StreamEvent[] => parser().push(bytes(text));
const message = (data: string): StreamEvent => ({ type: "message", data });

const STREAMS: readonly { readonly name: string; readonly text: string; readonly events: StreamEvent[] }[] = [
  { name: "LF line ends", text: "data: a\n\n", events: [message("a")] },
  { name: "CRLF line ends", text: "data: a\r\n\r\n", events: [message("a")] },
  { name: "CR line ends", text: "data: a\r\r", events: [message("a")] },
  { name: "mixed line ends", text: "data: a\rdata: b\r\ndata: c\n\r\n", events: [message("a\nb\nc")] },
  { name: "a byte order mark", text: "\uFEFFdata: a\n\n", events: [message("a")] },
  { name: "a second byte order mark", text: "data: a\n\n\uFEFFdata: b\n\n", events: [message("a")] },
  { name: "comments", text: ": hi\n:\ndata: a\n: x\n\n", events: [message("a")] },
  { name: "no space after the colon", text: "data:a\n\n", events: [message("a")] },
  { name: "only one space taken", text: "data:  a\n\n", events: [message(" a")] },
  { name: "a field without a colon", text: "data\n\n", events: [message("")] },
  { name: "several data lines", text: "data: a\ndata: b\n\n", events: [message("a\nb")] },
  { name: "a named event", text: "event: ping\ndata: a\n\n", events: [{ type: "ping", data: "a" }] },
  { name: "a name without data", text: "event: ping\n\ndata: a\n\n", events: [message("a")] },
  { name: "unknown fields", text: "foo: bar\n data: x\ndata: a\n\n", events: [message("a")] },
  { name: "a colon in the value", text: "data: a:b\n\n", events: [message("a:b")] },
  { name: "an unfinished block", text: "data: a\n\ndata: b\n", events: [message("a")] },
];

for (const { name, text, events } of STREAMS) {
  test(`H3b a stream with ${name} gives its events`, () => {
    assert.deepEqual(parse(text), events);
  });
}

for (const { name, text, events } of STREAMS) {
  test(`H3b a stream with ${name} gives the same events byte by byte`, () => {
    const one = parser();
    const seen = [...bytes(text)].flatMap((byte) => one.push(Uint8Array.of(byte)));
    assert.deepEqual(seen, events);
  });
}

test("H3b a character split over two chunks is whole", () => {
  const text = bytes("data: aé😀b\n\n");
  fc.assert(
    fc.property(fc.nat({ max: text.length }), fc.nat({ max: text.length }), (one, other) => {
      const [low, high] = one < other ? [one, other] : [other, one];
      const split = parser();
      const parts = [text.subarray(0, low), text.subarray(low, high), text.subarray(high)];
      assert.deepEqual(
        parts.flatMap((part) => split.push(part)),
        [message("aé😀b")],
      );
    }),
  );
});

test("H3b however bytes are cut, the events are those of the whole", () => {
  const piece = fc.constantFrom(
    "data: a",
    "data",
    "id: 1",
    "retry: 5",
    "event: x",
    ":c",
    "\n",
    "\r",
    "\r\n",
    "é",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat({ max: 9 })), (pieces, cuts) => {
      const text = bytes(pieces.join(""));
      const split = parser();
      const seen: StreamEvent[] = [];
      let from = 0;
      for (const cut of cuts) {
        seen.push(...split.push(text.subarray(from, from + cut)));
        from += cut;
      }
      seen.push(...split.push(text.subarray(from)));
      assert.deepEqual(seen, parse(pieces.join("")));
    }),
    { numRuns: 300 },
  );
});

test("H3b an id counts from the end of its block, and one with NUL not at all", () => {
  const one = parser();
  one.push(bytes("id: 7\n"));
  assert.equal(one.lastEventId, "");
  one.push(bytes("\n"));
  assert.equal(one.lastEventId, "7");
  one.push(bytes("id: 8\0\ndata: a\n\n"));
  assert.equal(one.lastEventId, "7");
  one.push(bytes("id\n\n"));
  assert.equal(one.lastEventId, "");
});

for (const { text, retryMs } of [
  { text: "retry: 500\n", retryMs: 500 },
  { text: "retry: 0\n", retryMs: 0 },
  { text: "retry: -1\n", retryMs: undefined },
  { text: "retry: 1.5\n", retryMs: undefined },
  { text: "retry: 1e3\n", retryMs: undefined },
  { text: `retry: ${"9".repeat(16)}\n`, retryMs: undefined },
  { text: "retry: 500\nretry: x\n", retryMs: 500 },
]) {
  test(`H3b ${JSON.stringify(text)} says retry ${retryMs}`, () => {
    const one = parser();
    one.push(bytes(text));
    assert.equal(one.retryMs, retryMs);
  });
}

test("H3 an event of exactly the limit passes, and one byte more does not", () => {
  const within = parser(10);
  assert.deepEqual(within.push(bytes("data:12345\n\n")), [message("12345")]);
  assert.equal(within.overflowed, false);
  const over = parser(10);
  assert.deepEqual(over.push(bytes("data:123456\n\n")), []);
  assert.equal(over.overflowed, true);
});

test("H3 the limit is met before the line ends", () => {
  const over = parser(10);
  over.push(bytes("data:12345"));
  assert.equal(over.overflowed, false);
  over.push(bytes("6"));
  assert.equal(over.overflowed, true);
});

test("H3 the lines of one event count together, those of several do not", () => {
  const over = parser(10);
  over.push(bytes("data:1\ndata:2\n"));
  assert.equal(over.overflowed, true);
  const within = parser(10);
  assert.equal(within.push(bytes("data:1\n\n".repeat(1_000))).length, 1_000);
  assert.equal(within.overflowed, false);
});

test("H3 comments keep a stream alive for ever without reaching the limit", () => {
  const one = parser(10);
  for (let index = 0; index < 100; index += 1) one.push(bytes(": ping\n"));
  assert.equal(one.overflowed, false);
  one.push(bytes(`:${"x".repeat(10)}`));
  assert.equal(one.overflowed, true);
});

test("H3 events before the one that is too long still come, and none after it", () => {
  const one = parser(10);
  assert.deepEqual(one.push(bytes("data:a\n\ndata:1234567\n\ndata:b\n\n")), [message("a")]);
  assert.deepEqual(one.push(bytes("data:c\n\n")), []);
});

test("H3b eight megabytes in single bytes of one line are taken in linear time and room", () => {
  const one = parser(8 * 1024 * 1024);
  const byte = bytes("x");
  one.push(bytes("data:"));
  for (let index = 0; index < 200_000; index += 1) one.push(byte);
  const [event] = one.push(bytes("\n\n"));
  assert.equal(event?.data.length, 200_000);
});
