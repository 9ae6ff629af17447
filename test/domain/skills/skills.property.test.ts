import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { decodeSkill } from "../../../src/domain/skills/decode.ts";
import { SKILL_ENTRY_REASONS } from "../../../src/domain/skills/refusal.ts";
import { parseSkillFileUri, parseSkillUri } from "../../../src/domain/skills/uri.ts";
import { digestOf, listed, SKILL_TEXT, writtenSkill } from "../../kit/skills.ts";

const REASONS: ReadonlySet<string> = new Set(SKILL_ENTRY_REASONS);

test("S2 any JSON value is an entry or refused for a known reason, and never throws", () => {
  const anything = fc.jsonValue({ maxDepth: 6 });
  const entry = fc.record(
    {
      uri: fc.oneof(anything, fc.webUrl(), fc.constant("skill://acme/refunds/SKILL.md")),
      frontmatter: fc.oneof(anything, fc.record({ name: fc.constant("refunds"), description: fc.string() })),
      resources: fc.oneof(
        anything,
        fc.array(fc.record({ uri: fc.string(), digest: fc.string(), size: fc.nat() })),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(anything, entry), (raw) => {
      const outcome = decodeSkill(raw);
      return outcome.ok || REASONS.has(outcome.refusal);
    }),
  );
});

const pieces = fc.constantFrom(
  "a",
  "b.md",
  ".",
  "..",
  "%2e",
  "%2E%2e",
  "%2f",
  "/",
  "\\",
  "%5c",
  "%00",
  "?",
  "#",
  " ",
  "%",
  "é",
  "@",
  ":",
);

test("S3 a file that is admitted is inside the skill for a URL parser too", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const root = { uri: "skill://acme/refunds", name: "refunds" };
      const uri = `${root.uri}/${parts.join("")}`;
      const path = parseSkillFileUri(root, uri);
      if (!path.ok) return true;
      const { href, search, hash } = new URL(uri);
      return (
        href.startsWith(`${root.uri}/`) &&
        search === "" &&
        hash === "" &&
        !/(^|\/)\.{0,2}(\/|$)/.test(path.value)
      );
    }),
    { numRuns: 2_000 },
  );
});

test("S2 a skill that is admitted is named by its own last directory, for a URL parser too", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const uri = `skill://acme/${parts.join("")}/SKILL.md`;
      const root = parseSkillUri(uri);
      if (!root.ok) return true;
      const segments = new URL(uri).pathname.split("/");
      return segments.at(-1) === "SKILL.md" && decodeURIComponent(segments.at(-2) ?? "") === root.value.name;
    }),
    { numRuns: 2_000 },
  );
});

test("S2 the order of files and of fields never changes the content fingerprint", () => {
  const paths = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}\.md$/), { maxLength: 8 });
  const fields = fc.dictionary(fc.stringMatching(/^x-[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 5,
  });
  fc.assert(
    fc.property(paths, fields, fc.nat(), (names, more, turn) => {
      const files = [listed("SKILL.md", SKILL_TEXT), ...names.map((name) => listed(name, name))];
      const frontmatter = { name: "refunds", description: "d", ...more };
      const at = turn % files.length;
      const one = decodeSkill(writtenSkill({ frontmatter, resources: files }));
      const other = decodeSkill(
        writtenSkill({
          frontmatter: Object.fromEntries(Object.entries(frontmatter).toReversed()),
          resources: [...files.slice(at), ...files.slice(0, at)],
        }),
      );
      assert.ok(one.ok && other.ok);
      return one.value.contentFingerprint === other.value.contentFingerprint;
    }),
  );
});

test("S2 another digest of any one file always changes the content fingerprint", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      fc.pre(before !== after);
      const prints = [before, after].map((content) => {
        const self = { ...listed("SKILL.md", ""), digest: digestOf(content) };
        const skill = decodeSkill(writtenSkill({ resources: [self] }));
        return skill.ok ? skill.value.contentFingerprint : "";
      });
      return prints[0] !== prints[1] && prints[0] !== "";
    }),
  );
});
