import assert from "node:assert/strict";
import test from "node:test";

import { checkEnvironmentKeys, childEnvironment } from "../../../src/domain/launch/check-environment.ts";
import type { StdioDetail } from "../../../src/domain/launch/refusal.ts";
import { launchGrant } from "../../kit/launch-world.ts";
import { fromVariable, plain } from "../../kit/stdio-definition.ts";

const INVALID_KEYS = ["", "A=B", "A\0B", "A B", "1A", "BASH_FUNC_x%%", "A\nB", "é", "A".repeat(257)];

for (const key of INVALID_KEYS) {
  test(`X2 ${JSON.stringify(key.slice(0, 12))} cannot be the name of an environment variable`, () => {
    const outcome = checkEnvironmentKeys([key], launchGrant({ allowedEnvKeys: [key] }));

    assert.deepEqual(outcome, {
      ok: false,
      refusal: { kind: "stdio", reason: "environment", detail: "invalid-key", key },
    });
  });
}

for (const key of ["A", "_a1", "ProgramFiles(x86)", "__proto__", "A".repeat(256)]) {
  test(`X2 ${key.slice(0, 20)} of ${key.length} characters passes when the authority allows it`, () => {
    assert.equal(checkEnvironmentKeys([key], launchGrant({ allowedEnvKeys: [key] })).ok, true);
  });
}

test("X2 a key that the authority does not allow is refused by name", () => {
  const outcome = checkEnvironmentKeys(["A", "B"], launchGrant({ allowedEnvKeys: ["A"] }));

  assert.deepEqual(outcome, {
    ok: false,
    refusal: { kind: "stdio", reason: "environment", detail: "not-allowed", key: "B" },
  });
});

test("X2 a key that differs from an allowed one by case is refused", () => {
  const outcome = checkEnvironmentKeys(["api_url"], launchGrant({ allowedEnvKeys: ["API_URL"] }));

  assert.equal(outcome.ok, false);
});

for (const key of ["NODE_OPTIONS", "node_options", "LD_PRELOAD", "PYTHONPATH", "PATH"]) {
  test(`X2 ${key} is refused although it is allowed, unless it is allowed as code-changing`, () => {
    const allowedEnvKeys = [key];

    const refused = checkEnvironmentKeys([key], launchGrant({ allowedEnvKeys }));
    const named = checkEnvironmentKeys(
      [key],
      launchGrant({ allowedEnvKeys, allowedCodeChangingKeys: [key] }),
    );

    assert.deepEqual(refused, {
      ok: false,
      refusal: { kind: "stdio", reason: "environment", detail: "code-changing", key },
    });
    assert.equal(named.ok, true);
  });
}

test("X2 on Windows two keys that differ by case alone are refused as one", () => {
  const allowedEnvKeys = ["Token", "TOKEN"];
  const windows = launchGrant({ executable: "C:\\bin\\server.exe", allowedEnvKeys });

  const onWindows = checkEnvironmentKeys(allowedEnvKeys, windows);
  const onPosix = checkEnvironmentKeys(allowedEnvKeys, launchGrant({ allowedEnvKeys }));

  assert.deepEqual(onWindows, {
    ok: false,
    refusal: { kind: "stdio", reason: "environment", detail: "duplicate-key", key: "TOKEN" },
  });
  assert.equal(onPosix.ok, true);
});

const REFUSED_VALUES: readonly { fact: string; text: string; detail: StdioDetail }[] = [
  { fact: "a NUL", text: "a\0b", detail: "nul" },
  { fact: "a left-over template", text: "x${TOKEN}", detail: "leftover-template" },
  { fact: "a function", text: "() { :; }; id", detail: "function-value" },
];

for (const { fact, text, detail } of REFUSED_VALUES) {
  test(`X2 a value with ${fact} is refused, naming the key and not the value`, () => {
    assert.deepEqual(childEnvironment(new Map([["A", plain(text)]]), launchGrant()), {
      ok: false,
      refusal: { kind: "stdio", reason: "environment", detail, key: "A" },
    });
  });
}

test("X2 a template inside a variable's own value is just text", () => {
  const outcome = childEnvironment(new Map([["A", fromVariable("pa${ss", "SECRET")]]), launchGrant());

  assert.deepEqual(outcome, { ok: true, value: new Map([["A", "pa${ss"]]) });
});

test("X2 a template right behind a variable's value is left over", () => {
  const value = { ...fromVariable("abc", "SECRET"), text: "abc${X}" };

  assert.equal(childEnvironment(new Map([["A", value]]), launchGrant()).ok, false);
});

test("X4 the child gets what the authority chose, and the definition's values over it", () => {
  const grant = launchGrant({
    environment: new Map([
      ["HOME", "/home/someone"],
      ["LANG", "C"],
    ]),
  });

  const outcome = childEnvironment(new Map([["LANG", plain("de_DE")]]), grant);

  assert.deepEqual(outcome, {
    ok: true,
    value: new Map([
      ["HOME", "/home/someone"],
      ["LANG", "de_DE"],
    ]),
  });
});

test("X4 on Windows a definition's value replaces the base variable of another case", () => {
  const grant = launchGrant({
    executable: "C:\\bin\\server.exe",
    environment: new Map([["Path", "C:\\Windows"]]),
  });

  assert.deepEqual(childEnvironment(new Map([["PATH", plain("C:\\mine")]]), grant), {
    ok: true,
    value: new Map([["PATH", "C:\\mine"]]),
  });
});
