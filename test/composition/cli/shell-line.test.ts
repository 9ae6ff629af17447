import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { parseCommandLine } from "../../../src/composition/cli/arguments.ts";
import { fixLine, shellLine, withOperand } from "../../../src/composition/cli/shell-line.ts";

test("M6 a line that fixes something means the same words in a shell, whatever they are made of", () => {
  const words = [
    "plain",
    "two words",
    "it's",
    "$(touch x)",
    "`x`",
    "; rm -rf ~",
    "*",
    '"',
    "\\",
    "é",
    "",
    "-n",
  ];

  const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${shellLine(words)}`], { encoding: "utf8" });

  assert.deepEqual(printed.split("\0").slice(0, -1), words);
});

test("M6 the line that fixes something repeats the places that were given", () => {
  const parsed = parseCommandLine(["--workspace", "my folder", "--home=h", "--config=user:f", "tools"]);
  assert.ok(parsed.ok && parsed.value.do === "run");

  assert.equal(
    fixLine(parsed.value.line, withOperand(["approve"], ["--yes"], "files")),
    "sallyport '--workspace=my folder' --home=h --config=user:f approve files --yes",
  );
});

test("M6 a name that begins with a dash stands behind the end of the flags", () => {
  const words = withOperand(["approve"], ["--yes"], "-x");

  assert.deepEqual(words, ["approve", "--yes", "--", "-x"]);
  const parsed = parseCommandLine(words);
  assert.ok(parsed.ok && parsed.value.do === "run");
  assert.deepEqual([parsed.value.line.operands, parsed.value.line.yes], [["-x"], true]);
});
