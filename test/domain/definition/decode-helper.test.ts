import assert from "node:assert/strict";
import { test } from "node:test";

import { materialOf } from "../../../src/domain/definition/definition.ts";
import { definitionOf, manyTexts, problemOf } from "../../kit/definitions.ts";

function helperOf(headersHelper: unknown): unknown {
  const material = materialOf(definitionOf({ url: "https://a.example", headersHelper }));
  return material.transport === "stdio" ? undefined : material.headersHelper;
}

function refuses(headersHelper: unknown, reason: string, path: string): void {
  const problem = problemOf({ url: "https://a.example", headersHelper });
  assert.deepEqual(
    [problem.reason, problem.path],
    [reason, path],
    JSON.stringify(headersHelper).slice(0, 80),
  );
}

test("D7 a helper is an absolute command and its arguments", () => {
  assert.deepEqual(helperOf({ command: "/usr/bin/helper" }), { command: "/usr/bin/helper", args: [] });
  assert.deepEqual(helperOf({ command: "C:\\Tools\\helper.exe", args: ["a", ""] }), {
    command: "C:\\Tools\\helper.exe",
    args: ["a", ""],
  });
});

test("D7 a shell line is refused with the argv form as the hint and without its text", () => {
  const problem = problemOf({ url: "https://a.example", headersHelper: "/bin/helper --token canary" });

  assert.deepEqual(problem, {
    kind: "definition",
    reason: "invalid-type",
    path: "headersHelper",
    expected: 'an object such as { "command": "/absolute/program", "args": ["one", "two"] }',
  });
});

test("D7 a command that is not absolute is refused", () => {
  for (const command of ["helper", "./helper", "~/helper", "C:helper", "\\\\host\\share\\helper.exe", ""]) {
    refuses({ command }, "invalid-value", "headersHelper.command");
  }
  refuses({}, "missing-field", "headersHelper.command");
  refuses({ command: 1 }, "invalid-type", "headersHelper.command");
  refuses({ command: `/${"a".repeat(16_384)}` }, "too-long", "headersHelper.command");
});

test("D7 a helper has at most 128 arguments", () => {
  assert.ok(helperOf({ command: "/a", args: manyTexts(128) }));
  refuses({ command: "/a", args: manyTexts(129) }, "too-many", "headersHelper.args");
  refuses({ command: "/a", args: "a" }, "invalid-type", "headersHelper.args");
  refuses({ command: "/a", args: ["a\0"] }, "invalid-value", "headersHelper.args[0]");
});

test("D7 no template is expanded in a helper", () => {
  refuses({ command: "/opt/${X}" }, "template-not-allowed", "headersHelper.command");
  refuses({ command: "/a", args: ["ok", "${TOKEN}"] }, "template-not-allowed", "headersHelper.args[1]");
});

test("D7 an unknown key in a helper is refused", () => {
  refuses({ command: "/a", shell: true }, "invalid-value", "headersHelper");
});

test("D7 the definition says that it has a helper without saying which", () => {
  const definition = definitionOf({ url: "https://a.example", headersHelper: { command: "/a" } });

  assert.equal(definition.hasHeadersHelper, true);
  assert.equal(definitionOf({ url: "https://a.example" }).hasHeadersHelper, false);
});
