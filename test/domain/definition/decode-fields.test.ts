import assert from "node:assert/strict";
import { test } from "node:test";

import { materialOf } from "../../../src/domain/definition/definition.ts";
import { definitionOf, manyKeys, manyTexts, problemOf } from "../../kit/definitions.ts";

const STDIO = { command: "a" };
const HTTP = { url: "https://a.example/mcp" };

function accepts(entry: object): void {
  definitionOf(entry);
}

function refuses(entry: object, reason: string, path: string): void {
  const problem = problemOf(entry);
  assert.deepEqual([problem.reason, problem.path], [reason, path], JSON.stringify(entry).slice(0, 80));
}

test("D3 unknown keys are kept as a note, never dropped in silence", () => {
  const { notes } = definitionOf({ type: "stdio", command: "a", autoApprove: ["*"], trust: true });

  assert.deepEqual(notes, [{ note: "ignored", keys: ["autoApprove", "trust"] }]);
});

test("D3 a problem names the field and what was expected, never the configured value", () => {
  const problem = problemOf({ command: "a", args: ["fine", { secret: "canary" }] });

  assert.deepEqual(problem, {
    kind: "definition",
    reason: "invalid-type",
    path: "args[1]",
    expected: "a text",
  });
});

test("D3 the first thing wrong is the one that is named", () => {
  refuses({ command: 1, args: 2, timeout: 3 }, "invalid-type", "command");
  refuses({ command: "a", args: 2, timeout: "x" }, "invalid-type", "args");
});

test("D5 command is a text of 1 to 16,384 characters without NUL", () => {
  refuses({ command: "" }, "invalid-value", "command");
  refuses({ command: "  " }, "invalid-value", "command");
  accepts({ command: "a".repeat(16_383) });
  accepts({ command: "a".repeat(16_384) });
  refuses({ command: "a".repeat(16_385) }, "too-long", "command");
  refuses({ command: "a\0b" }, "invalid-value", "command");
  refuses({ command: ["npx"] }, "invalid-type", "command");
  refuses({ command: "a\ud800" }, "invalid-value", "command");
});

test("D5 args are at most 128 texts of at most 16,384 characters without NUL", () => {
  accepts({ ...STDIO, args: Array.from({ length: 127 }, () => "x") });
  accepts({ ...STDIO, args: Array.from({ length: 128 }, () => "x") });
  refuses({ ...STDIO, args: Array.from({ length: 129 }, () => "x") }, "too-many", "args");
  accepts({ ...STDIO, args: ["", "a".repeat(16_384)] });
  refuses({ ...STDIO, args: ["a".repeat(16_385)] }, "too-long", "args[0]");
  refuses({ ...STDIO, args: ["x", "a\0"] }, "invalid-value", "args[1]");
  refuses({ ...STDIO, args: "x" }, "invalid-type", "args");
  refuses({ ...STDIO, args: null }, "invalid-type", "args");
});

test("D5 cwd is a text", () => {
  accepts({ ...STDIO, cwd: "/srv" });
  refuses({ ...STDIO, cwd: "" }, "invalid-value", "cwd");
  refuses({ ...STDIO, cwd: 1 }, "invalid-type", "cwd");
  refuses({ ...STDIO, cwd: "a".repeat(16_385) }, "too-long", "cwd");
});

test("D5 env is an object of texts, at most 512 of at most 32,768 characters", () => {
  accepts({ ...STDIO, env: { A: "", B: "a".repeat(32_768) } });
  refuses({ ...STDIO, env: { A: "a".repeat(32_769) } }, "too-long", "env.A");
  accepts({ ...STDIO, env: manyKeys(512, "v") });
  refuses({ ...STDIO, env: manyKeys(513, "v") }, "too-many", "env");
  refuses({ ...STDIO, env: ["A=b"] }, "invalid-type", "env");
  refuses({ ...STDIO, env: { PORT: 3000 } }, "invalid-type", "env.PORT");
  refuses({ ...STDIO, env: { A: "x\0" } }, "invalid-value", "env.A");
});

test("D5 an env key is 1 to 256 characters without = and NUL", () => {
  accepts({ ...STDIO, env: { ["K".repeat(256)]: "v", "npm_config_@scope:registry": "v" } });
  for (const key of ["", "A=B", "A\0", "K".repeat(257), "\ud800"]) {
    refuses({ ...STDIO, env: { [key]: "v" } }, "invalid-value", "env");
  }
});

test("D3 a key that is no plain name is told by its position", () => {
  refuses({ ...STDIO, env: { A: "v", "odd key": 1 } }, "invalid-type", "env[1]");
  refuses({ ...HTTP, headers: { "a b": 1 } }, "invalid-type", "headers[0]");
});

test("D5 url is required and a text of at most 16,384 characters", () => {
  accepts({ url: `https://a.example/${"a".repeat(16_384 - 18)}` });
  refuses({ url: `https://a.example/${"a".repeat(16_384 - 17)}` }, "too-long", "url");
  refuses({ url: "" }, "invalid-value", "url");
  refuses({ url: {} }, "invalid-type", "url");
  refuses({ url: "https://a.example/\0" }, "invalid-value", "url");
});

