import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { credentialSlot, isSameKey } from "../../../src/domain/oauth/credential-slot.ts";
import { makeKey } from "../../kit/credentials.ts";

const KEY = makeKey();

test("U9 a slot is 64 hex digits, and the same every time", () => {
  assert.equal(credentialSlot(KEY), credentialSlot({ ...KEY }));
  assert.match(credentialSlot(KEY), /^[0-9a-f]{64}$/);
});

for (const [what, other, sameSlot, sameKey] of [
  ["a renamed server", makeKey({ serverId: "renamed" }), false, false],
  ["another security identity", { ...KEY, securityIdentity: "0".repeat(64) }, false, false],
  ["a moved URL", { ...KEY, resource: "https://mcp.example/moved" }, false, false],
  ["another spelling of the URL", { ...KEY, resource: "HTTPS://MCP.EXAMPLE:443/mcp" }, true, true],
  ["a slash at the end", { ...KEY, resource: "https://mcp.example/mcp/" }, false, false],
  ["another name under one identity", { ...KEY, serverId: "other" }, true, false],
] as const) {
  test(`U9 ${what} has ${sameSlot ? "the same" : "another"} slot and is ${sameKey ? "the same" : "another"} key`, () => {
    assert.equal(credentialSlot(other) === credentialSlot(KEY), sameSlot);
    assert.equal(isSameKey(other, KEY), sameKey);
    assert.equal(isSameKey(KEY, other), sameKey);
  });
}

test("U9 two identities and URLs that read the same side by side have two slots", () => {
  const word = fc.string({ minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(word, word, word, (one, two, three) => {
      const left = credentialSlot({ serverId: "s", securityIdentity: one + two, resource: three });
      const right = credentialSlot({ serverId: "s", securityIdentity: one, resource: two + three });
      assert.notEqual(left, right);
    }),
    { numRuns: 100 },
  );
});
