/** Why one entry of a server is not admitted. The first thing wrong counts. */
export const SKILL_ENTRY_REASONS = [
  "not-an-object",
  "uri-malformed",
  /** A scheme that programs open by themselves, such as `file:` or `https:`. */
  "scheme-refused",
  "path-traversal",
  "frontmatter-malformed",
  "frontmatter-too-large",
  /** The frontmatter's name is not the last segment of the skill's root. */
  "name-mismatch",
  "manifest-malformed",
  "too-many-files",
  "too-large",
  /** A file that is not inside the skill's directory, or of another scheme. */
  "file-outside",
  "file-duplicate",
  /** The manifest does not list the SKILL.md that it is about. */
  "skill-file-missing",
  /** The same skill twice in one list: none of its entries counts. */
  "duplicate",
] as const;
export type SkillEntryReason = (typeof SKILL_ENTRY_REASONS)[number];

/** What has to be there before skills can be asked for (S1), in this order. */
export const SKILLS_REQUIREMENTS = ["selection", "revision", "extension", "resources"] as const;
export type SkillsRequirement = (typeof SKILLS_REQUIREMENTS)[number];

export const SKILL_REASONS = [
  /** There is no view of skills; `missing` says what is not there. Nothing was asked. */
  "unavailable",
  /** A URI to ask for that is none of a SKILL.md. Nothing was asked. */
  "uri-refused",
  /** The server described the skill, and `entry` says why that cannot be admitted. */
  "entry-refused",
  /** It was asked for one skill and described another. */
  "other-skill",
  /** The entry did not come from this view. Nothing was asked. */
  "entry-foreign",
  /** A refresh, a change or another connection came after the entry. */
  "entry-stale",
  /** Nothing of a dynamic skill can be verified. Nothing was asked. */
  "manifest-dynamic",
  /** The file is not in the entry's manifest. Nothing was asked. */
  "file-unlisted",
  /** The answer holds no such file. */
  "contents-malformed",
  "size-mismatch",
  "digest-mismatch",
  /** The SKILL.md says something else about itself than the entry, or nothing that can be read. */
  "frontmatter-mismatch",
] as const;
export type SkillReason = (typeof SKILL_REASONS)[number];

interface OfServer {
  readonly kind: "skill";
  readonly serverId: string;
}

/** Something about skills that is refused. Whatever was received is dropped with it. */
export type SkillRefusal = OfServer &
  (
    | { readonly reason: Exclude<SkillReason, "unavailable" | "entry-refused"> }
    | { readonly reason: "unavailable"; readonly missing: SkillsRequirement }
    | { readonly reason: "entry-refused"; readonly entry: SkillEntryReason }
  );
