import assert from "node:assert/strict";
import { test } from "node:test";

import { createHttpAuthentication } from "../../../../src/adapters/mcp-sdk/http-authentication.ts";

function memory(secrets: readonly string[] = []) {
  return createHttpAuthentication({ authenticator: undefined, required: false, secrets });
}

test("D17 a server's words lose what was sent by the last 8 authorizations, and the definition's secrets", () => {
  const authentication = memory(["definition-secret"]);
  for (let index = 0; index < 9; index += 1) {
    authentication.remember(`g${index}`, [["authorization", `Bearer token-number-${index}`]]);
  }
  const said = [0, 1, 8].map((index) => authentication.words(`token-number-${index}`));
  assert.deepEqual(said, ["token-number-0", "[redacted]", "[redacted]"]);
  assert.equal(authentication.words("definition-secret"), "[redacted]");
});

test("D17 words that were asked for early do not miss what is sent later", () => {
  const authentication = memory();
  assert.equal(authentication.words("token-number-1"), "token-number-1");
  authentication.remember("g", [["x-key", "token-number-1"]]);
  assert.equal(authentication.words("token-number-1"), "[redacted]");
});

test("U2 having sent authorization counts as having been asked", () => {
  const authentication = memory();
  assert.equal(authentication.asked, false);
  authentication.remember("g", [["x-key", "value"]]);
  assert.equal(authentication.asked, true);
});
