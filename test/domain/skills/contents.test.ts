import assert from "node:assert/strict";
import { test } from "node:test";

import { verifyContents } from "../../../src/domain/skills/contents.ts";
import { frontmatterHead, isSameFrontmatter } from "../../../src/domain/skills/frontmatter.ts";
import { losslessText } from "../../../src/domain/skills/lossless-text.ts";
import { skillReceiveLimitBytes, type SkillFile } from "../../../src/domain/skills/skill.ts";
import { missingForSkills } from "../../../src/domain/skills/support.ts";
import { describeSkillRefusal } from "../../../src/domain/skills/refusal-text.ts";
import { digestOf, SKILL_ROOT, sizeOf } from "../../kit/skills.ts";

const URI = `${SKILL_ROOT}/a.md`;

function fileOf(content: string | Uint8Array): SkillFile {
  const sha256 = digestOf(content).slice("sha256:".length);
  return { uri: URI, untrustedPath: "a.md", sizeBytes: sizeOf(content), sha256 };
}

const refused = (refusal: string): unknown => ({ ok: false, refusal });

test("S3 a text is checked over its UTF-8 bytes, and handed over as bytes", () => {
  const text = "h\u00e4 \u{1f600}\r\n";

  assert.deepEqual(
    verifyContents({ contents: [{ uri: URI, text, mimeType: "text/\u202eplain" }] }, fileOf(text)),
    {
      ok: true,
      value: {
        uri: URI,
        bytes: new Uint8Array(Buffer.from(text)),
        sha256: fileOf(text).sha256,
        untrustedMimeType: "text/plain",
      },
    },
  );
});

test("S3 a blob is checked over what it decodes to", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const blob = Buffer.from(bytes).toString("base64");

  const verified = verifyContents({ contents: [{ uri: URI, blob }] }, fileOf(bytes));

  assert.deepEqual(verified.ok && verified.value.bytes, bytes);
});

test("S3 an empty file is a file", () => {
  assert.equal(verifyContents({ contents: [{ uri: URI, text: "" }] }, fileOf("")).ok, true);
  assert.equal(verifyContents({ contents: [{ uri: URI, blob: "" }] }, fileOf("")).ok, true);
});

test("S3 the file that was asked for is taken, not the first one", () => {
  const contents = [
    { uri: `${SKILL_ROOT}/b.md`, text: "b" },
    { uri: URI, text: "a" },
  ];

  const verified = verifyContents({ contents }, fileOf("a"));

  assert.deepEqual(verified.ok && [...verified.value.bytes], [0x61]);
});

test("S3 another size is refused before the digest is looked at", () => {
  const file = fileOf("abc");
  for (const content of [{ text: "ab" }, { text: "abcd" }, { blob: "YWI=" }, { blob: "YWJjZA==" }]) {
    assert.deepEqual(
      verifyContents({ contents: [{ uri: URI, ...content }] }, file),
      refused("size-mismatch"),
    );
  }
});

test("S3 another content of the same size is refused", () => {
  for (const content of [{ text: "abd" }, { blob: "YWJk" }]) {
    assert.deepEqual(
      verifyContents({ contents: [{ uri: URI, ...content }] }, fileOf("abc")),
      refused("digest-mismatch"),
    );
  }
});

test("S3 a text that is no Unicode cannot pass for the bytes it stands for", () => {
  const file = fileOf(Uint8Array.of(0xed, 0xa0, 0x80));

  assert.deepEqual(
    verifyContents({ contents: [{ uri: URI, text: "\ud800" }] }, file),
    refused("digest-mismatch"),
  );
});

const MALFORMED: readonly unknown[] = [
  undefined,
  {},
  [],
  ["a"],
  [{ uri: `${SKILL_ROOT}/b.md`, text: "abc" }],
  [{ uri: URI }],
  [{ uri: URI, text: 7 }],
  [{ uri: URI, text: "abc", blob: "YWJj" }],
  [{ uri: URI, blob: "YW Jj" }],
  [{ uri: URI, blob: "YWJ" }],
  [...Array.from({ length: 16 }, () => ({ uri: `${SKILL_ROOT}/b.md`, text: "" })), { uri: URI, text: "abc" }],
];

