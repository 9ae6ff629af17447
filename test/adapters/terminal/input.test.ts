import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";

import { INPUT_LIMIT_BYTES, readText } from "../../../src/adapters/terminal/input.ts";

const signal = new AbortController().signal;

test("K5 input is read to its end, a character across two chunks too", async () => {
  const bytes = Buffer.from('{"a":"é"}');
  const stream = Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]);

  assert.equal(await readText(stream, { signal }), '{"a":"é"}');
});

for (const [length, read] of [
  [9, true],
  [10, true],
  [11, false],
] as const) {
  test(`M5 input of ${length} bytes under a limit of 10 is ${read ? "read" : "given up"}`, async () => {
    const stream = Readable.from([Buffer.alloc(5, "a"), Buffer.alloc(length - 5, "a")]);

    const text = await readText(stream, { signal, limitBytes: 10 });

    assert.equal(text, read ? "a".repeat(length) : undefined);
  });
}

test("M5 the limit is 8 MiB", () => {
  assert.equal(INPUT_LIMIT_BYTES, 8_388_608);
});

test("M5 input that is no UTF-8 is given up", async () => {
  assert.equal(await readText(Readable.from([Buffer.from([0xff, 0xfe])]), { signal }), undefined);
});

test("M5 an abort ends the reading with its reason", async () => {
  const controller = new AbortController();
  const reason = new Error("interrupted");

  const reading = readText(new PassThrough(), { signal: controller.signal });
  controller.abort(reason);

  await assert.rejects(reading, reason);
});