test("D5 headers are an object of at most 256 texts", () => {
  accepts({ ...HTTP, headers: manyKeys(256, "v") });
  refuses({ ...HTTP, headers: manyKeys(257, "v") }, "too-many", "headers");
  refuses({ ...HTTP, headers: [] }, "invalid-type", "headers");
  refuses({ ...HTTP, headers: { Authorization: 1 } }, "invalid-type", "headers.Authorization");
  refuses({ ...HTTP, headers: { "": "v" } }, "invalid-value", "headers");
  refuses({ ...HTTP, headers: { a: "v".repeat(16_385) } }, "too-long", "headers.a");
});

test("D5 env of an http server is kept and noted as without effect", () => {
  const definition = definitionOf({ type: "http", ...HTTP, env: { A: "b" } });

  assert.deepEqual(definition.notes, [{ note: "env-unused" }]);
  assert.equal(materialOf(definition).env.get("A")?.text, "b");
});

test("D5 timeout is a whole number of milliseconds from 1 to 86,400,000", () => {
  for (const timeout of [1, 2, 86_399_999, 86_400_000]) {
    assert.equal(definitionOf({ ...STDIO, timeout }).timeoutMs, timeout);
  }
  for (const timeout of [0, -1, 86_400_001, Number.POSITIVE_INFINITY]) {
    refuses({ ...STDIO, timeout }, "out-of-range", "timeout");
  }
  refuses({ ...STDIO, timeout: 1.5 }, "invalid-value", "timeout");
  refuses({ ...STDIO, timeout: Number.NaN }, "invalid-value", "timeout");
  refuses({ ...STDIO, timeout: "60" }, "invalid-type", "timeout");
});

test("D5 protocolVersion is 2026-07-28 and nothing else", () => {
  assert.equal(definitionOf({ ...STDIO, protocolVersion: "2026-07-28" }).protocolVersion, "2026-07-28");
  refuses({ ...STDIO, protocolVersion: "2025-11-25" }, "invalid-value", "protocolVersion");
  refuses({ ...STDIO, protocolVersion: 2026 }, "invalid-type", "protocolVersion");
});

test("D5 skills is a boolean and needs that version", () => {
  const version = { protocolVersion: "2026-07-28" };
  assert.equal(definitionOf({ ...STDIO, ...version, skills: true }).skills, true);
  assert.equal(definitionOf({ ...STDIO, ...version, skills: false }).skills, false);
  refuses({ ...STDIO, skills: true }, "conflicting-fields", "skills");
  refuses({ ...STDIO, ...version, skills: "yes" }, "invalid-type", "skills");
});

test("D5 disabled is a boolean, and a malformed one starts nothing", () => {
  assert.equal(definitionOf({ ...STDIO, disabled: true }).disabled, true);
  assert.equal(definitionOf({ ...STDIO, disabled: false }).disabled, false);
  assert.equal(definitionOf(STDIO).disabled, false);
  for (const disabled of ["true", 1, null, "false", {}]) {
    refuses({ ...STDIO, disabled }, "invalid-type", "disabled");
  }
});

test("D5 A11 enabled false disables, and a contradiction is refused", () => {
  assert.equal(definitionOf({ ...STDIO, enabled: false }).disabled, true);
  assert.equal(definitionOf({ ...STDIO, enabled: true }).disabled, false);
  assert.equal(definitionOf({ ...STDIO, enabled: false, disabled: true }).disabled, true);
  refuses({ ...STDIO, enabled: true, disabled: true }, "conflicting-fields", "enabled");
  refuses({ ...STDIO, enabled: "no" }, "invalid-type", "enabled");
});

test("D5 tools holds allow and deny lists and nothing else", () => {
  assert.deepEqual(definitionOf({ ...STDIO, tools: { allow: ["read_*"], deny: ["rm"] } }).tools, {
    allow: ["read_*"],
    deny: ["rm"],
  });
  assert.deepEqual(definitionOf({ ...STDIO, tools: {} }).tools, { allow: undefined, deny: [] });
  assert.deepEqual(definitionOf({ ...STDIO, tools: { allow: [] } }).tools, { allow: [], deny: [] });
  refuses({ ...STDIO, tools: ["*"] }, "invalid-type", "tools");
  refuses({ ...STDIO, tools: { denny: ["rm"] } }, "invalid-value", "tools");
  refuses({ ...STDIO, tools: { deny: "rm" } }, "invalid-type", "tools.deny");
  refuses({ ...STDIO, tools: { allow: [1] } }, "invalid-type", "tools.allow[0]");
  refuses({ ...STDIO, tools: { allow: [""] } }, "invalid-value", "tools.allow[0]");
});

test("D5 a tool list has at most 1,024 patterns of at most 256 characters", () => {
  accepts({ ...STDIO, tools: { deny: manyTexts(1_024) } });
  refuses({ ...STDIO, tools: { deny: manyTexts(1_025) } }, "too-many", "tools.deny");
  accepts({ ...STDIO, tools: { deny: ["t".repeat(256)] } });
  refuses({ ...STDIO, tools: { deny: ["t".repeat(257)] } }, "too-long", "tools.deny[0]");
});
