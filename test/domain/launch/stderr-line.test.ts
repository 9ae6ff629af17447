import assert from "node:assert/strict";
import test from "node:test";

import * as fc from "fast-check";

import { STDERR_LINE_LIMIT, createStderrLines } from "../../../src/domain/launch/stderr-line.ts";

const SECRET = "hunter2-hunter2";

function shown(line: string, secrets: readonly string[] = [SECRET]): string {
  return createStderrLines(secrets).show(line, false).text;
}

test("B5 a secret of the launch is masked", () => {
  assert.equal(shown(`accessToken: ${SECRET}!`).includes(SECRET), false);
});

test("B5 a credential that the launch does not know is masked by its format", () => {
  const line = "using Bearer abcdefghijklmnop1234567890";

  assert.equal(shown(line, []).includes("abcdefghijklmnop"), false);
});

test("B5 a secret with a colour change or an invisible character inside is masked", () => {
  const [head, tail] = [SECRET.slice(0, 7), SECRET.slice(7)];

  for (const between of ["\u001b[31m", "\u200b", "\u0000", "\u001b]0;title\u0007"]) {
    const text = shown(`x ${head}${between}${tail} y`);
    assert.equal(text.includes(tail), false, JSON.stringify(between));
  }
});

test("E14 terminal sequences, control and bidi characters do not reach the sink", () => {
  assert.equal(
    shown("\u001b[2J\u001b[1;31mERROR\u001b[0m \u001b]8;;http://x\u0007link\u202e\b"),
    "ERROR link",
  );
});

test("E14 a line of plain text stays what it is", () => {
  assert.equal(shown("2026-01-01 [INFO]\tläuft auf Port 80"), "2026-01-01 [INFO]\tläuft auf Port 80");
});

for (const [length, isCut] of [
  [STDERR_LINE_LIMIT - 1, false],
  [STDERR_LINE_LIMIT, false],
  [STDERR_LINE_LIMIT + 1, true],
] as const) {
  test(`X5 of a line of ${length} characters at most ${STDERR_LINE_LIMIT} are shown`, () => {
    const line = createStderrLines([]).show("a ".repeat(length).slice(0, length), false);

    assert.deepEqual(
      { length: line.text.length, isCut: line.isCut },
      { length: Math.min(length, STDERR_LINE_LIMIT), isCut },
    );
  });
}

test("B5 the first half of a secret at the end of a cut line is not shown", () => {
  const line = createStderrLines([SECRET]).show(`token ${SECRET.slice(0, 9)}`, true);

  assert.deepEqual(line, { text: "", isCut: true });
});

test("B5 no secret of eight or more characters is left in any line", () => {
  const secrets = fc.stringMatching(/^[a-z0-9]{8,20}$/);
  const noise = fc.string({ maxLength: 20 });
  fc.assert(
    fc.property(secrets, noise, noise, (secret, before, after) => {
      assert.equal(shown(`${before}${secret}${after}`, [secret]).includes(secret), false);
    }),
    { numRuns: 200 },
  );
});
