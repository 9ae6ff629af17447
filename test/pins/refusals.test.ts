import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import {
  ADMISSION_REASONS,
  HEADER_REASONS,
  HOLD_REASONS,
  ITEM_REASONS,
  PROFILE_REASONS,
  QUARANTINE_REASONS,
  SCHEMA_REASONS,
} from "../../src/domain/catalog/adapt-reason.ts";
import { CALL_REASONS, RESULT_REASONS } from "../../src/domain/catalog/refusal.ts";
import { HOME_REASONS, STORE_REASONS } from "../../src/domain/activation/store-refusal.ts";
import { EGRESS_REASONS } from "../../src/domain/egress/refusal.ts";
import { TOKEN_REASONS } from "../../src/domain/gate/token-refusal.ts";
import { ELICITATION_REASONS } from "../../src/domain/elicitation/refusal.ts";
import { HTTP_ADMISSION_REASONS } from "../../src/domain/http/refusal.ts";
import { STDIO_DETAILS, STDIO_REASONS } from "../../src/domain/launch/refusal.ts";
import { AUTH_REASONS } from "../../src/domain/oauth/refusal.ts";
import { SERVED_CATALOG_REASONS } from "../../src/domain/serve/refusal.ts";
import { SESSION_REASONS } from "../../src/domain/session/refusal.ts";
import { SKILL_ENTRY_REASONS, SKILL_REASONS, SKILLS_REQUIREMENTS } from "../../src/domain/skills/refusal.ts";
import { describeRefusal } from "../../src/domain/refusal-text.ts";
import { allRefusals, hostileRefusals, REFUSALS } from "./refusals.ts";

const LISTED = [
  ["E9", "egress", EGRESS_REASONS],
  ["H1", "http-admission", HTTP_ADMISSION_REASONS],
  ["X7", "stdio", STDIO_REASONS],
  ["U1", "auth", AUTH_REASONS],
  ["C10", "session", SESSION_REASONS],
  ["C7", "elicitation", ELICITATION_REASONS],
  ["R1", "served-catalog", SERVED_CATALOG_REASONS],
  ["K5", "call", CALL_REASONS],
  ["K7", "result", RESULT_REASONS],
  ["R9", "token", TOKEN_REASONS],
  ["M1", "store", STORE_REASONS],
  ["M1", "home", HOME_REASONS],
  ["S3", "skill", SKILL_REASONS],
] as const;

for (const [id, kind, reasons] of LISTED) {
  test(`${id} the reasons of ${kind} are the pinned ones, in the table and at run time`, () => {
    assert.deepEqual(new Set<string>(reasons), new Set(Object.keys(REFUSALS[kind])));
  });
}

test("C10 every refusal stands under its own kind and reason", () => {
  const placed = Object.entries(REFUSALS).flatMap(([kind, ofKind]) =>
    Object.entries(ofKind).map(([reason, refusal]) => [kind, reason, refusal.kind, refusal.reason]),
  );

  assert.deepEqual(
    placed.filter(([kind, reason, ...own]) => kind !== own[0] || reason !== own[1]),
    [],
  );
});

