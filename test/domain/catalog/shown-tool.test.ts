import assert from "node:assert/strict";
import { test } from "node:test";

import { SHOWN_TOOL_LIMIT, shownTool } from "../../../src/domain/catalog/shown-tool.ts";

const plain = (text: string): string => text;

test("A7 a tool is shown in lines, its keys sorted", () => {
  const shown = shownTool(
    {
      name: "send",
      description: "Sends a mail.\nOnce.",
      inputSchema: { type: "object", properties: { to: { type: "string" } } },
      _meta: { x: 1 },
    },
    plain,
  );

  assert.deepEqual(shown.split("\n"), [
    "description:",
    "  Sends a mail.",
    "  Once.",
    "input schema:",
    "  {",
    '    "properties": {',
    '      "to": {',
    '        "type": "string"',
    "      }",
    "    },",
    '    "type": "object"',
    "  }",
  ]);
});

test("A7 hidden characters are shown, since they may be what changed", () => {
  const shown = shownTool({ description: "a\u200Bb\u202Ec\u{E0041}" }, plain);

  assert.equal(shown, "description: a\\u{200b}b\\u{202e}c\\u{e0041}");
});

test("A7 D17 secrets of the definition that a server says back are not kept, in a schema neither", () => {
  const secret = "canary-secret-1";
  const shown = shownTool(
    { description: `Uses ${secret}`, inputSchema: { properties: { a: { default: secret } } } },
    (text) => text.replaceAll(secret, "[redacted]"),
  );

  assert.doesNotMatch(shown, /canary/);
  assert.equal(shown.split("[redacted]").length, 3);
});

for (const [length, kept] of [
  [SHOWN_TOOL_LIMIT - 1, SHOWN_TOOL_LIMIT - 1],
  [SHOWN_TOOL_LIMIT, SHOWN_TOOL_LIMIT],
  [SHOWN_TOOL_LIMIT + 1, SHOWN_TOOL_LIMIT],
] as const) {
  test(`A7 of ${length} characters ${kept} are kept`, () => {
    const text = "x ".repeat(SHOWN_TOOL_LIMIT).slice(0, length - "title: ".length);

    assert.equal(shownTool({ title: text }, plain).length, kept);
  });
}

test("A7 a tool of any size and depth is shown within the limit", () => {
  let schema: unknown = {};
  for (let level = 0; level < 100_000; level += 1) schema = [schema];

  const shown = shownTool({ description: "\u202E".repeat(100_000), inputSchema: schema }, plain);

  assert.ok(shown.length <= SHOWN_TOOL_LIMIT);
});
