import assert from "node:assert/strict";
import { test } from "node:test";

import { parseCommandLine, type CommandLine } from "../../../src/composition/cli/arguments.ts";
import { helpText } from "../../../src/composition/cli/help.ts";
import { isVerb, VERBS } from "../../../src/composition/cli/verbs.ts";

const BARE = {
  operands: [],
  config: [],
  json: false,
  yes: false,
  allowEnv: [],
  allowShell: false,
  toolArguments: [],
  serverStderr: false,
  changes: false,
} satisfies Partial<CommandLine>;

const READ: readonly (readonly [args: readonly string[], line: CommandLine])[] = [
  [["list"], { ...BARE, verb: "list" }],
  [["--json", "list"], { ...BARE, verb: "list", json: true }],
  [["list", "--json"], { ...BARE, verb: "list", json: true }],
  [
    ["--workspace", "w", "explain", "--home=h", "a"],
    { ...BARE, verb: "explain", operands: ["a"], workspace: "w", home: "h" },
  ],
  [
    ["--config", "user:a", "list", "--config=project:b"],
    { ...BARE, verb: "list", config: ["user:a", "project:b"] },
  ],
  [
    ["approve", "a", "--allow-env", "X", "--allow-shell", "--allow-env=Y", "--yes"],
    { ...BARE, verb: "approve", operands: ["a"], allowEnv: ["X", "Y"], allowShell: true, yes: true },
  ],
  [["approve", "--", "-a"], { ...BARE, verb: "approve", operands: ["-a"] }],
  [["tools", "--changes", "--pins", "hold"], { ...BARE, verb: "tools", changes: true, pins: "hold" }],
  [["tools", "a", "b"], { ...BARE, verb: "tools", operands: ["a", "b"] }],
  [
    ["call", "a__b", "-", "--arg", "k=v=w", "--arg=--k=", "--timeout", "86400000"],
    {
      ...BARE,
      verb: "call",
      operands: ["a__b", "-"],
      toolArguments: ["k=v=w", "--k="],
      timeoutMs: 86_400_000,
    },
  ],
];

for (const [args, line] of READ) {
  test(`M5 the command line "${args.join(" ")}" is read`, () => {
    assert.deepEqual(parseCommandLine(args), { ok: true, value: { do: "run", line } });
  });
}

const REFUSED: readonly (readonly [args: readonly string[], said: RegExp])[] = [
  [[], /say what to do/],
  [["frobnicate"], /there is no verb "frobnicate"; the verbs are list, explain/],
  [["constructor"], /there is no verb "constructor"/],
  [["list", "--frob"], /no flag --frob;/],
  [["tools", "--pins", "sometimes"], /--pins takes hold, report or off/],
  [["list", "--changes"], /--changes does not go with list/],
  [["list", "-x"], /no flag -x;/],
  [["list", "--no-json"], /no flag --no-json;/],
  [["list", "extra"], /list takes nothing, but got 1; usage: sallyport list/],
  [["explain"], /^NAME is missing; usage: sallyport explain NAME/],
  [["approve", "a", "b"], /approve takes one word, but got 2/],
  [["call"], /^TOOL is missing/],
  [["help", "frobnicate"], /there is no verb "frobnicate"/],
  [["call", "a", "{}", "x"], /call takes 2 words at most, but got 3/],
  [["list", "--json=yes"], /--json takes no value/],
  [["list", "--home"], /--home needs a value/],
  [["list", "--home="], /the value of --home is empty/],
  [["--workspace", "--json", "list"], /--workspace needs a value; one that begins with a dash/],
  [["list", "--home=a", "--home=b"], /--home stands there twice/],
  [["list", "--allow-shell"], /--allow-shell does not go with list/],
  [["tools", "--arg", "a=b"], /--arg does not go with tools/],
  [["call", "a", "--timeout", "0"], /whole milliseconds/],
  [["call", "a", "--timeout", "86400001"], /whole milliseconds/],
  [["call", "a", "--timeout", "1.5"], /whole milliseconds/],
];

for (const [args, said] of REFUSED) {
  test(`M5 the command line "${args.join(" ")}" is refused with what is wrong`, () => {
    const parsed = parseCommandLine(args);

    assert.ok(!parsed.ok);
    assert.match(parsed.refusal, said);
    assert.doesNotMatch(parsed.refusal, /\n/);
  });
}

test("D17 what is wrong with a command line is told without any value that stood on it", () => {
  const canary = "canary-0123456789";
  const lines = [
    [canary],
    ["help", canary],
    ["list", canary],
    ["list", `--${canary}`],
    ["list", `--frob=${canary}`],
    ["list", `--json=${canary}`],
    ["list", `--home=${canary}`, `--home=${canary}`],
    ["call", "a", "--timeout", canary],
    ["call", "a", "{}", canary],
    ["call", "a", "--home", `-${canary}`],
  ];

  const refusals = lines.map((args) => parseCommandLine(args));

  assert.ok(refusals.every((parsed) => !parsed.ok && !parsed.refusal.includes(canary)));
});

test("M5 help is asked for with any verb or none, and version without", () => {
  assert.deepEqual(parseCommandLine(["--help"]), { ok: true, value: { do: "help" } });
  assert.deepEqual(parseCommandLine(["call", "-h"]), { ok: true, value: { do: "help", verb: "call" } });
  assert.deepEqual(parseCommandLine(["help", "call"]), { ok: true, value: { do: "help", verb: "call" } });
  assert.deepEqual(parseCommandLine(["help"]), { ok: true, value: { do: "help" } });
  assert.deepEqual(parseCommandLine(["--version"]), { ok: true, value: { do: "version" } });
});

test("M5 the help of a verb explains each of its own flags, and no other verb's", () => {
  for (const verb of Object.keys(VERBS).filter((word) => isVerb(word))) {
    const help = helpText(verb);
    const own = [...help.matchAll(/^ {2}--([a-z-]+)[^\n]*\n {6}\S/gm)].map(([, flag]) => flag);
    assert.deepEqual(own, [...VERBS[verb].flags], verb);
  }
});

test("M5 the help names every verb, every exit code and every flag of every verb", () => {
  const help = helpText();

  for (const { usage, flags } of Object.values(VERBS)) {
    assert.ok(help.includes(usage), usage);
    for (const flag of flags) assert.ok(usage.includes(`--${flag}`), flag);
  }
  for (const code of [0, 1, 2, 3, 4, 5, 6]) assert.match(help, new RegExp(`\\b${code} [a-z]`));
});
