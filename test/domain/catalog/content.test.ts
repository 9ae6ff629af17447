import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import type { ContentPart, MalformedReason } from "../../../src/domain/catalog/content-part.ts";
import {
  checkStructured,
  decodeCallResult,
  decodePromptResult,
  decodeResourceContents,
} from "../../../src/domain/catalog/content.ts";

function partOf(block: unknown): ContentPart | undefined {
  return decodeCallResult({ content: [block] }).parts[0];
}

const PARTS: readonly (readonly [what: string, block: unknown, part: ContentPart])[] = [
  ["text", { type: "text", text: "hi" }, { type: "text", text: "hi" }],
  [
    "an image",
    { type: "image", data: "AAEC", mimeType: "image/png" },
    { type: "image", mimeType: "image/png", base64: "AAEC", bytes: 3 },
  ],
  [
    "audio",
    { type: "audio", data: "AA==", mimeType: "audio/wav" },
    { type: "audio", mimeType: "audio/wav", base64: "AA==", bytes: 1 },
  ],
  [
    "a resource link",
    { type: "resource_link", uri: "x:1", name: "n" },
    {
      type: "resource-link",
      uri: "x:1",
      name: "n",
      title: undefined,
      description: undefined,
      mimeType: undefined,
    },
  ],
  [
    "an embedded text",
    { type: "resource", resource: { uri: "x:1", mimeType: "text/plain", text: "t" } },
    {
      type: "embedded-resource",
      resource: { uri: "x:1", mimeType: "text/plain", body: { kind: "text", text: "t" } },
    },
  ],
  [
    "an embedded blob",
    { type: "resource", resource: { uri: "x:1", blob: "AAE=" } },
    {
      type: "embedded-resource",
      resource: { uri: "x:1", mimeType: undefined, body: { kind: "blob", base64: "AAE=", bytes: 2 } },
    },
  ],
  [
    "a block of a kind not known here",
    { type: "video", data: "x" },
    { type: "unknown", sourceType: "video", value: { type: "video", data: "x" } },
  ],
];

for (const [what, block, part] of PARTS) {
  test(`K6 ${what} is decoded, and nothing is marked`, () => {
    assert.deepEqual(decodeCallResult({ content: [block] }), {
      isError: false,
      parts: [part],
      structured: undefined,
      diagnostics: [],
      mismatches: [],
    });
  });
}

/* Typed over every reason. */
const MALFORMED: Readonly<Record<MalformedReason, readonly unknown[]>> = {
  "not-an-object": [null, "text", []],
  "type-missing": [{}, { type: 7 }],
  "text-missing": [{ type: "text" }, { type: "text", text: 7 }],
  "data-missing": [{ type: "image", mimeType: "image/png" }],
  "data-not-base64": [
    { type: "image", data: "A", mimeType: "image/png" },
    { type: "image", data: "AA=A", mimeType: "image/png" },
    { type: "audio", data: "A-_A", mimeType: "audio/wav" },
    { type: "audio", data: "AA\u0100A", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "x:", blob: "A===" } },
  ],
  "mime-type-missing": [{ type: "image", data: "AAAA" }],
  "uri-missing": [{ type: "resource_link" }, { type: "resource", resource: { text: "t" } }],
  "resource-missing": [{ type: "resource" }],
  "body-missing": [{ type: "resource", resource: { uri: "x:" } }],
};

for (const [reason, blocks] of Object.entries(MALFORMED)) {
  for (const block of blocks) {
    test(`K6 the block ${JSON.stringify(block)} becomes a diagnostic in its place`, () => {
      const before = { type: "text", text: "before" } as const;
      const after = { type: "text", text: "after" } as const;
      const result = decodeCallResult({ content: [before, block, after] });

      assert.deepEqual(result.diagnostics, ["part-malformed"]);
      assert.deepEqual([result.parts[0], result.parts[2]], [before, after]);
      const part = result.parts[1];
      assert.ok(part?.type === "malformed");
      assert.equal(part.reason, reason);
    });
  }
}

test("I5 I7 K6 a content type that does not exist costs no other part", () => {
  const content = [
    { type: "blob", data: "AA==", mimeType: "x/y" },
    { type: "text", text: "still here" },
  ];

  assert.deepEqual(
    decodeCallResult({ content }).parts.map((part) => part.type),
    ["unknown", "text"],
  );
});

