import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeForm } from "../../../src/domain/elicitation/decode-form.ts";
import { formSchema } from "../../../src/domain/elicitation/form-schema.ts";
import type { FormAnswer } from "../../../src/domain/elicitation/form.ts";
import type { AgentAnswer, AgentPrompt } from "../../../src/domain/serve/agent.ts";
import { promptAnswer, promptForm } from "../../../src/domain/serve/prompt-form.ts";

const PERMISSION: AgentPrompt = { kind: "permission", toolName: "rm", description: "Removes a file" };
const question = (parts: Partial<AgentPrompt & { kind: "question" }> = {}): AgentPrompt => ({
  kind: "question",
  message: "Which?",
  options: ["red", "blue"],
  freeText: false,
  masked: false,
  ...parts,
});
const accept = (content: { readonly [key: string]: string }): FormAnswer => ({ action: "accept", content });

test("R10 a permission is a choice between allowing once and denying, and nothing else", () => {
  const form = promptForm(PERMISSION);

  assert.equal(form?.message, 'May the tool "rm" run this once?\nRemoves a file');
  assert.deepEqual(
    form?.fields.map((field) => [field.name, field.required, field.type === "choice" && field.options]),
    [
      [
        "decision",
        true,
        [
          { value: "allow-once", title: "Allow once" },
          { value: "deny", title: "Deny" },
        ],
      ],
    ],
  );
});

test("R10 the name of a tool cannot look like another one", () => {
  const form = promptForm({ ...PERMISSION, toolName: 'read\u202e\n"' });

  assert.doesNotMatch(form?.message ?? "", /\u202e/);
  assert.match(form?.message ?? "", /read\\u\{202e\}\\u\{a\}/);
});

test("R10 a question's options are a choice and its free text is a field", () => {
  const fields = promptForm(question({ freeText: true }))?.fields.map(({ name, type, required }) => [
    name,
    type,
    required,
  ]);

  assert.deepEqual(fields, [
    ["choice", "choice", false],
    ["text", "text", false],
  ]);
  assert.deepEqual(
    promptForm(question())?.fields.map(({ name, required }) => [name, required]),
    [["choice", true]],
  );
  assert.deepEqual(
    promptForm(question({ options: [], freeText: true }))?.fields.map(({ name, required }) => [
      name,
      required,
    ]),
    [["text", true]],
  );
});

test("R10 what is masked never becomes a form", () => {
  assert.equal(promptForm(question({ masked: true })), undefined);
  assert.equal(promptForm(question({ masked: true, options: [], freeText: true })), undefined);
});

const OVER: readonly AgentPrompt[] = [
  question({ message: "x".repeat(8_193) }),
  question({ options: ["x".repeat(1_025)] }),
  question({ options: [""] }),
  question({ options: Array.from({ length: 513 }, (_, at) => `o${at}`) }),
  { ...PERMISSION, description: "x".repeat(8_193) },
  { kind: "form", from: "web", form: { message: "x".repeat(8_190), fields: [] } },
];

test("R10 a prompt over the bounds of a form is not cut but not asked", () => {
  assert.deepEqual(
    OVER.map((prompt) => promptForm(prompt)),
    OVER.map(() => undefined),
  );
  assert.ok(promptForm(question({ message: "x".repeat(8_192), options: ["x".repeat(1_024)] })));
});

test("R10 a form of somebody behind the session is shown under the name of whoever asks", () => {
  const fields = [{ name: "city", type: "text", required: true }] as const;

  assert.deepEqual(promptForm({ kind: "form", from: "we\u202eb", form: { message: "Where?", fields } }), {
    message: "we\\u{202e}b asks: Where?",
    fields,
  });
});

test("R10 every form that is asked can be read back by a client as it was meant", () => {
  for (const prompt of [
    PERMISSION,
    question(),
    question({ freeText: true }),
    question({ options: ["a", "a"] }),
  ]) {
    const form = promptForm(prompt);
    assert.ok(form);
    const read = decodeForm({ message: form.message, requestedSchema: formSchema(form) });
    assert.deepEqual(read, { ok: true, value: form });
  }
});

const ANSWERS: readonly (readonly [
  what: string,
  prompt: AgentPrompt,
  said: FormAnswer,
  means: AgentAnswer,
])[] = [
  ["allow", PERMISSION, accept({ decision: "allow-once" }), { kind: "allow-once" }],
  ["deny", PERMISSION, accept({ decision: "deny" }), { kind: "deny" }],
  ["an accepted form without a decision", PERMISSION, accept({}), { kind: "deny" }],
  ["allow always", PERMISSION, accept({ decision: "allow-always" }), { kind: "deny" }],
  ["decline", PERMISSION, { action: "decline" }, { kind: "deny" }],
  ["a closed permission", PERMISSION, { action: "cancel" }, { kind: "cancelled" }],
  ["an option", question(), accept({ choice: "red" }), { kind: "answer", option: "red" }],
  ["a text", question({ freeText: true }), accept({ text: "green" }), { kind: "answer", text: "green" }],
  ["an empty text", question({ freeText: true }), accept({ text: "" }), { kind: "cancelled" }],
  [
    "both",
    question({ freeText: true }),
    accept({ choice: "red", text: "dark" }),
    { kind: "answer", option: "red", text: "dark" },
  ],
  ["neither", question({ freeText: true }), accept({}), { kind: "cancelled" }],
  ["a plain yes", question({ options: [] }), accept({}), { kind: "answer" }],
  ["a declined question", question(), { action: "decline" }, { kind: "cancelled" }],
  ["a closed question", question(), { action: "cancel" }, { kind: "cancelled" }],
  [
    "a declined form",
    { kind: "form", from: "web", form: { message: "", fields: [] } },
    { action: "decline" },
    { kind: "form", answer: { action: "decline" } },
  ],
];

for (const [what, prompt, said, means] of ANSWERS) {
  test(`R10 ${what} of a ${prompt.kind} means ${JSON.stringify(means)}`, () => {
    assert.deepEqual(promptAnswer(prompt, said), means);
  });
}
