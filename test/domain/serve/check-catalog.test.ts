import assert from "node:assert/strict";
import { test } from "node:test";

import { checkCatalog, listedTools } from "../../../src/domain/serve/check-catalog.ts";
import { DEFAULT_SUBMIT_TOOL, promptOf } from "../../../src/domain/serve/submit-tool.ts";

const inputSchema = { type: "object" } as const;
const named = (...names: readonly string[]) => names.map((name) => ({ name, inputSchema }));

test("R2 tools are served with the names, descriptions and schemas of the session", () => {
  const tools = [{ name: "a.b/c d", title: "T", description: "D", inputSchema, outputSchema: inputSchema }];

  const checked = checkCatalog(tools, {});

  assert.deepEqual(checked, { ok: true, value: tools });
});

test("R2 the submission tool stands last and takes a prompt alone", () => {
  const checked = checkCatalog(named("a"), { submitTool: DEFAULT_SUBMIT_TOOL });

  assert.ok(checked.ok);
  assert.deepEqual(
    checked.value.map(({ name }) => name),
    ["a", "agent_submit"],
  );
  assert.deepEqual(checked.value[1]?.inputSchema, {
    type: "object",
    properties: { prompt: { type: "string", minLength: 1 } },
    required: ["prompt"],
    additionalProperties: false,
  });
});

const REFUSED: readonly (readonly [what: string, tools: unknown, reason: string])[] = [
  ["two tools of one name", named("a", "b", "a"), "duplicate-tool"],
  ["a tool with the submission tool's name", named("agent_submit"), "submit-tool-name"],
  ["no list", { a: 1 }, "tools-unreadable"],
  ["nothing", undefined, "tools-unreadable"],
  ["a tool without a name", [{ inputSchema }], "tools-unreadable"],
  ["a tool with an empty name", named(""), "tools-unreadable"],
  ["a tool without a schema", [{ name: "a" }], "tools-unreadable"],
  ["10,001 tools", named(...Array.from({ length: 10_001 }, (_, at) => `t${at}`)), "tools-unreadable"],
];

for (const [what, tools, reason] of REFUSED) {
  test(`R1 ${what} cannot be served`, () => {
    assert.deepEqual(checkCatalog(tools, { submitTool: DEFAULT_SUBMIT_TOOL }), {
      ok: false,
      refusal: { kind: "served-catalog", reason },
    });
  });
}

test("R1 10,000 tools can be served, and names that a map would confuse are only names", () => {
  assert.ok(checkCatalog(named(...Array.from({ length: 10_000 }, (_, at) => `t${at}`)), {}).ok);
  assert.ok(checkCatalog(named("__proto__", "constructor", "A", "a"), {}).ok);
});

test("R1 a tool may be named like the submission tool where there is none", () => {
  assert.ok(checkCatalog(named("agent_submit"), { submitTool: undefined }).ok);
});

test("R2 a listed tool has the fields of a tool and no others", () => {
  const [tool] = named("a");

  assert.deepEqual(listedTools([Object.assign({ secret: "x" }, tool)]), { ok: true, value: [tool] });
});

test("R2 a schema that names no type is listed as one of objects, and any other as it is", () => {
  const listed = listedTools([
    { name: "a", inputSchema: { properties: {} } },
    { name: "b", inputSchema: { type: "object", "x-note": 1 } },
  ]);

  assert.deepEqual(listed.ok && listed.value.map((tool) => tool.inputSchema), [
    { type: "object", properties: {} },
    { type: "object", "x-note": 1 },
  ]);
});

test("R1 what no list could carry is not listed", () => {
  const cyclic: { [key: string]: unknown } = { type: "object" };
  cyclic["properties"] = cyclic;

  const writesItself = { type: "object", default: new Date(0) };
  for (const schema of [
    cyclic,
    writesItself,
    { type: "object", x: () => 1 },
    { x: "y".repeat(16 * 1024 * 1024) },
  ]) {
    const listed = listedTools([{ name: "a", inputSchema: schema }]);
    assert.deepEqual(listed, { ok: false, refusal: { kind: "served-catalog", reason: "tools-unreadable" } });
  }
});

const PROMPTS: readonly (readonly [args: unknown, prompt: string | undefined])[] = [
  [{ prompt: "hi" }, "hi"],
  [{ prompt: " " }, " "],
  [{ prompt: "" }, undefined],
  [{ prompt: 1 }, undefined],
  [{ prompt: ["hi"] }, undefined],
  [{}, undefined],
  [{ prompt: "hi", model: "x" }, undefined],
  [{ Prompt: "hi" }, undefined],
  [undefined, undefined],
  [["prompt"], undefined],
];

for (const [args, prompt] of PROMPTS) {
  test(`R2 the submission tool makes ${JSON.stringify(prompt)} of ${JSON.stringify(args)}`, () => {
    assert.equal(promptOf(args), prompt);
  });
}
