import assert from "node:assert/strict";
import test from "node:test";

import { describeStdioRefusal } from "../../../src/domain/launch/refusal-text.ts";
import { STDIO_DETAILS, STDIO_REASONS, stdioRefusal } from "../../../src/domain/launch/refusal.ts";

test("X7 the reasons are closed and pinned", () => {
  assert.deepEqual(STDIO_REASONS, [
    "definition-identity",
    "activation",
    "authority",
    "cwd",
    "environment",
    "invalid-input",
    "start",
    "early-exit",
    "send",
    "cancelled",
    "cleanup",
    "receive-limit",
    "receive-invalid",
  ]);
});

test("X7 every reason and every detail has one whole sentence", () => {
  const sentences = [
    ...STDIO_REASONS.map((reason) => describeStdioRefusal({ kind: "stdio", reason })),
    ...STDIO_DETAILS.map((detail) => describeStdioRefusal(stdioRefusal("authority", detail))),
  ];

  assert.deepEqual(
    sentences.filter((sentence) => !/^[A-Z`].{10,160}\.$/.test(sentence)),
    [],
  );
});

test("X7 the key of a refused variable is named", () => {
  const refusal = stdioRefusal("environment", "code-changing", { key: "NODE_OPTIONS" });

  assert.equal(
    describeStdioRefusal(refusal),
    "An environment variable changes which code runs; allow it by name, or remove it. (NODE_OPTIONS)",
  );
});

test("X7 a key that could not stand in a sentence is left out of it", () => {
  const refusal = stdioRefusal("environment", "invalid-key", { key: "A\u202e\u001b[31m" });

  assert.equal(describeStdioRefusal(refusal).includes("\u001b"), false);
});

test("X7 the exit code of a server that ended is told", () => {
  const refusal = stdioRefusal("early-exit", "exited", { exitCode: 127 });

  assert.match(describeStdioRefusal(refusal), /\(exit code 127\)$/);
});
