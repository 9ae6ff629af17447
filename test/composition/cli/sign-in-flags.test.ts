import assert from "node:assert/strict";
import { test } from "node:test";

import { parseCommandLine } from "../../../src/composition/cli/arguments.ts";
import type { SignInFlags } from "../../../src/composition/cli/sign-in-flags.ts";

function flagsOf(args: readonly string[]): SignInFlags | string | undefined {
  const parsed = parseCommandLine(["login", "web", ...args]);
  if (!parsed.ok) return parsed.refusal;
  return parsed.value.do === "run" ? parsed.value.line.signIn : undefined;
}

const WHOLE = { step: "whole", browser: true } as const;

const READ: readonly (readonly [args: readonly string[], flags: SignInFlags])[] = [
  [[], { how: WHOLE }],
  [["--no-browser"], { how: { step: "whole", browser: false } }],
  [["--print-url"], { how: { step: "print-url" } }],
  [["--redirect-url", "-"], { how: { step: "redirect-url", url: "-" } }],
  [["--redirect-url=http://x/"], { how: { step: "redirect-url", url: "http://x/" } }],
  [
    ["--client-credentials", "--client-secret-stdin"],
    { how: { step: "unattended" }, secret: "client-secret" },
  ],
  [
    ["--client-credentials", "--private-key-stdin", "--client-id", "a b"],
    { how: { step: "unattended" }, secret: "private-key", clientId: "a b" },
  ],
  [["--scope", "a b", "--scope=b c"], { how: WHOLE, scopes: ["a", "b", "c"] }],
  [["--callback-port", "1"], { how: WHOLE, callbackPort: 1 }],
  [["--callback-port", "65535"], { how: WHOLE, callbackPort: 65_535 }],
  [["--client-id", "x".repeat(2_048)], { how: WHOLE, clientId: "x".repeat(2_048) }],
];

for (const [args, flags] of READ) {
  test(`M5 login ${args.join(" ").slice(0, 60)} is read`, () => assert.deepEqual(flagsOf(args), flags));
}

const REFUSED: readonly (readonly [args: readonly string[], problem: RegExp])[] = [
  [["--print-url", "--redirect-url", "-"], /--print-url and --redirect-url do not go together/],
  [["--no-browser", "--print-url"], /do not go together/],
  [["--no-browser", "--client-credentials", "--client-secret-stdin"], /do not go together/],
  [["--client-secret-stdin", "--private-key-stdin"], /do not go together/],
  [["--redirect-url", "-", "--client-secret-stdin"], /do not go together/],
  [["--redirect-url", "-", "--scope", "a"], /do not go together/],
  [["--redirect-url", "-", "--client-id", "a"], /do not go together/],
  [["--redirect-url", "-", "--callback-port", "1"], /do not go together/],
  [["--client-credentials", "--client-secret-stdin", "--callback-port", "1"], /do not go together/],
  [["--client-credentials"], /needs --client-secret-stdin or --private-key-stdin/],
  [["--callback-port", "0"], /1 to 65535/],
  [["--callback-port", "65536"], /1 to 65535/],
  [["--callback-port", "1e3"], /1 to 65535/],
  [["--client-id", "canary\u00e9"], /--client-id takes/],
  [["--client-id", `canary${"x".repeat(2_048)}`], /--client-id takes/],
  [["--scope", 'canary"'], /--scope takes/],
  [["--scope", " "], /--scope takes/],
];

for (const [args, problem] of REFUSED) {
  test(`M5 login ${args.join(" ").slice(0, 60)} is refused, and nothing written is quoted`, () => {
    const flags = flagsOf(args);

    assert.ok(typeof flags === "string", "it was read");
    assert.match(flags, problem);
    assert.doesNotMatch(flags, /canary/);
  });
}

test("M5 the flags of login go with no other verb", () => {
  for (const flag of ["--no-browser", "--print-url", "--client-secret-stdin", "--scope=a", "--client-id=a"]) {
    assert.equal(parseCommandLine(["logout", "web", flag]).ok, false, flag);
  }
});
