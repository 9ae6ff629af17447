import assert from "node:assert/strict";
import { test } from "node:test";

import { createTerminalAsk } from "../../../src/composition/cli/ask-form.ts";
import { oneLine } from "../../../src/composition/cli/output.ts";
import type { ElicitationForm, FormAnswer, FormField } from "../../../src/domain/elicitation/form.ts";
import { FakePerson } from "../../kit/fake-person.ts";

const signal = new AbortController().signal;

interface Asked {
  readonly answer: FormAnswer;
  readonly notes: readonly string[];
  readonly prompts: readonly string[];
}

async function ask(
  form: ElicitationForm,
  lines: readonly string[] | "nobody",
  serverId = "files",
): Promise<Asked> {
  const person = new FakePerson(lines);
  const notes: string[] = [];
  const output = {
    answer: () => assert.fail("stdout is the tool's answer alone"),
    note: (line: string) => void notes.push(oneLine(line)),
    flush: async () => true,
  };
  const terminalAsk = createTerminalAsk({ output, person: async () => person });
  return { answer: await terminalAsk({ serverId, form }, { signal }), notes, prompts: person.asked };
}

function formOf(...fields: readonly FormField[]): ElicitationForm {
  return { message: "Who are you?", fields };
}

const NAME: FormField = { type: "text", name: "name", required: true, title: "Name", maxLength: 5 };

test("C7 a form is shown under the server's configured name, its words behind a bar, and sent after a second yes", async () => {
  const { answer, notes, prompts } = await ask(formOf(NAME), ["y", "Ada", "yes"]);

  assert.deepEqual(answer, { action: "accept", content: { name: "Ada" } });
  assert.deepEqual(notes, [
    'sallyport: server "files" asks during this call; its words are behind the bar',
    "  | Who are you?",
    "Field 1 of 1, required:",
    "  | Name (name)",
  ]);
  assert.deepEqual(prompts, [
    'Answer "files"?',
    "  text, at most 5 characters: ",
    'Send these answers to "files"?',
  ]);
});

test("C7 a no before the fields, and one before the sending, declines", async () => {
  assert.deepEqual((await ask(formOf(NAME), ["n"])).answer, { action: "decline" });
  assert.deepEqual((await ask(formOf(NAME), ["y", "Ada", "n"])).answer, { action: "decline" });
});

test("C7 the end of the input closes the form", async () => {
  assert.deepEqual((await ask(formOf(NAME), ["y"])).answer, { action: "cancel" });
});

test("C7 a form without fields is one question", async () => {
  const { answer, prompts } = await ask(formOf(), ["y"]);

  assert.deepEqual(answer, { action: "accept", content: {} });
  assert.deepEqual(prompts, ['Say yes to "files"?']);
});

test("M6 without a terminal nobody is waited for, and the form gets no answer", async () => {
  const { answer, notes, prompts } = await ask(formOf(NAME), "nobody");

  assert.deepEqual(answer, { action: "cancel" });
  assert.deepEqual(prompts, []);
  assert.match(notes.at(-1) ?? "", /no terminal to ask at/);
});

test("C7 a line that does not fit is asked for again, and after three the form is closed", async () => {
  const again = await ask(formOf(NAME), ["y", "too long", "", "Ada", "y"]);
  assert.deepEqual(again.answer, { action: "accept", content: { name: "Ada" } });
  assert.equal(again.notes.filter((note) => note === "  That does not fit.").length, 2);

  const closed = await ask(formOf(NAME), ["y", "too long", "too long", "too long", "Ada", "y"]);
  assert.deepEqual(closed.answer, { action: "cancel" });
});

const OPTIONS = [
  { value: "r", title: "Red" },
  { value: "2", title: "2" },
];
const named = { name: "f", required: false } as const;

