import assert from "node:assert/strict";
import { test } from "node:test";

import { withoutReservedKeys } from "../../../src/domain/serve/caller-meta.ts";
import { ANSWER_LIMITS, failureAnswer, toolAnswer } from "../../../src/domain/serve/envelope.ts";

function textOf({ content }: { readonly content: readonly { readonly [key: string]: unknown }[] }): unknown {
  assert.equal(content.length, 1);
  assert.equal(content[0]?.["type"], "text");
  return JSON.parse(String(content[0]?.["text"]));
}

test("R2 a value is written as an execution envelope, and given as structured content", () => {
  const answer = toolAnswer({ status: "completed", structured: { value: { rows: 2 } } });

  assert.deepEqual(textOf(answer), { status: "completed", value: { rows: 2 } });
  assert.deepEqual(answer.structured, { value: { rows: 2 } });
  assert.equal(answer.isError, false);
});

test("R2 an ending without a value is an envelope all the same", () => {
  const answer = toolAnswer({ status: "completed" });

  assert.deepEqual(textOf(answer), { status: "completed" });
  assert.equal("structured" in answer, false);
});

test("R2 content that the session wrote passes through, marked as it was marked", () => {
  const content = [
    { type: "text", text: "a" },
    { type: "image", data: "AA==", mimeType: "image/png" },
  ];

  assert.deepEqual(toolAnswer({ status: "completed", content, isError: true }), { content, isError: true });
});

test("R2 no content is passed on as no content", () => {
  assert.deepEqual(toolAnswer({ status: "completed", content: [] }), { content: [], isError: false });
});

const FAILURES = {
  "unknown-tool": "There is no tool of that name.",
  "invalid-arguments": "The arguments do not fit the tool.",
  denied: "The tool may not run: permission was denied.",
  "permission-required": "The tool needs permission to run, and nobody gave it.",
  "input-required": "The tool needs an answer from a person, and nobody gave one.",
  busy: "The session is busy; try again later.",
  cancelled: "The invocation was cancelled.",
  failed: "The tool failed.",
} as const;

for (const status of ["unknown-tool", "invalid-arguments", "denied", "permission-required"] as const) {
  test(`R2 ${status} is a visible error with a fixed sentence`, () => {
    const answer = toolAnswer({ status });

    assert.equal(answer.isError, true);
    assert.deepEqual(textOf(answer), { status, message: FAILURES[status] });
  });
}

for (const status of ["input-required", "busy", "cancelled", "failed"] as const) {
  test(`R2 ${status} is a visible error with a fixed sentence`, () => {
    const answer = toolAnswer({ status });

    assert.equal(answer.isError, true);
    assert.deepEqual(textOf(answer), { status, message: FAILURES[status] });
  });
}

test("R2 a session's own sentence takes the place of the fixed one, within a bound", () => {
  assert.deepEqual(textOf(toolAnswer({ status: "busy", message: "Try at noon." })), {
    status: "busy",
    message: "Try at noon.",
  });
  assert.equal(JSON.stringify(textOf(failureAnswer("failed", "x".repeat(8_193)))).length, 8_192 + 32);
});

test("R2 a status that nobody knows, and an ending that is none, are failures", () => {
  const strange: unknown = { status: "constructor", message: "m" };
  for (const outcome of [strange, undefined, "done", []]) {
    // The type forbids it; a session need not be written in TypeScript.
    const answer = toolAnswer(outcome as Parameters<typeof toolAnswer>[0]);
    assert.equal(answer.isError, true);
    assert.match(JSON.stringify(textOf(answer)), /^\{"status":"failed"/);
  }
});

const UNSENDABLE: readonly (readonly [what: string, value: unknown])[] = [
  ["a function", () => 1],
  ["a number that JSON cannot hold", Number.NaN],
  ["a value that writes itself", new Date(0)],
  ["a text over the bound", "x".repeat(ANSWER_LIMITS.text + 1)],
  ["too many values", Array.from({ length: ANSWER_LIMITS.values + 1 }, () => 0)],
  ["too deep a value", deep(ANSWER_LIMITS.depth + 1)],
];

function deep(depth: number): unknown {
  let value: unknown = 0;
  for (let at = 0; at < depth; at += 1) value = [value];
  return value;
}

for (const [what, value] of UNSENDABLE) {
  test(`R2 ${what} is not sent, in structured content, content or _meta`, () => {
    for (const outcome of [
      { status: "completed", structured: { value } },
      { status: "completed", content: [{ type: "text", text: value }] },
      { status: "completed", meta: { value } },
    ] as const) {
      const answer = toolAnswer(outcome);
      assert.equal(answer.isError, true);
      assert.match(JSON.stringify(answer), /was not sent/);
      assert.ok(JSON.stringify(answer).length < 400);
    }
  });
}

test("R2 what just fits is sent", () => {
  const value = "x".repeat(ANSWER_LIMITS.text - 200);

  assert.equal(toolAnswer({ status: "completed", structured: { value } }).isError, false);
  assert.equal(toolAnswer({ status: "completed", structured: { value: deep(254) } }).isError, false);
});

test("R2 keys that the protocol keeps to itself cross in neither direction, others do", () => {
  const meta = {
    "io.modelcontextprotocol/clientInfo": 1,
    "io.modelcontextprotocol/related-task": 1,
    "IO.ModelContextProtocol/x": 1,
    "modelcontextprotocol.io/x": 1,
    "dev.mcp/x": 1,
    "api.mcp.dev/x": 1,
    progressToken: 7,
    traceparent: "00-…",
    "com.example/mcp": 2,
    "com.example.mcpx/a": 3,
    mcp: 4,
  };
  const kept = { traceparent: "00-…", "com.example/mcp": 2, "com.example.mcpx/a": 3, mcp: 4 };

  assert.deepEqual(withoutReservedKeys(meta), kept);
  assert.deepEqual(toolAnswer({ status: "completed", content: [], meta }).meta, kept);
  assert.equal(withoutReservedKeys({ progressToken: 1 }), undefined);
  assert.equal(withoutReservedKeys("x"), undefined);
});

test("R2 a key named __proto__ is a key like any other", () => {
  const kept = withoutReservedKeys(JSON.parse('{"__proto__":{"a":1}}'));

  assert.equal(JSON.stringify(kept), '{"__proto__":{"a":1}}');
});
