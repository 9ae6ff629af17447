import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeSkill } from "../../../src/domain/skills/decode.ts";
import { SKILL_BYTES_LIMIT, type Skill } from "../../../src/domain/skills/skill.ts";
import { digestOf, listed, SKILL_ROOT, SKILL_TEXT, writtenSkill } from "../../kit/skills.ts";

const FORMS = listed("references/FORMS.md", "forms\n");
const SELF = listed("SKILL.md", SKILL_TEXT);

function decoded(raw: unknown): Skill {
  const outcome = decodeSkill(raw);
  if (!outcome.ok) throw new Error(outcome.refusal);
  return outcome.value;
}

function frontmatter(more: Readonly<Record<string, unknown>>): unknown {
  return writtenSkill({ frontmatter: { name: "refunds", description: "Handles refunds", ...more } });
}

test("S2 an entry holds the name, all of the frontmatter and the manifest", () => {
  const more = { license: "MIT", metadata: { author: "acme" }, "x-new": [1, { deep: true }] };

  const skill = decoded(frontmatter(more));

  const whole = { name: "refunds", description: "Handles refunds", ...more };
  assert.equal(skill.name, "refunds");
  assert.deepEqual(skill.untrustedFrontmatter, whole);
  assert.deepEqual(skill.untrustedRawFrontmatter, whole);
  assert.deepEqual(skill.textChanges, []);
  assert.deepEqual(skill.manifest, {
    kind: "listed",
    sizeBytes: SKILL_TEXT.length + 6,
    files: [
      {
        uri: `${SKILL_ROOT}/SKILL.md`,
        untrustedPath: "SKILL.md",
        sizeBytes: SKILL_TEXT.length,
        sha256: digestOf(SKILL_TEXT).slice("sha256:".length),
      },
      {
        uri: `${SKILL_ROOT}/references/FORMS.md`,
        untrustedPath: "references/FORMS.md",
        sizeBytes: 6,
        sha256: digestOf("forms\n").slice("sha256:".length),
      },
    ],
  });
});

test("S2 K9 what cannot be seen is taken out of what is shown, and kept in what is compared", () => {
  const hidden = "a\u202eb\u{e0041}";

  const skill = decoded(frontmatter({ description: hidden, "ke\u200by": { list: [hidden] } }));

  assert.equal(skill.untrustedDescription, "ab");
  assert.deepEqual(skill.untrustedFrontmatter, {
    name: "refunds",
    description: "ab",
    "ke\\u{200b}y": { list: ["ab"] },
  });
  assert.deepEqual(skill.untrustedRawFrontmatter["description"], hidden);
  assert.deepEqual(skill.textChanges, ["bidi-characters", "tag-characters"]);
});

test("S2 a key __proto__ is an ordinary one, and changes no prototype", () => {
  const raw: unknown = JSON.parse('{"name":"refunds","description":"d","__proto__":{"polluted":"x"}}');

  const skill = decoded(writtenSkill({ frontmatter: raw }));

  assert.equal(Object.hasOwn(skill.untrustedFrontmatter, "__proto__"), true);
  assert.equal(Object.getPrototypeOf(skill.untrustedFrontmatter), Object.prototype);
});

test("S3 a dynamic manifest is shown as one", () => {
  assert.deepEqual(decoded(writtenSkill({ resources: "dynamic" })).manifest, { kind: "dynamic" });
});

