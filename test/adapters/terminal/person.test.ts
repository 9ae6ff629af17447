import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";

import { createTerminalPerson } from "../../../src/adapters/terminal/person.ts";
import type { Consent } from "../../../src/ports/person.ts";
import { personContract } from "../../ports/person.contract.ts";

const signal = new AbortController().signal;

personContract("terminal", {
  typing: (lines) => {
    const [input, output] = [terminal(true), terminal(true)];
    // Once the question stands there: what comes before it answers nothing.
    output.on("data", () => {
      for (const line of lines) input.write(`${line}\n`);
      input.end();
    });
    return createTerminalPerson({ input, output });
  },
  nobody: () => createTerminalPerson({ input: terminal(true), output: terminal(false) }),
});

function terminal(isTTY: boolean): PassThrough & { readonly isTTY: boolean } {
  return Object.assign(new PassThrough(), { isTTY });
}

const ANSWERS: readonly (readonly [typed: string, consent: Consent])[] = [
  ["y\n", "yes"],
  ["Yes\r\n", "yes"],
  ["  YES \n", "yes"],
  ["n\n", "no"],
  ["\n", "no"],
  ["yess\n", "no"],
  ["y y\n", "no"],
  [`y${" ".repeat(16)}\n`, "no"],
  ["no\ny\n", "no"],
];

for (const [typed, consent] of ANSWERS) {
  test(`M2 ${JSON.stringify(typed)} at the terminal is a ${consent}`, async () => {
    const [input, output] = [terminal(true), terminal(true)];
    const person = createTerminalPerson({ input, output });

    const asked = person.confirm("Approve?", { signal });
    await once(output, "readable");
    input.write(typed);

    assert.equal(await asked, consent);
    assert.equal(String(output.read()), "Approve? [y/N] ");
  });
}

test("M2 the end of the input is a no", async () => {
  const [input, output] = [terminal(true), terminal(true)];

  const asked = createTerminalPerson({ input, output }).confirm("Approve?", { signal });
  input.end();

  assert.equal(await asked, "no");
});

for (const [inputIsTTY, outputIsTTY] of [
  [false, true],
  [true, false],
  [false, false],
] as const) {
  test(`M6 nobody is asked with input terminal ${inputIsTTY} and output terminal ${outputIsTTY}`, async () => {
    const [input, output] = [terminal(inputIsTTY), terminal(outputIsTTY)];
    input.write("y\n");

    const answer = await createTerminalPerson({ input, output }).confirm("Approve?", { signal });

    assert.equal(answer, "nobody");
    assert.equal(output.read(), null);
    assert.equal(String(input.read()), "y\n");
  });
}

test("M2 an abort ends the question with its reason, and leaves no listener", async () => {
  const [input, output] = [terminal(true), terminal(true)];
  const controller = new AbortController();
  const reason = new Error("interrupted");

  const asked = createTerminalPerson({ input, output }).confirm("Approve?", { signal: controller.signal });
  controller.abort(reason);

  await assert.rejects(asked, reason);
  assert.equal(input.listenerCount("data"), 0);
});

test("M2 what was typed before the question stood there is no answer to it", async () => {
  const [input, output] = [terminal(true), terminal(true)];
  const modes: boolean[] = [];
  Object.assign(input, { setRawMode: (raw: boolean) => modes.push(raw) });
  input.write("y\ny");

  const asked = createTerminalPerson({ input, output }).confirm("Approve?", { signal });
  await once(output, "readable");
  input.write("\n");

  assert.equal(await asked, "no");
  assert.deepEqual(modes, [true, false]);
});

test("M2 a Ctrl-C that the raw mode handed over is a no, without a question", async () => {
  const [input, output] = [terminal(true), terminal(true)];
  input.write("\u0003");

  const asked = createTerminalPerson({ input, output }).confirm("Approve?", { signal });

  assert.equal(await asked, "no");
  assert.equal(output.read(), null);
});

test("M2 nothing is asked once the command was aborted", async () => {
  const [input, output] = [terminal(true), terminal(true)];
  const person = createTerminalPerson({ input, output });
  const reason = new Error("interrupted");

  await assert.rejects(person.confirm("Approve?", { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(output.read(), null);
});

test("C7 a line of 65,536 characters is read, and a longer one is none", async () => {
  for (const [length, read] of [
    [65_535, true],
    [65_536, true],
    [65_537, false],
  ] as const) {
    const [input, output] = [terminal(true), terminal(true)];
    const asked = createTerminalPerson({ input, output }).line("Name: ", { signal });
    await once(output, "readable");
    input.write(`${"x".repeat(length)}\n`);

    const line = await asked;
    assert.equal(line !== "ended", read);
  }
});