test("K6 the shown type of an unknown block is cleaned and cut, its value is as it came", () => {
  const block = { type: `\u202E${"v".repeat(100)}` };
  const part = partOf(block);

  assert.deepEqual(part, { type: "unknown", sourceType: "v".repeat(64), value: block });
});

for (const value of [null, false, 0, "", [], {}, { a: [1] }]) {
  test(`K6 the structured content ${JSON.stringify(value)} comes last and is told from none`, () => {
    const result = decodeCallResult({ content: [{ type: "text", text: "t" }], structuredContent: value });

    assert.deepEqual(result.structured, { value });
    assert.deepEqual(result.parts.at(-1), { type: "structured", value });
  });
}

const FLAGS: readonly (readonly [raw: unknown, isError: boolean, marked: boolean])[] = [
  [undefined, false, false],
  [null, false, false],
  [false, false, false],
  [true, true, false],
  ["true", true, true],
  [0, true, true],
];

for (const [raw, isError, marked] of FLAGS) {
  test(`K8 isError ${JSON.stringify(raw)} counts as ${isError ? "a failure" : "a success"}`, () => {
    const result = decodeCallResult({ content: [], isError: raw });

    assert.equal(result.isError, isError);
    assert.deepEqual(result.diagnostics, marked ? ["error-flag-malformed"] : []);
  });
}

test("I2 K6 a result that is no object is a failure that says so", () => {
  for (const raw of [[], null, "x", undefined]) {
    assert.deepEqual(decodeCallResult(raw).diagnostics, ["result-not-an-object"]);
    assert.equal(decodeCallResult(raw).isError, true);
  }
});

test("K6 missing content is marked, unless there is structured content", () => {
  assert.deepEqual(decodeCallResult({}).diagnostics, ["content-missing"]);
  assert.deepEqual(decodeCallResult({ content: {} }).diagnostics, ["content-not-a-list"]);
  assert.deepEqual(decodeCallResult({ structuredContent: 1 }).diagnostics, []);
});

const NEVER_FITS = (): readonly { path: string; expected: string }[] => [
  { path: "/data", expected: "type string" },
];

test("I1 K8 a failed result is not checked, and keeps its words", () => {
  const result = decodeCallResult({
    isError: true,
    content: [{ type: "text", text: "boom" }],
    structuredContent: { error: "x" },
  });

  assert.deepEqual(checkStructured(result, NEVER_FITS), result);
  assert.deepEqual(result.parts[0], { type: "text", text: "boom" });
});

test("I2 K8 missing structured content is reported, and the content stays", () => {
  const result = decodeCallResult({ content: [{ type: "text", text: "t" }] });

  const checked = checkStructured(result, NEVER_FITS);

  assert.deepEqual(checked.diagnostics, ["structured-missing"]);
  assert.deepEqual(checked.parts, result.parts);
});

test("K8 mismatching structured content is reported with the places, and stays", () => {
  const result = decodeCallResult({ content: [], structuredContent: { data: 1 } });

  const checked = checkStructured(result, NEVER_FITS);

  assert.deepEqual(checked.diagnostics, ["structured-mismatch"]);
  assert.deepEqual(checked.mismatches, NEVER_FITS());
  assert.deepEqual(checked.structured, { value: { data: 1 } });
  assert.deepEqual(
    checkStructured(result, () => []),
    result,
  );
});

test("K6 a prompt's messages keep their order and roles, and what is malformed is marked", () => {
  const result = decodePromptResult({
    description: "d\u202E",
    messages: [
      { role: "user", content: { type: "text", text: "q" } },
      { role: "assistant", content: { type: "image" } },
      { role: "system", content: { type: "text", text: "s" } },
      7,
    ],
  });

  assert.equal(result.description, "d");
  assert.deepEqual(
    result.messages.map(({ role, part }) => [role, part.type]),
    [
      ["user", "text"],
      ["assistant", "malformed"],
      ["unknown", "text"],
      ["unknown", "malformed"],
    ],
  );
  assert.deepEqual(result.diagnostics, ["part-malformed"]);
});