const REFUSED: readonly (readonly [what: string, raw: unknown, reason: string])[] = [
  ["a text", "skill", "not-an-object"],
  ["a list", [], "not-an-object"],
  ["no URI", writtenSkill({ uri: 7 }), "uri-malformed"],
  ["a file: URI", writtenSkill({ uri: "file:///refunds/SKILL.md" }), "scheme-refused"],
  ["dots in the URI", writtenSkill({ uri: "skill://a/../refunds/SKILL.md" }), "path-traversal"],
  ["no frontmatter", writtenSkill({ frontmatter: undefined }), "frontmatter-malformed"],
  ["no name", writtenSkill({ frontmatter: { description: "d" } }), "frontmatter-malformed"],
  ["an upper-case name", frontmatter({ name: "Refunds" }), "frontmatter-malformed"],
  ["two hyphens in the name", frontmatter({ name: "re--funds" }), "frontmatter-malformed"],
  ["an empty description", frontmatter({ description: "" }), "frontmatter-malformed"],
  ["a number for a description", frontmatter({ description: 1 }), "frontmatter-malformed"],
  ["a list for compatibility", frontmatter({ compatibility: [] }), "frontmatter-malformed"],
  ["an empty compatibility", frontmatter({ compatibility: "" }), "frontmatter-malformed"],
  ["a number in metadata", frontmatter({ metadata: { a: 1 } }), "frontmatter-malformed"],
  ["a long frontmatter", frontmatter({ x: "x".repeat(16_384) }), "frontmatter-too-large"],
  ["another name", frontmatter({ name: "payments" }), "name-mismatch"],
  ["no manifest", writtenSkill({ resources: undefined }), "manifest-malformed"],
  ["another word for a manifest", writtenSkill({ resources: "static" }), "manifest-malformed"],
  ["a text in the manifest", writtenSkill({ resources: ["x"] }), "manifest-malformed"],
  ["an upper-case digest", listing({ digest: digestOf("x").toUpperCase() }), "manifest-malformed"],
  ["another algorithm", listing({ digest: `sha512:${"a".repeat(64)}` }), "manifest-malformed"],
  ["a negative size", listing({ size: -1 }), "manifest-malformed"],
  ["half a byte", listing({ size: 0.5 }), "manifest-malformed"],
  ["a file without URI", listing({ uri: undefined }), "manifest-malformed"],
  ["../ in a file", listing({ uri: `${SKILL_ROOT}/../x.md` }), "path-traversal"],
  ["a file of another scheme", listing({ uri: "file:///etc/passwd" }), "file-outside"],
  ["a file of another skill", listing({ uri: "skill://acme/other/x.md" }), "file-outside"],
  ["a query in a file", listing({ uri: `${SKILL_ROOT}/x.md?y` }), "uri-malformed"],
  ["a file twice", writtenSkill({ resources: [SELF, FORMS, FORMS] }), "file-duplicate"],
  [
    "a file twice, spelled in two ways",
    listing({ uri: `${SKILL_ROOT}/references/F%4FRMS.md` }, [SELF, FORMS]),
    "file-duplicate",
  ],
  ["no SKILL.md in the manifest", writtenSkill({ resources: [FORMS] }), "skill-file-missing"],
  ["an empty manifest", writtenSkill({ resources: [] }), "skill-file-missing"],
];

function listing(file: Readonly<Record<string, unknown>>, before: readonly unknown[] = [SELF]): unknown {
  return writtenSkill({ resources: [...before, { ...listed("x.md", "x"), ...file }] });
}

for (const [what, raw, reason] of REFUSED) {
  test(`S2 an entry with ${what} is refused: ${reason}`, () => {
    assert.deepEqual(decodeSkill(raw), { ok: false, refusal: reason });
  });
}

function files(count: number): readonly unknown[] {
  return [SELF, ...Array.from({ length: count - 1 }, (_, index) => listed(`${index}.md`, "x"))];
}

test("S4 512 files are admitted and 513 are refused", () => {
  assert.equal(decodeSkill(writtenSkill({ resources: files(511) })).ok, true);
  assert.equal(decodeSkill(writtenSkill({ resources: files(512) })).ok, true);
  assert.deepEqual(decodeSkill(writtenSkill({ resources: files(513) })), {
    ok: false,
    refusal: "too-many-files",
  });
});

function sized(bytes: number): unknown {
  return listing({ size: bytes - SKILL_TEXT.length });
}