for (const refusal of allRefusals()) {
  test(`C10 ${refusal.kind}/${refusal.reason} has a sentence of its own, on one line and without a hole`, () => {
    const sentence = describeRefusal(refusal);

    assert.match(sentence, /^.{15,400}$/u);
    assert.doesNotMatch(sentence, /undefined|null|NaN|\[object|\bTODO\b/);
  });
}

test("C10 no two reasons of one kind have the same sentence", () => {
  for (const ofKind of Object.values(REFUSALS)) {
    const sentences = Object.values(ofKind).map((refusal) => describeRefusal(refusal));
    assert.equal(new Set(sentences).size, sentences.length, sentences.join("\n"));
  }
});

test("D16 no sentence shows a hostile server name raw", () => {
  const raw = hostileRefusals()
    .map((refusal) => [refusal.kind, refusal.reason, describeRefusal(refusal)])
    .filter(([, , sentence]) => /[\p{Cc}\p{Cf}]/u.test(sentence ?? ""));

  assert.deepEqual(raw, []);
});

test("D17 a refusal is plain data: what JSON shows is all that there is", () => {
  for (const refusal of allRefusals()) {
    assert.deepEqual(JSON.parse(JSON.stringify(refusal)), refusal, inspect(refusal));
  }
});

test("X7 the details of stdio refusals are the pinned ones", () => {
  assert.deepEqual(STDIO_DETAILS.toSorted(), [
    "arguments-not-listed",
    "bad-format",
    "bad-root",
    "batch-file",
    "by-close",
    "by-request",
    "closed",
    "code-changing",
    "cwd-changed",
    "duplicate-key",
    "executable-changed",
    "executable-missing",
    "exited",
    "flood",
    "frame",
    "function-value",
    "generation-changed",
    "home-shorthand",
    "invalid-key",
    "junk-lines",
    "leftover-template",
    "no-launch-facts",
    "no-resources",
    "not-a-file",
    "not-a-folder",
    "not-absolute",
    "not-allowed",
    "not-approved",
    "not-canonical",
    "not-enterable",
    "not-executable",
    "not-found",
    "not-listed",
    "not-permitted",
    "not-serialisable",
    "not-started",
    "not-stdio",
    "nul",
    "other-executable",
    "other-fault",
    "other-record",
    "other-subject",
    "outside-root",
    "parent-segment",
    "pending",
    "pipe-broken",
    "rejected",
    "revoked",
    "shell",
    "signalled",
    "stale",
    "survivors",
    "symlink-escape",
    "too-large",
    "unset-variable",
    "untrusted",
  ]);
});

test("S2 the reasons of a refused skill, and what skills need, are the pinned ones", () => {
  assert.deepEqual(SKILL_ENTRY_REASONS.toSorted(), [
    "duplicate",
    "file-duplicate",
    "file-outside",
    "frontmatter-malformed",
    "frontmatter-too-large",
    "manifest-malformed",
    "name-mismatch",
    "not-an-object",
    "path-traversal",
    "scheme-refused",
    "skill-file-missing",
    "too-large",
    "too-many-files",
    "uri-malformed",
  ]);
  assert.deepEqual(SKILLS_REQUIREMENTS, ["selection", "revision", "extension", "resources"]);
});

test("K2 the reasons of a catalog are the pinned ones", () => {
  assert.deepEqual(
    [...QUARANTINE_REASONS, ...ADMISSION_REASONS, ...HEADER_REASONS, ...HOLD_REASONS].toSorted(),
    [
      "accepts-nothing",
      "definition-changed",
      "definition-new",
      "dialect-unknown",
      "duplicate",
      "filtered",
      "header-misplaced",
      "header-name-duplicate",
      "header-name-invalid",
      "header-too-many",
      "header-type-not-allowed",
      "name-clash",
      "name-empty",
      "name-missing",
      "name-too-long",
      "not-an-object",
      "pins-unreadable",
      "ref-loop",
      "ref-remote",
      "root-not-object",
      "schema-not-object",
      "too-many-items",
      "uri-missing",
      "uri-too-long",
    ],
  );
  assert.deepEqual(ITEM_REASONS.toSorted(), [
    "annotation-dropped",
    "argument-dropped",
    "arguments-in-headers",
    "more-reasons",
    "name-altered",
    "output-schema-dropped",
    "result-size-ignored",
    "task-required",
    "text-cleaned",
    "text-cut",
    "text-malformed",
  ]);
});

test("K4 the reasons of narrowing are the pinned ones", () => {
  assert.deepEqual(PROFILE_REASONS.toSorted(), [
    "additional-closed",
    "any-value",
    "bound-widened",
    "enum-values",
    "keyword-not-taken",
    "property-clash",
    "property-renamed",
    "required-left-out",
    "shown-depth-limit",
    "shown-enum-limit",
    "shown-property-limit",
    "shown-text-limit",
  ]);
  assert.deepEqual(SCHEMA_REASONS.toSorted(), [
    "all-of",
    "all-of-merged",
    "any-of",
    "boolean-schema",
    "conditional",
    "default-dropped",
    "depth-limit",
    "enum-empty",
    "enum-limit",
    "exclusive-bound",
    "expansion-limit",
    "false-property",
    "idle-keyword",
    "keyword-malformed",
    "keyword-unsupported",
    "node-limit",
    "one-of",
    "pattern-invalid",
    "pattern-properties",
    "pattern-unbounded",
    "properties-array",
    "ref-dynamic",
    "ref-recursive",
    "ref-siblings",
    "ref-unresolved",
    "required-duplicate",
    "root-combinator",
    "root-enum",
    "root-type-missing",
    "root-type-union",
    "schema-empty-array",
    "schema-malformed",
    "schema-missing",
    "tuple",
    "type-union",
    "type-unknown",
  ]);
});
