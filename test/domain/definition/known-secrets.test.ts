import assert from "node:assert/strict";
import { test } from "node:test";

import { createSecretMask, secretsOf } from "../../../src/domain/definition/known-secrets.ts";
import { definitionOf } from "../../kit/definitions.ts";

test("D10 the secrets of a definition are its secret stretches", () => {
  const variables = { A_TOKEN: "one", PLAIN: "two" };
  const stdio = definitionOf(
    { command: "a", args: ["${A_TOKEN}-${PLAIN}"], cwd: "/${A_TOKEN}", env: { B_KEY: "three", C: "four" } },
    { variables },
  );
  const http = definitionOf(
    {
      url: "https://a/${A_TOKEN}",
      headers: { Authorization: "Bearer ${PLAIN}", C: "four" },
      env: { D_KEY: "five" },
    },
    { variables },
  );

  assert.deepEqual(secretsOf(stdio), ["one", "three"]);
  assert.deepEqual(secretsOf(http), ["one", "Bearer ", "two", "five"]);
});

test("X5 a known secret is masked wherever it occurs, overlaps included", () => {
  const mask = createSecretMask(["abcdefgh", "efghijkl"]);

  assert.equal(
    mask("x abcdefgh y abcdefghijkl abcdefghabcdefgh z"),
    "x [redacted] y [redacted] [redacted][redacted] z",
  );
  assert.equal(mask("abcdefg efghijk"), "abcdefg efghijk");
});

test("X5 a secret inside another secret uncovers none of the longer one", () => {
  const mask = createSecretMask(["cdefghij", "abcdefghijkl"]);

  assert.equal(mask("-abcdefghijkl-cdefghij-"), "-[redacted]-[redacted]-");
});

test("X5 a secret of 8 characters is masked, a shorter one is left", () => {
  assert.equal(createSecretMask(["1234567"])("a 1234567 b"), "a 1234567 b");
  assert.equal(createSecretMask(["12345678"])("a 12345678 b"), "a [redacted] b");
});

test("X5 the words of a secret, and its percent-encoded and JSON forms are masked", () => {
  const mask = createSecretMask(["Bearer abc/defgh", 'quo"ted-value']);

  assert.equal(mask("sent abc/defgh"), "sent [redacted]");
  assert.equal(mask("?t=abc%2Fdefgh"), "?t=[redacted]");
  assert.equal(mask(JSON.stringify({ a: 'quo"ted-value' })), '{"a":"[redacted]"}');
});

test("X5 a mask of no secrets changes nothing", () => {
  assert.equal(createSecretMask([])("text"), "text");
  assert.equal(createSecretMask(["", "\ud800"])("text"), "text");
});

test("X5 masking a periodic secret in a periodic text is linear", () => {
  const mask = createSecretMask(["a".repeat(5_000)]);
  const before = process.cpuUsage();
  const masked = mask(`${"a".repeat(200_000)}b`);
  const { user } = process.cpuUsage(before);

  assert.equal(masked, "[redacted]b");
  // Comparing 5,000 characters at each of 200,000 places would take seconds.
  assert.ok(user < 1_000_000, `${user} µs`);
});
