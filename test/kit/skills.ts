import { createHash } from "node:crypto";

/** A skill as a server would write it: files by their path, the first one SKILL.md. */
export interface WrittenSkill {
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly resources: unknown;
}

export const SKILL_TEXT = "---\nname: refunds\ndescription: Handles refunds\n---\n\nDo it well.\n";
export const SKILL_ROOT = "skill://acme/refunds";

export function digestOf(content: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

export function sizeOf(content: string | Uint8Array): number {
  return typeof content === "string" ? Buffer.byteLength(content) : content.length;
}

/** One line of a manifest. */
export function listed(
  path: string,
  content: string | Uint8Array,
  overrides: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    uri: `${SKILL_ROOT}/${path}`,
    digest: digestOf(content),
    size: sizeOf(content),
    ...overrides,
  };
}

/** A good entry with a SKILL.md and one more file, and whatever a test makes of it. */
export function writtenSkill(overrides: Readonly<Record<string, unknown>> = {}): WrittenSkill {
  return {
    uri: `${SKILL_ROOT}/SKILL.md`,
    frontmatter: { name: "refunds", description: "Handles refunds" },
    resources: [listed("SKILL.md", SKILL_TEXT), listed("references/FORMS.md", "forms\n")],
    ...overrides,
  };
}
