/**
 * Every closed word is produced by some test. What this can see: that a test file outside `pins` writes the word
 * as a literal, in a file whose text also names the area. What it cannot see: whether that test asserts it, or
 * whether the code under test made it; reviewing a new reason is still a person's work.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import {
  ADMISSION_REASONS,
  HEADER_REASONS,
  HOLD_REASONS,
  ITEM_REASONS,
  PROFILE_REASONS,
  QUARANTINE_REASONS,
  SCHEMA_REASONS,
} from "../../src/domain/catalog/adapt-reason.ts";
import type { StalePart } from "../../src/domain/activation/approval.ts";
import { AUDIT_ACTIONS } from "../../src/domain/activation/audit-event.ts";
import type { SourceWarning } from "../../src/domain/definition/container.ts";
import type { DefinitionNote } from "../../src/domain/definition/definition.ts";
import { STDIO_DETAILS } from "../../src/domain/launch/refusal.ts";
import { SKILL_ENTRY_REASONS } from "../../src/domain/skills/refusal.ts";
import { ROOT } from "../architecture/source-files.ts";
import { REFUSALS } from "./refusals.ts";

/** Sets that exist in types only: complete by type. */
const STALE_PARTS: Readonly<Record<StalePart, true>> = {
  source: true,
  origin: true,
  fingerprint: true,
  "security-identity": true,
  repository: true,
  generation: true,
  executable: true,
  cwd: true,
};
const WARNINGS: Readonly<Record<SourceWarning["warning"], true>> = {
  "empty-file": true,
  "byte-order-mark": true,
  comments: true,
  "trailing-commas": true,
  "trust-ignored": true,
};
const NOTES: Readonly<Record<DefinitionNote["note"], true>> = {
  ignored: true,
  "transport-inferred": true,
  "transport-alias": true,
  "env-unused": true,
  translated: true,
  "placeholder-translated": true,
  "timeout-implausible": true,
  "foreign-placeholder": true,
};

type WordSet = readonly [set: string, words: readonly string[], folders: readonly string[]];

/** Where the tests of each set live, by the beginning of their path under `test`. */
const SETS: readonly WordSet[] = [
  ["source", Object.keys(REFUSALS.source), ["domain/definition/", "adapters/files/"]],
  ["definition", Object.keys(REFUSALS.definition), ["domain/definition/"]],
  ["blocked", Object.keys(REFUSALS.blocked), ["domain/definition/"]],
  ["overlay", Object.keys(REFUSALS.overlay), ["domain/definition/"]],
  ["activation", Object.keys(REFUSALS.activation), ["domain/activation/", "composition/"]],
  ["activation-decision", Object.keys(REFUSALS["activation-decision"]), ["domain/activation/"]],
  ["store", Object.keys(REFUSALS.store), ["adapters/files/", "ports/", "composition/"]],
  ["home", Object.keys(REFUSALS.home), ["adapters/files/"]],
  ["host", Object.keys(REFUSALS.host), ["composition/", "flows/"]],
  ["http-admission", Object.keys(REFUSALS["http-admission"]), ["adapters/mcp-sdk/", "domain/http/"]],
  ["egress", Object.keys(REFUSALS.egress), ["domain/egress/", "adapters/"]],
  ["network", Object.keys(REFUSALS.network), ["adapters/"]],
  ["stdio", Object.keys(REFUSALS.stdio), ["domain/launch/", "adapters/", "flows/"]],
  ["stdio detail", STDIO_DETAILS, ["domain/launch/", "adapters/", "flows/"]],
  ["auth", Object.keys(REFUSALS.auth), ["domain/oauth/", "flows/", "adapters/", "composition/"]],
  ["session", Object.keys(REFUSALS.session), ["adapters/mcp-sdk/", "flows/", "domain/session/"]],
  ["elicitation", Object.keys(REFUSALS.elicitation), ["domain/elicitation/", "adapters/mcp-sdk/", "flows/"]],
  ["served-catalog", Object.keys(REFUSALS["served-catalog"]), ["domain/serve/", "flows/"]],
  ["skill", Object.keys(REFUSALS.skill), ["domain/skills/", "flows/", "composition/"]],
  ["skill entry", SKILL_ENTRY_REASONS, ["domain/skills/", "flows/"]],
  ["call", Object.keys(REFUSALS.call), ["flows/", "composition/"]],
  ["result", Object.keys(REFUSALS.result), ["flows/", "adapters/files/"]],
  ["token", Object.keys(REFUSALS.token), ["domain/gate/", "flows/"]],
  ["narrowing", SCHEMA_REASONS, ["domain/catalog/"]],
  ["profile", PROFILE_REASONS, ["domain/catalog/"]],
  ["quarantine", QUARANTINE_REASONS, ["domain/catalog/"]],
  ["item admission", ADMISSION_REASONS, ["domain/catalog/"]],
  ["argument headers", HEADER_REASONS, ["domain/catalog/"]],
  ["hold", HOLD_REASONS, ["domain/catalog/", "composition/"]],
  ["item", ITEM_REASONS, ["domain/catalog/"]],
  ["audit action", AUDIT_ACTIONS, ["domain/activation/", "composition/", "flows/"]],
  ["stale part", Object.keys(STALE_PARTS), ["domain/activation/"]],
  ["source warning", Object.keys(WARNINGS), ["domain/definition/", "adapters/files/"]],
  ["definition note", Object.keys(NOTES), ["domain/definition/"]],
];

const TESTS = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  // Tables of sentences name every word without producing one.
  .filter(
    (path) => path.endsWith(".ts") && !path.startsWith("pins/") && !path.endsWith("refusal-text.test.ts"),
  )
  .map((path) => ({ path, text: readFileSync(join(ROOT, "test", path), "utf8") }));

function unproduced(words: readonly string[], folders: readonly string[]): readonly string[] {
  const texts = TESTS.filter(({ path }) => folders.some((folder) => path.startsWith(folder))).map(
    ({ text }) => text,
  );
  // As a whole literal, after the `kind/` or before the ` /path` that some tables write with it.
  return words.filter((word) => !texts.some((text) => new RegExp(`["'\`/]${word}["'\` ]`).test(text)));
}

for (const [set, words, folders] of SETS) {
  test(`every word of the set "${set}" stands in a test of its area`, () => {
    assert.deepEqual(unproduced(words, folders), []);
  });
}

test("a planted word that no test produces is seen", () => {
  // Put together here, so that this file itself does not hold it.
  const planted = ["never", "produced"].join("-");

  assert.deepEqual(unproduced([planted, "pending"], ["domain/activation/"]), [planted]);
});
