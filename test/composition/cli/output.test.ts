import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import * as fc from "fast-check";

import { createOutput, jsonDocument, oneLine } from "../../../src/composition/cli/output.ts";

test("M5 a JSON document says the value and holds no character that a terminal obeys or hides", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const document = jsonDocument(value);

      assert.deepEqual(JSON.parse(document), JSON.parse(JSON.stringify(value)));
      assert.doesNotMatch(
        document.replaceAll("\n", ""),
        /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
      );
    }),
    { numRuns: 200 },
  );
});

test("M5 a JSON document writes control, bidi and tag characters as escapes", () => {
  const document = jsonDocument("\u001b[31m \u009b \u202e \u{e0041} é");

  assert.equal(document, '"\\u001b[31m \\u009b \\u202e \\udb40\\udc41 é"\n');
});

test("D16 a line of stderr is one line without control or bidi characters", () => {
  assert.equal(oneLine("a\r\nb\u001b[2Kc\u202ed\te"), "a b [2Kc d e");
});

test("M5 the answer goes to stdout as it is, a note to stderr as one line", async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = createOutput(stdout, stderr);

  output.answer("one\ntwo");
  output.note("three\nfour");

  assert.equal(await output.flush(), true);
  assert.equal(String(stdout.read()), "one\ntwo");
  assert.equal(String(stderr.read()), "three four\n");
});

test("M5 a reader that left is no failure, and nothing is written to it any more", async () => {
  const { stream, writes } = failing("EPIPE");
  const output = createOutput(stream, new PassThrough());

  output.answer("one");
  assert.equal(await output.flush(), true);
  output.answer("two");
  assert.equal(await output.flush(), true);

  assert.deepEqual(writes, ["one"]);
});

test("M5 an answer that could not be written is a failure", async () => {
  const output = createOutput(failing("ENOSPC").stream, new PassThrough());

  output.answer("one");

  assert.equal(await output.flush(), false);
  assert.equal(await output.flush(), false);
});

function failing(code: string): { readonly stream: Writable; readonly writes: readonly string[] } {
  const writes: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      done(Object.assign(new Error("refused"), { code }));
    },
  });
  return { stream, writes };
}
