import assert from "node:assert/strict";
import { test } from "node:test";

import { checkAnswer, type AnswerMismatch } from "../../../src/domain/elicitation/check-answer.ts";
import type { ElicitationForm, FormField } from "../../../src/domain/elicitation/form.ts";

const OPTIONS = [
  { value: "a", title: "First" },
  { value: "b", title: "Second" },
];

type Kind<Field> = Field extends unknown ? Omit<Field, "name" | "required"> : never;

function formOf(field: Kind<FormField>, required = false): ElicitationForm {
  return { message: "", fields: [{ name: "f", required, ...field }] };
}

function accepts(field: Kind<FormField>, value: unknown): boolean {
  return checkAnswer(formOf(field), { action: "accept", content: { f: value } }).ok;
}

test("C7 an answer that fits comes back with the fields of its form alone", () => {
  const form: ElicitationForm = {
    message: "",
    fields: [
      { name: "text", required: true, type: "text" },
      { name: "many", required: false, type: "choices", options: OPTIONS },
      { name: "open", required: false, type: "boolean" },
    ],
  };
  const answer = { action: "accept", content: { many: ["b", "a"], text: "x" }, _meta: { leaked: true } };

  assert.deepEqual(checkAnswer(form, answer), {
    ok: true,
    value: { action: "accept", content: { text: "x", many: ["b", "a"] } },
  });
});

for (const action of ["decline", "cancel"] as const) {
  test(`C7 a ${action} is an answer to every form, and carries nothing`, () => {
    assert.deepEqual(checkAnswer(formOf({ type: "boolean" }, true), { action, content: { f: "secret" } }), {
      ok: true,
      value: { action },
    });
  });
}

test("C7 an accepted form without fields needs no content", () => {
  for (const content of [undefined, null, {}]) {
    assert.deepEqual(checkAnswer({ message: "", fields: [] }, { action: "accept", content }), {
      ok: true,
      value: { action: "accept", content: {} },
    });
  }
});

for (const [what, answer, mismatch] of [
  ["nothing", undefined, { reason: "not-an-answer" }],
  ["another action", { action: "yes", content: { f: true } }, { reason: "not-an-answer" }],
  ["a list of values", { action: "accept", content: [true] }, { reason: "not-an-answer" }],
  [
    "a key that nobody asked for",
    { action: "accept", content: { f: true, g: 1 } },
    { reason: "unknown-field" },
  ],
  [
    "an inherited required value",
    { action: "accept", content: Object.create({ f: true }) },
    { reason: "missing-field", fieldIndex: 0 },
  ],
  ["no required value", { action: "accept" }, { reason: "missing-field", fieldIndex: 0 }],
  [
    "a value of another type",
    { action: "accept", content: { f: "true" } },
    { reason: "wrong-value", fieldIndex: 0 },
  ],
] satisfies [string, unknown, AnswerMismatch][]) {
  test(`C7 an answer with ${what} is refused`, () => {
    assert.deepEqual(checkAnswer(formOf({ type: "boolean" }, true), answer), {
      ok: false,
      refusal: mismatch,
    });
  });
}

test("C7 a field __proto__ is answered by an own property", () => {
  const form: ElicitationForm = {
    message: "",
    fields: [{ name: "__proto__", required: true, type: "text" }],
  };
  const checked = checkAnswer(form, { action: "accept", content: JSON.parse('{"__proto__":"x"}') });

  assert.equal(
    JSON.stringify(checked),
    '{"ok":true,"value":{"action":"accept","content":{"__proto__":"x"}}}',
  );
  assert.equal(checkAnswer(form, { action: "accept", content: {} }).ok, false);
});

const CHOICES = { type: "choices", options: OPTIONS } as const;

const CASES: readonly (readonly [
  field: Kind<FormField>,
  good: readonly unknown[],
  bad: readonly unknown[],
])[] = [
  [{ type: "text" }, ["", "x", "x".repeat(65_536)], [7, null, "x".repeat(65_537)]],
  // Characters, not UTF-16 units.
  [{ type: "text", minLength: 2, maxLength: 3 }, ["ab", "abc", "😀😀"], ["a", "abcd", "😀", "😀😀😀😀"]],
  [{ type: "text", format: "email" }, ["a@b.c", "a+b@localhost"], ["a", "a@b@c", "a b@c", "@c", "a@"]],
  [{ type: "text", format: "uri" }, ["https://example.com/x", "urn:isbn:1"], ["example.com", "//x", ""]],
  [
    { type: "text", format: "date" },
    ["2024-02-29", "2000-02-29", "2026-12-31"],
    [
      "2023-02-29",
      "1900-02-29",
      "2026-13-01",
      "2026-04-31",
      "2026-00-01",
      "2026-1-1",
      "2026-01-00",
      "x2026-01-01",
    ],
  ],
  [
    { type: "text", format: "date-time" },
    ["2026-07-28T23:59:60Z", "2026-07-28t10:00:00.5+02:00"],
    [
      "2026-07-28",
      "2026-07-28T24:00:00Z",
      "2026-07-28T10:00:00",
      "2026-02-30T10:00:00Z",
      "2026-07-28X10:00:00Z",
    ],
  ],
  [{ type: "number", minimum: -1, maximum: 1.5 }, [-1, 0.5, 1.5], [-1.1, 1.6, Number.NaN, "1"]],
  [{ type: "number" }, [1e300], [Number.POSITIVE_INFINITY]],
  [{ type: "integer" }, [0, -7, 1e300], [0.5, Number.NaN]],
  [{ type: "boolean" }, [true, false], [0, "false"]],
  [{ type: "choice", options: OPTIONS }, ["a", "b"], ["First", "c", ["a"]]],
  [CHOICES, [[], ["a"], ["b", "a"]], ["a", ["a", "a"], ["c"], [7]]],
  [{ ...CHOICES, minItems: 1, maxItems: 1 }, [["a"]], [[], ["a", "b"]]],
];

for (const [field, good, bad] of CASES) {
  const { options: _options, ...shown } = { options: undefined, ...field };
  test(`C7 a field ${JSON.stringify(shown)} takes what fits it, and nothing else`, () => {
    for (const value of good) assert.equal(accepts(field, value), true, String(value).slice(0, 40));
    for (const value of bad) assert.equal(accepts(field, value), false, String(value).slice(0, 40));
  });
}