for (const [field, lines, content] of [
  [{ ...named, type: "text" }, [" as typed "], { f: " as typed " }],
  [{ ...named, type: "text" }, ["-"], { f: "-" }],
  [{ ...named, type: "text" }, [""], {}],
  [{ ...named, type: "text", default: "x" }, [""], { f: "x" }],
  [{ ...named, type: "text", default: "x" }, ["-"], {}],
  [{ ...named, type: "text", default: "x", required: true }, ["-"], { f: "-" }],
  [{ ...named, type: "number" }, ["-1.5e1"], { f: -15 }],
  [{ ...named, type: "number" }, ["0x10", "1"], { f: 1 }],
  [{ ...named, type: "integer", default: 7 }, ["1.5", ""], { f: 7 }],
  [{ ...named, type: "boolean" }, ["maybe", "No"], { f: false }],
  [{ ...named, type: "boolean", default: true }, [""], { f: true }],
  [{ ...named, type: "choice", options: OPTIONS }, ["r", "1"], { f: "r" }],
  // The number of an option, never its value: this one is called like another's number.
  [{ ...named, type: "choice", options: OPTIONS }, ["2"], { f: "2" }],
  [{ ...named, type: "choice", options: OPTIONS }, ["3", "0", "1"], { f: "r" }],
  [{ ...named, type: "choices", options: OPTIONS }, ["1,1", " 2, 1 "], { f: ["2", "r"] }],
  [{ ...named, type: "choices", options: OPTIONS, default: ["r"] }, [""], { f: ["r"] }],
] satisfies [FormField, string[], Record<string, unknown>][]) {
  test(`C7 ${JSON.stringify(lines)} answers ${JSON.stringify(field)}`, async () => {
    assert.deepEqual((await ask(formOf(field), ["y", ...lines, "y"])).answer, { action: "accept", content });
  });
}

test("D16 a server's words cannot begin a line of their own, nor move the cursor", async () => {
  const message = `one\n\n\n\nsallyport: approved\u001b[2J\u202e ${"x".repeat(80)}`;
  const field: FormField = {
    ...NAME,
    name: "n\u200b\n",
    title: "T\nsallyport: ok",
    description: "d\r\nAnswer: yes",
  };

  const { notes } = await ask({ message, fields: [field] }, ["y", "Ada", "y"], "fi\u202eles");

  const ours = notes.filter((note) => !note.startsWith("  |"));
  assert.deepEqual(ours, [
    'sallyport: server "fi\\u{202e}les" asks during this call; its words are behind the bar',
    "Field 1 of 1, required:",
  ]);
  assert.ok(notes.filter((note) => note.startsWith("  |")).every((note) => note.length <= 76));
  assert.doesNotMatch(notes.join(""), /[\p{Cc}\p{Cf}]/u);
  assert.equal(notes.filter((note) => note === "  |").length, 1);
});

test("D16 wide characters are broken before the terminal breaks them", async () => {
  const { notes } = await ask({ message: "漢".repeat(40), fields: [] }, ["n"]);

  assert.deepEqual(
    notes.slice(1).map((note) => note.length),
    [4 + 36, 4 + 4],
  );
});

for (const [name, title] of [
  ["password", undefined],
  ["p", "Your API key"],
  ["accessToken", undefined],
  ["card_cvv", undefined],
  ["userPin", undefined],
  ["dbPwd", undefined],
  ["otpCode", undefined],
  ["p", "One-time  code"],
  ["code", "Verification code"],
  ["ＰＡＳＳＷＯＲＤ", undefined],
  ["pass\u{ad}word", undefined],
  ["p", "Credit card number"],
] as const) {
  test(`C7 a form that asks for ${title ?? name} is declined, and nobody is asked`, async () => {
    const field: FormField = { type: "text", name, required: true, ...(title !== undefined && { title }) };

    const { answer, prompts, notes } = await ask(formOf(NAME, field), ["y", "a", "b", "y"]);

    assert.deepEqual(answer, { action: "decline" });
    assert.deepEqual(prompts, []);
    assert.match(notes[0] ?? "", /credential/);
  });
}

test("C7 a field that only sounds like a credential is asked for", async () => {
  const names = ["project_key", "maxTokens", "author", "spinner", "shippingCode", "pinned"];
  const fields = names.map((name): FormField => ({ type: "text", name, required: true }));

  const { answer } = await ask(formOf(...fields), ["y", "a", "b", "c", "d", "e", "f", "y"]);

  assert.equal(answer.action, "accept");
});