test("K6 a well-formed prompt is not marked, a missing list is", () => {
  const messages = [{ role: "user", content: { type: "text", text: "q" } }];

  assert.deepEqual(decodePromptResult({ messages }).diagnostics, []);
  assert.deepEqual(decodePromptResult({}).diagnostics, ["content-missing"]);
  assert.deepEqual(decodePromptResult(null).diagnostics, ["result-not-an-object"]);
});

test("K6 the contents of a resource are decoded, and what is none is counted", () => {
  const result = decodeResourceContents({ contents: [{ uri: "x:", text: "t" }, { uri: "x:" }, null] });

  assert.deepEqual(result.contents, [{ uri: "x:", mimeType: undefined, body: { kind: "text", text: "t" } }]);
  assert.equal(result.malformed, 2);
  assert.deepEqual(result.diagnostics, ["part-malformed"]);
  assert.deepEqual(decodeResourceContents({}).diagnostics, ["content-missing"]);
  assert.deepEqual(decodeResourceContents(7).diagnostics, ["result-not-an-object"]);
});

test("K6 decoding never throws and loses no block", () => {
  const block = fc.oneof(
    fc.anything(),
    fc.record({
      type: fc.constantFrom("text", "image", "resource", "resource_link", "x"),
      text: fc.anything(),
    }),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 6 }), fc.anything(), (content, isError) => {
      assert.equal(decodeCallResult({ content, isError }).parts.length, content.length);
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.anything(), (raw) => {
      decodeCallResult(raw);
      decodePromptResult(raw);
      decodeResourceContents(raw);
    }),
    { numRuns: 300 },
  );
});

const HIDDEN = "pay\u202E me\u{E0041}\u200B\u0007";

test("K9 hidden characters are taken out of a text part, which keeps what was sent beside it", () => {
  const result = decodeCallResult({ content: [{ type: "text", text: HIDDEN }] });

  assert.deepEqual(result.parts, [{ type: "text", text: "pay me", raw: HIDDEN }]);
  assert.deepEqual(result.diagnostics, ["text-cleaned"]);
});

test("K9 a text without hidden characters is one text, and no diagnostic", () => {
  const text = `plain\n\t\u{1F600} ${"x".repeat(10_000)}`;
  const result = decodeCallResult({ content: [{ type: "text", text }] });

  assert.deepEqual([result.parts, result.diagnostics], [[{ type: "text", text }], []]);
});

test("K9 an embedded text is cleaned like any other, in a call, a prompt and a resource", () => {
  const resource = { uri: "x:1", text: HIDDEN };
  const body = { kind: "text", text: "pay me", raw: HIDDEN };

  const called = decodeCallResult({ content: [{ type: "resource", resource }] });
  const prompted = decodePromptResult({
    messages: [{ role: "user", content: { type: "resource", resource } }],
  });
  const read = decodeResourceContents({ contents: [resource] });

  const [part] = called.parts;
  assert.deepEqual(part?.type === "embedded-resource" && part.resource.body, body);
  assert.deepEqual(read.contents[0]?.body, body);
  for (const { diagnostics } of [called, prompted, read]) assert.deepEqual(diagnostics, ["text-cleaned"]);
});

test("K9 the labels of a link are cleaned and cut to 8,192 characters; its URI is an identifier and stays", () => {
  const description = `\u200B${"d".repeat(8193)}`;
  const result = decodeCallResult({
    content: [{ type: "resource_link", uri: "x:\u202E1", name: "n\u0007", description }],
  });

  assert.deepEqual(result.parts, [
    {
      type: "resource-link",
      uri: "x:\u202E1",
      name: "n",
      title: undefined,
      description: "d".repeat(8192),
      mimeType: undefined,
    },
  ]);
  assert.deepEqual(result.diagnostics, ["text-cleaned", "text-cut"]);
});

test("K9 a failed result is cleaned too, and says once that it was", () => {
  const block = { type: "text", text: HIDDEN };
  const result = decodeCallResult({ isError: true, content: [block, block] });

  assert.equal(result.isError, true);
  assert.deepEqual(result.diagnostics, ["text-cleaned"]);
});

test("K9 structured content is data and stays as it came", () => {
  const result = decodeCallResult({ content: [], structuredContent: { a: HIDDEN } });

  assert.deepEqual([result.structured, result.diagnostics], [{ value: { a: HIDDEN } }, []]);
});
