import assert from "node:assert/strict";
import { test } from "node:test";

import type { CallResult, ContentPart } from "../../../src/domain/catalog/content-part.ts";
import { decodeCallResult } from "../../../src/domain/catalog/content.ts";
import { GATEWAY_META_KEY, gatewayOutcome } from "../../../src/domain/serve/gateway-result.ts";

const EMPTY: CallResult = {
  isError: false,
  parts: [],
  structured: undefined,
  diagnostics: [],
  mismatches: [],
};

const BLOCKS: readonly (readonly [what: string, part: ContentPart, block: object])[] = [
  ["text", { type: "text", text: "hi" }, { type: "text", text: "hi" }],
  [
    "a text that hides something",
    { type: "text", text: "hi", raw: "h\u202ei" },
    { type: "text", text: "hi" },
  ],
  [
    "an image",
    { type: "image", mimeType: "image/png", base64: "AAAA", bytes: 3 },
    { type: "image", mimeType: "image/png", data: "AAAA" },
  ],
  [
    "a sound",
    { type: "audio", mimeType: "audio/wav", base64: "AAAA", bytes: 3 },
    { type: "audio", mimeType: "audio/wav", data: "AAAA" },
  ],
  [
    "a link",
    {
      type: "resource-link",
      uri: "file:///a",
      name: "a",
      title: "A",
      description: "d",
      mimeType: "text/plain",
    },
    {
      type: "resource_link",
      uri: "file:///a",
      name: "a",
      title: "A",
      description: "d",
      mimeType: "text/plain",
    },
  ],
  [
    "a link without a name, which the protocol wants",
    {
      type: "resource-link",
      uri: "file:///a",
      name: undefined,
      title: undefined,
      description: undefined,
      mimeType: undefined,
    },
    { type: "resource_link", uri: "file:///a", name: "file:///a" },
  ],
  [
    "a resource of text",
    {
      type: "embedded-resource",
      resource: { uri: "a:b", mimeType: "text/plain", body: { kind: "text", text: "x" } },
    },
    { type: "resource", resource: { uri: "a:b", mimeType: "text/plain", text: "x" } },
  ],
  [
    "a resource of bytes",
    {
      type: "embedded-resource",
      resource: { uri: "a:b", mimeType: undefined, body: { kind: "blob", base64: "AAAA", bytes: 3 } },
    },
    { type: "resource", resource: { uri: "a:b", blob: "AAAA" } },
  ],
  [
    "a block that nobody knows",
    { type: "unknown", sourceType: "video", value: { type: "video", data: "x" } },
    { type: "text", text: '[content left out: not known here, type "video"]' },
  ],
  [
    "a block that is broken",
    { type: "malformed", reason: "data-missing", sourceType: "image" },
    { type: "text", text: '[content left out: malformed, data-missing, type "image"]' },
  ],
];

for (const [what, part, block] of BLOCKS) {
  test(`R11 ${what} is passed on in its place`, () => {
    const outcome = gatewayOutcome({ result: { ...EMPTY, parts: [{ type: "text", text: "a" }, part] } });

    assert.deepEqual(outcome, {
      status: "completed",
      isError: false,
      content: [{ type: "text", text: "a" }, block],
    });
  });
}

test("R11 a tool that failed is passed on as one that failed", () => {
  const result = decodeCallResult({ content: [{ type: "text", text: "boom" }], isError: true });

  assert.deepEqual(gatewayOutcome({ result }), {
    status: "completed",
    isError: true,
    content: [{ type: "text", text: "boom" }],
  });
});

for (const value of [{ sum: 5 }, null, [1], "text"]) {
  test(`R11 structured content ${JSON.stringify(value)} stays a value, and is text where nothing else is`, () => {
    const result = decodeCallResult({ structuredContent: value });

    assert.deepEqual(gatewayOutcome({ result }), {
      status: "completed",
      isError: false,
      content: [
        { type: "text", text: JSON.stringify(value) === '"text"' ? '"text"' : JSON.stringify(value) },
      ],
      structured: { value },
    });
  });
}

test("R11 structured content beside a text is not said twice", () => {
  const result = decodeCallResult({ content: [{ type: "text", text: "5" }], structuredContent: { sum: 5 } });

  assert.deepEqual(gatewayOutcome({ result }), {
    status: "completed",
    isError: false,
    content: [{ type: "text", text: "5" }],
    structured: { value: { sum: 5 } },
  });
});

test("K7 a result that is kept elsewhere says so to the model and, closed, to the client; the tool has not failed", () => {
  const spilled = { reference: "a".repeat(32), chars: 60_000 };
  const outcome = gatewayOutcome({
    result: { ...EMPTY, parts: [{ type: "text", text: "begin" }], diagnostics: ["result-spilled"], spilled },
  });

  assert.ok(outcome.status === "completed");
  const [first, note] = outcome.content ?? [];
  assert.deepEqual(first, { type: "text", text: "begin" });
  assert.match(
    String(note?.["text"]),
    /^\[This is the beginning of a result of 60000 characters.*The tool has run\./,
  );
  assert.match(String(note?.["text"]), /sallyport result a{32}/);
  assert.equal(outcome.isError, false);
  assert.deepEqual(outcome.meta, { [GATEWAY_META_KEY]: { diagnostics: ["result-spilled"], spilled } });
});

test("K8 what misses its output schema is passed on with the places", () => {
  const mismatches = [{ path: "/a", expected: "type number" }];
  const result = {
    ...EMPTY,
    structured: { value: {} },
    diagnostics: ["structured-mismatch"],
    mismatches,
  } as const;
  const outcome = gatewayOutcome({ result });

  assert.ok(outcome.status === "completed");
  assert.deepEqual(outcome.structured, { value: {} });
  assert.deepEqual(outcome.meta, {
    [GATEWAY_META_KEY]: { diagnostics: ["structured-mismatch"], mismatches },
  });
});

test("A7 a tool that is not as it was pinned says so on its results", () => {
  const outcome = gatewayOutcome({ result: EMPTY, change: "changed" });

  assert.deepEqual(outcome, {
    status: "completed",
    isError: false,
    content: [],
    meta: { [GATEWAY_META_KEY]: { change: "changed" } },
  });
});

test("R11 a server's own _meta goes no further", () => {
  const result = decodeCallResult({
    content: [],
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "x" } },
  });

  assert.deepEqual(gatewayOutcome({ result }), { status: "completed", isError: false, content: [] });
});
