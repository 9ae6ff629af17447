import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { FrameSplitter } from "../../src/domain/frames.ts";

function split(
  chunks: readonly (string | Uint8Array)[],
  limitBytes = 1_000,
): { frames: string[]; result: "ok" | "too-long" } {
  const splitter = new FrameSplitter(() => limitBytes);
  const frames: string[] = [];
  for (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    // A frame is valid only during the call, so it is copied here.
    const result = splitter.push(bytes, (frame) => frames.push(Buffer.from(frame).toString()));
    if (result === "too-long") return { frames, result };
  }
  return { frames, result: "ok" };
}

test("X5 one frame a line, whatever the chunks", () => {
  assert.deepEqual(split(["one\ntw", "o", "\n", "three\nfour"]), {
    frames: ["one", "two", "three"],
    result: "ok",
  });
});

test("X5 an empty line is a frame of its own", () => {
  assert.deepEqual(split(["\n\na\n"]).frames, ["", "", "a"]);
});

test("E16 two frames of exactly the cap in one chunk both pass", () => {
  assert.deepEqual(split([`${"a".repeat(100)}\n${"b".repeat(100)}\n`], 100), {
    frames: ["a".repeat(100), "b".repeat(100)],
    result: "ok",
  });
});

for (const [length, result] of [
  [99, "ok"],
  [100, "ok"],
  [101, "too-long"],
] as const) {
  test(`X5 a frame of ${length} bytes under a cap of 100 is ${result}, in one chunk or in two`, () => {
    const line = `${"a".repeat(length)}\n`;

    assert.equal(split([line], 100).result, result);
    assert.equal(split([line.slice(0, 60), line.slice(60)], 100).result, result);
  });
}

test("X5 a frame over the cap is told before its newline comes, after the frames before it", () => {
  assert.deepEqual(split(["ok\n", "a".repeat(101)], 100), { frames: ["ok"], result: "too-long" });
});

test("X5 half a UTF-8 character at a chunk's end is not looked at", () => {
  const bytes = Buffer.from("äöü€😀\n");
  const chunks = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));

  assert.deepEqual(split(chunks).frames, ["äöü€😀"]);
});

test("X5 frames do not depend on how the stream is cut", () => {
  const lines = fc.array(
    fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll("\n", "")),
  );
  fc.assert(
    fc.property(lines, fc.array(fc.nat(30), { minLength: 1 }), (texts, sizes) => {
      const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
      const chunks: Uint8Array[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = (sizes[turn % sizes.length] ?? 0) + 1;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      assert.deepEqual(split(chunks, 10_000).frames, split([bytes], 10_000).frames);
    }),
    { numRuns: 100 },
  );
});

test("X5 a long frame in one-byte chunks costs a bounded number of copies of each byte", (t) => {
  const bytes = 20_000;
  const splitter = new FrameSplitter(() => bytes);
  const copies = t.mock.method(Uint8Array.prototype, "set");

  for (let count = 0; count < bytes; count += 1) splitter.push(new Uint8Array([97]), () => undefined);

  const copied = copies.mock.calls.reduce((sum, { arguments: [source] }) => sum + (source?.length ?? 0), 0);
  assert.ok(copied >= bytes && copied <= 3 * bytes, `copied ${copied}`);
});
