import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeSignInSettings, signInSettingOf } from "../../../src/domain/oauth/sign-in-settings.ts";

const URL_OF_SERVER = "https://mcp.test/a";

test("U5 a pin and an opt-out are read for the server that they name, in whatever spelling", () => {
  const decoded = decodeSignInSettings({
    version: 1,
    servers: { [URL_OF_SERVER]: { issuer: "https://id.test/", omitResource: true } },
  });

  assert.ok(decoded.ok);
  assert.deepEqual(signInSettingOf(decoded.value, "HTTPS://mcp.test:443/a"), {
    issuer: "https://id.test/",
    omitResource: true,
  });
  assert.deepEqual(signInSettingOf(decoded.value, "https://mcp.test/a/"), {});
  assert.deepEqual(signInSettingOf(decoded.value, "no URL"), {});
});

const INVALID: readonly (readonly [what: string, value: unknown])[] = [
  ["nothing", undefined],
  ["a list", []],
  ["no version", { servers: {} }],
  ["another version", { version: 2, servers: {} }],
  ["no servers", { version: 1 }],
  ["a word more", { version: 1, servers: {}, more: 1 }],
  ["a misspelled pin", { version: 1, servers: { [URL_OF_SERVER]: { isuer: "https://id.test" } } }],
  ["a name for a URL", { version: 1, servers: { web: {} } }],
  ["a file URL", { version: 1, servers: { "file:///x": {} } }],
  ["one server twice", { version: 1, servers: { [URL_OF_SERVER]: {}, "https://MCP.test/a": {} } }],
  ["an issuer over http", { version: 1, servers: { [URL_OF_SERVER]: { issuer: "http://id.test" } } }],
  ["an issuer that is no text", { version: 1, servers: { [URL_OF_SERVER]: { issuer: 5 } } }],
  [
    "an issuer too long",
    { version: 1, servers: { [URL_OF_SERVER]: { issuer: `https://id.test/${"a".repeat(2_048)}` } } },
  ],
  ["an opt-out that is no true", { version: 1, servers: { [URL_OF_SERVER]: { omitResource: "yes" } } }],
];

for (const [what, value] of INVALID) {
  test(`U5 settings with ${what} are invalid as a whole`, () => {
    assert.deepEqual(decodeSignInSettings(value), { ok: false, refusal: "invalid" });
  });
}

for (const [count, ok] of [
  [999, true],
  [1_000, true],
  [1_001, false],
] as const) {
  test(`U5 settings for ${count} servers are ${ok ? "read" : "refused"}`, () => {
    const servers = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`https://mcp.test/${n}`, {}]),
    );

    assert.equal(decodeSignInSettings({ version: 1, servers }).ok, ok);
  });
}
