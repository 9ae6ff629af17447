import assert from "node:assert/strict";
import { test } from "node:test";

import { parseSkillFileUri, parseSkillUri } from "../../../src/domain/skills/uri.ts";

const ACCEPTED = [
  ["skill://refunds/SKILL.md", "skill://refunds", "refunds"],
  ["skill://acme/billing/refunds/SKILL.md", "skill://acme/billing/refunds", "refunds"],
  ["github://owner/repo/skills/refunds/SKILL.md", "github://owner/repo/skills/refunds", "refunds"],
  ["repo:///skills/refunds/SKILL.md", "repo:///skills/refunds", "refunds"],
  ["skill://acme/r%65funds/SKILL.md", "skill://acme/r%65funds", "refunds"],
] as const;

for (const [given, root, name] of ACCEPTED) {
  test(`S2 ${given} is a skill of the name ${name}`, () => {
    assert.deepEqual(parseSkillUri(given), { ok: true, value: { uri: root, name } });
  });
}

const REFUSED = [
  ["refunds/SKILL.md", "uri-malformed"],
  ["skill:refunds/SKILL.md", "uri-malformed"],
  ["skill://SKILL.md", "uri-malformed"],
  ["skill:///SKILL.md", "uri-malformed"],
  ["skill://refunds/skill.md", "uri-malformed"],
  ["skill://refunds/SKILL.md/", "uri-malformed"],
  ["skill://refunds/SKILL.md?v=2", "uri-malformed"],
  ["skill://refunds/SKILL.md#top", "uri-malformed"],
  ["skill://user@refunds/SKILL.md", "uri-malformed"],
  ["skill://acme//SKILL.md", "uri-malformed"],
  ["skill://acme/re funds/SKILL.md", "uri-malformed"],
  ["skill://acme/re\u202efunds/SKILL.md", "uri-malformed"],
  ["skill://acme/re\nfunds/SKILL.md", "uri-malformed"],
  ["skill://acme\\refunds/SKILL.md", "uri-malformed"],
  ["skill://acme/%zz/SKILL.md", "uri-malformed"],
  ["skill://acme/../refunds/SKILL.md", "path-traversal"],
  ["skill://acme/%2e%2E/refunds/SKILL.md", "path-traversal"],
  ["skill://acme/./refunds/SKILL.md", "path-traversal"],
  ["skill://acme/x%2Frefunds/SKILL.md", "path-traversal"],
  ["skill://acme/x%5Crefunds/SKILL.md", "path-traversal"],
  ["skill://acme/x%00refunds/SKILL.md", "path-traversal"],
  ["file:///etc/refunds/SKILL.md", "scheme-refused"],
  ["https://example.com/refunds/SKILL.md", "scheme-refused"],
  ["http://127.0.0.1/refunds/SKILL.md", "scheme-refused"],
  ["javascript://x/refunds/SKILL.md", "scheme-refused"],
] as const;

for (const [given, reason] of REFUSED) {
  test(`S2 ${JSON.stringify(given)} is no skill: ${reason}`, () => {
    assert.deepEqual(parseSkillUri(given), { ok: false, refusal: reason });
  });
}

function uri(length: number): string {
  const fixed = "skill:///SKILL.md".length;
  return `skill://${"a".repeat(length - fixed)}/SKILL.md`;
}

test("S2 a URI of 2,048 characters is read and one of 2,049 is not", () => {
  assert.equal(uri(2_048).length, 2_048);
  assert.equal(parseSkillUri(uri(2_048)).ok, true);
  assert.deepEqual(parseSkillUri(uri(2_049)), { ok: false, refusal: "uri-malformed" });
});

const ROOT = { uri: "skill://acme/refunds", name: "refunds" };
const FILES = [
  ["skill://acme/refunds/SKILL.md", { ok: true, value: "SKILL.md" }],
  ["skill://acme/refunds/a/b.md", { ok: true, value: "a/b.md" }],
  ["skill://acme/refunds/Q%26A.md", { ok: true, value: "Q&A.md" }],
  ["skill://acme/refunds/Q&A.md", { ok: true, value: "Q&A.md" }],
  ["skill://acme/refunds", { ok: false, refusal: "file-outside" }],
  ["skill://acme/refunds-2/a.md", { ok: false, refusal: "file-outside" }],
  ["skill://acme/other/a.md", { ok: false, refusal: "file-outside" }],
  ["file:///etc/passwd", { ok: false, refusal: "file-outside" }],
  ["https://acme/refunds/a.md", { ok: false, refusal: "file-outside" }],
  ["skill://acme/%72efunds/a.md", { ok: false, refusal: "file-outside" }],
  ["skill://acme/refunds/../other/a.md", { ok: false, refusal: "path-traversal" }],
  ["skill://acme/refunds/%2e%2e/other/a.md", { ok: false, refusal: "path-traversal" }],
  ["skill://acme/refunds/a%2f..%2f..%2fb", { ok: false, refusal: "path-traversal" }],
  ["skill://acme/refunds/", { ok: false, refusal: "uri-malformed" }],
  ["skill://acme/refunds/a//b", { ok: false, refusal: "uri-malformed" }],
  ["skill://acme/refunds/a.md?x", { ok: false, refusal: "uri-malformed" }],
] as const;

for (const [given, outcome] of FILES) {
  test(`S3 below skill://acme/refunds, ${given} is ${outcome.ok ? outcome.value : outcome.refusal}`, () => {
    assert.deepEqual(parseSkillFileUri(ROOT, given), outcome);
  });
}