test("S4 16 MiB in all are admitted and one byte more is refused", () => {
  assert.equal(SKILL_BYTES_LIMIT, 16_777_216);
  assert.equal(decodeSkill(sized(SKILL_BYTES_LIMIT - 1)).ok, true);
  assert.equal(decodeSkill(sized(SKILL_BYTES_LIMIT)).ok, true);
  assert.deepEqual(decodeSkill(sized(SKILL_BYTES_LIMIT + 1)), { ok: false, refusal: "too-large" });
});

test("S4 the lengths of the Agent Skills specification hold at, below and above", () => {
  const rows = [
    [{ description: "😀".repeat(1_023) }, true],
    [{ description: "😀".repeat(1_024) }, true],
    [{ description: "😀".repeat(1_025) }, false],
    [{ compatibility: "x".repeat(499) }, true],
    [{ compatibility: "x".repeat(500) }, true],
    [{ compatibility: "x".repeat(501) }, false],
  ] as const;
  for (const [more, isGood] of rows) assert.equal(decodeSkill(frontmatter(more)).ok, isGood);

  for (const [length, isGood] of [
    [63, true],
    [64, true],
    [65, false],
  ] as const) {
    const name = "a".repeat(length);
    const uri = `skill://${name}/SKILL.md`;
    const raw = writtenSkill({
      uri,
      frontmatter: { name, description: "d" },
      resources: [{ ...SELF, uri }],
    });
    assert.equal(decodeSkill(raw).ok, isGood);
  }
});

function nested(depth: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

test("S4 a frontmatter is bounded in depth, values and text", () => {
  // The frontmatter itself is one level.
  assert.equal(decodeSkill(frontmatter({ x: nested(14) })).ok, true);
  assert.equal(decodeSkill(frontmatter({ x: nested(15) })).ok, true);
  assert.deepEqual(decodeSkill(frontmatter({ x: nested(16) })), {
    ok: false,
    refusal: "frontmatter-too-large",
  });
  // Object, name, description and the list are four values.
  assert.equal(decodeSkill(frontmatter({ x: Array(1_020).fill(1) })).ok, true);
  assert.equal(decodeSkill(frontmatter({ x: Array(1_021).fill(1) })).ok, false);
  const used = "namerefundsdescriptionHandles refundsx".length;
  assert.equal(decodeSkill(frontmatter({ x: "x".repeat(16_384 - used) })).ok, true);
  assert.equal(decodeSkill(frontmatter({ x: "x".repeat(16_385 - used) })).ok, false);
});

test("S2 the content fingerprint is the same for the same content in another order", () => {
  const entry = writtenSkill({ frontmatter: { name: "refunds", description: "d", license: "MIT" } });
  const turned = writtenSkill({
    frontmatter: { license: "MIT", description: "d", name: "refunds" },
    resources: [FORMS, SELF],
  });

  assert.match(decoded(entry).contentFingerprint, /^[0-9a-f]{64}$/);
  assert.equal(decoded(entry).contentFingerprint, decoded(turned).contentFingerprint);
});

test("S2 the content fingerprint changes with anything that it covers", () => {
  const other = "skill://acme/x/refunds";
  const entries = [
    writtenSkill(),
    frontmatter({ description: "Handles refunds." }),
    // What is not seen counts too.
    frontmatter({ description: "Handles refunds\u200b" }),
    frontmatter({ license: "MIT" }),
    writtenSkill({ resources: "dynamic" }),
    writtenSkill({ resources: [SELF] }),
    writtenSkill({ resources: [SELF, { ...FORMS, digest: digestOf("other") }] }),
    writtenSkill({ resources: [SELF, { ...FORMS, size: 7 }] }),
    writtenSkill({ resources: [SELF, { ...FORMS, uri: `${SKILL_ROOT}/references/FORM.md` }] }),
    writtenSkill({ uri: `${other}/SKILL.md`, resources: [{ ...SELF, uri: `${other}/SKILL.md` }] }),
  ];

  const prints = entries.map((entry) => decoded(entry).contentFingerprint);

  assert.equal(new Set(prints).size, entries.length);
});