for (const contents of MALFORMED) {
  test(`S3 contents ${JSON.stringify(contents)?.slice(0, 60)} are malformed`, () => {
    assert.deepEqual(verifyContents({ contents }, fileOf("abc")), refused("contents-malformed"));
  });
}

test("S4 the receive cap of a read is twice its file and 64 KiB", () => {
  assert.deepEqual([0, 1, 16 * 1024 * 1024].map(skillReceiveLimitBytes), [65_536, 65_538, 33_619_968]);
});

test("S3 the head of a SKILL.md ends with its frontmatter", () => {
  assert.equal(frontmatterHead("---\nname: a\n---\nbody\n---\n"), "---\nname: a\n---\n");
  assert.equal(
    frontmatterHead("\uFEFF---\r\nname: a\r\n--- \t\r\nbody"),
    "\uFEFF---\r\nname: a\r\n--- \t\r\n",
  );
  assert.equal(frontmatterHead("---\nname: a\n---"), "---\nname: a\n---");
  for (const none of [
    "",
    "name: a\n---\n",
    " ---\nname: a\n---\n",
    "---\nname: a\n----\n",
    "---\nname: a\n",
  ]) {
    assert.equal(frontmatterHead(none), undefined);
  }
});

test("S3 a frontmatter is the same in another order of keys, and in no other way", () => {
  const one = { name: "a", metadata: { x: "1", y: "2" }, list: [1, 2] };

  assert.equal(isSameFrontmatter(one, { list: [1, 2], metadata: { y: "2", x: "1" }, name: "a" }), true);
  for (const other of [
    { ...one, list: [2, 1] },
    { ...one, list: ["1", 2] },
    { ...one, more: null },
    { ...one, metadata: { x: "1" } },
    { ...one, name: "A" },
  ]) {
    assert.equal(isSameFrontmatter(one, other), false);
    assert.equal(isSameFrontmatter(other, one), false);
  }
});

test("S3 bytes are a text where decoding loses nothing", () => {
  assert.equal(losslessText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), "\uFEFFa");
  assert.equal(losslessText(Uint8Array.of(0x61, 0xff)), undefined);
});

function head(length: number): string {
  return `---\n${"x".repeat(length)}\n---\n`;
}

test("S4 a frontmatter of 64 KiB is looked at and a longer one is not", () => {
  assert.equal(frontmatterHead(head(65_536)), head(65_536));
  assert.equal(frontmatterHead(head(65_537)), undefined);
});

const OFFERED = new Map<string, unknown>([
  ["resources", {}],
  ["extensions", { "io.modelcontextprotocol/skills": {} }],
]);

test("S1 skills need to be asked for, the revision, the extension and resources", () => {
  const modern = { protocolVersion: "2026-07-28", capabilities: OFFERED };
  const without = (name: string): ReadonlyMap<string, unknown> =>
    new Map([...OFFERED].filter(([key]) => key !== name));

  assert.equal(missingForSkills(true, modern), undefined);
  assert.equal(missingForSkills(false, modern), "selection");
  assert.equal(missingForSkills(true, { ...modern, protocolVersion: "2025-11-25" }), "revision");
  assert.equal(missingForSkills(true, { ...modern, capabilities: without("extensions") }), "extension");
  assert.equal(missingForSkills(true, { ...modern, capabilities: without("resources") }), "resources");
  for (const extensions of [null, [], { other: {} }, { "io.modelcontextprotocol/skills": true }]) {
    const capabilities = new Map<string, unknown>([...OFFERED, ["extensions", extensions]]);
    assert.equal(missingForSkills(true, { ...modern, capabilities }), "extension");
  }
});

test("S2 the sentence of a refused entry names its reason", () => {
  assert.equal(
    describeSkillRefusal({ kind: "skill", reason: "entry-refused", serverId: "a", entry: "too-large" }),
    'server "a": its description of this skill cannot be admitted (too-large); the server has to be fixed.',
  );
});
