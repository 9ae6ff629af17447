import assert from "node:assert/strict";
import { test } from "node:test";

import { createServerWords } from "../../../../src/adapters/mcp-sdk/server-words.ts";

const SECRET = "s3cr3t-value-of-a-token";

test("D17 a secret that a server says back is masked in its words", () => {
  const words = createServerWords([SECRET]);

  assert.equal(words(`no such key: ${SECRET}!`), "no such key: [redacted]!");
});

test("D17 a secret that a colour change parts is masked all the same", () => {
  const words = createServerWords([SECRET]);

  assert.equal(words(`${SECRET.slice(0, 5)}\u001b[31m${SECRET.slice(5)}`), "[redacted]");
});

for (const [place, before] of [
  ["right before", 1_024 - SECRET.length],
  ["over", 1_024 - 10],
  ["right after", 1_024],
] as const) {
  test(`D17 a secret ${place} the place where words are cut leaves no part of itself`, () => {
    const words = createServerWords([SECRET]);

    const kept = words("x".repeat(before) + SECRET + SECRET);

    assert.ok(kept.length <= 1_024);
    assert.doesNotMatch(kept, /s3cr/);
  });
}

test("K9 words are kept to 1,024 characters, and plain ones stay what they are", () => {
  const words = createServerWords([]);

  assert.equal(words("y".repeat(1_024)), "y".repeat(1_024));
  assert.equal(words("y".repeat(1_025)), "y".repeat(1_024));
});
