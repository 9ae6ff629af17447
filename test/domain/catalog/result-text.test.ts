import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeCallResult } from "../../../src/domain/catalog/content.ts";
import { resultText } from "../../../src/domain/catalog/result-text.ts";

function textOf(content: readonly unknown[], rest: object = {}): string {
  return resultText(decodeCallResult({ content, ...rest }));
}

const ROWS: readonly (readonly [what: string, block: unknown, text: string])[] = [
  ["text", { type: "text", text: "a\nb" }, "a\nb"],
  [
    "an image",
    { type: "image", data: "AAEC", mimeType: "image/png" },
    "[image left out: image/png, 3 bytes]",
  ],
  ["audio", { type: "audio", data: "AA==", mimeType: "audio/wav" }, "[audio left out: audio/wav, 1 bytes]"],
  [
    "a link",
    { type: "resource_link", uri: "file:///a", name: "A", mimeType: "text/plain" },
    "[resource link: A, file:///a, text/plain]",
  ],
  ["an embedded text", { type: "resource", resource: { uri: "x:", text: "t" } }, "t"],
  [
    "an embedded blob",
    { type: "resource", resource: { uri: "x:1", mimeType: "a/b", blob: "AAEC" } },
    "[resource left out: x:1, a/b, 3 bytes]",
  ],
  ["an unknown block", { type: "video" }, '[content left out: not known here, type "video"]'],
  ["a malformed block", { type: "text" }, '[content left out: malformed, text-missing, type "text"]'],
  ["a block that is none", 7, "[content left out: malformed, not-an-object]"],
];

for (const [what, block, text] of ROWS) {
  test(`K6 ${what} is projected to text`, () => {
    assert.equal(textOf([block]), text);
  });
}

test("K6 parts are projected in their order, a line each", () => {
  assert.equal(
    textOf([ROWS[1]?.[1], { type: "text", text: "after" }]),
    "[image left out: image/png, 3 bytes]\nafter",
  );
});

test("I4 K6 a result with nothing but structured content is shown as its JSON", () => {
  assert.equal(textOf([], { structuredContent: { a: 1 } }), '{"a":1}');
  assert.equal(textOf([{ type: "text", text: "" }], { structuredContent: null }), "\nnull");
});

test("K6 structured content beside text is not repeated", () => {
  assert.equal(textOf([{ type: "text", text: "one" }], { structuredContent: { n: 1 } }), "one");
});

test("K6 structured content too deep to write is named instead", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];

  assert.equal(textOf([], { structuredContent: deep }), "[structured content left out: nested too deeply]");
});

test("K9 hidden characters of a result do not reach a terminal", () => {
  assert.equal(textOf([{ type: "text", text: "a\u001B]0;x\u0007\u202Eb" }]), "a]0;xb");
});

test("K9 a long text of a result is not cut", () => {
  assert.equal(textOf([{ type: "text", text: "t".repeat(100_000) }]).length, 100_000);
});

test("K9 a link cannot make itself look like another line of the result", () => {
  assert.equal(
    textOf([{ type: "resource_link", uri: "x:1", name: "a\n[image left out]" }]),
    "[resource link: a [image left out], x:1]",
  );
});
