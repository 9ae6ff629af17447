import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { Secret } from "../../src/domain/secret.ts";

test("D17 a secret prints as [secret] in every form and reveals its value only on request", () => {
  const secret = new Secret("canary-value");

  const printed = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ deep: { secret } }),
  ];

  for (const form of printed) {
    assert.match(form, /\[secret\]/);
    assert.doesNotMatch(form, /canary/);
  }
  assert.equal(secret.reveal(), "canary-value");
});
