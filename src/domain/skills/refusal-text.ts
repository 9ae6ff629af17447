import { escapeForDisplay } from "../display-text.ts";
import type { SkillReason, SkillRefusal, SkillsRequirement } from "./refusal.ts";

const MISSING: Readonly<Record<SkillsRequirement, string>> = {
  selection:
    'its definition does not ask for skills; add "skills": true and "protocolVersion": "2026-07-28".',
  revision: "skills need protocol revision 2026-07-28, and another one was agreed on.",
  extension: "it does not offer skills.",
  resources:
    "it offers skills but no resources, through which they would be read; the server has to be fixed.",
};

const SENTENCES: Readonly<Record<Exclude<SkillReason, "unavailable" | "entry-refused">, string>> = {
  "uri-refused":
    "this is not the URI of a SKILL.md that could be asked for; list the skills for those there are.",
  "other-skill": "it was asked for one skill and described another; the server has to be fixed.",
  "entry-foreign": "this entry is not one of its own; list its skills and read from one of those.",
  "entry-stale": "this entry is out of date; list the skills again, and look at what changed.",
  "manifest-dynamic": "this skill is generated anew each time, so that nothing of it can be verified.",
  "file-unlisted": "the skill's manifest does not list this file; list the skills for those there are.",
  "contents-malformed": "its answer does not hold the file that was asked for; the server has to be fixed.",
  "size-mismatch": "the file has another size than the skill's manifest says; list the skills again.",
  "digest-mismatch": "the file is not the one that the skill's manifest describes; list the skills again.",
  "frontmatter-mismatch":
    "the SKILL.md says something else about itself than the entry that was listed; it was not handed over.",
};

/** Says in one sentence what about skills did not work out. Holds no text of the server's. */
export function describeSkillRefusal(refusal: SkillRefusal): string {
  return `server "${escapeForDisplay(refusal.serverId)}": ${sentence(refusal)}`;
}

function sentence(refusal: SkillRefusal): string {
  if (refusal.reason === "unavailable") return MISSING[refusal.missing];
  if (refusal.reason !== "entry-refused") return SENTENCES[refusal.reason];
  return `its description of this skill cannot be admitted (${refusal.entry}); the server has to be fixed.`;
}
