import { isJsonObject } from "../../domain/json-value.ts";
import { SKILL_MD } from "../../domain/skills/skill.ts";
import type { SkillFrontmatter } from "../../ports/skill-frontmatter.ts";

/**
 * Reads with the parser that the official server writes its entries with, so that both sides read a file alike. It
 * knows the part of YAML that skills use and refuses the rest. Loaded with the first SKILL.md: it brings the server.
 */
export function createSkillFrontmatter(): SkillFrontmatter {
  return {
    async read(skillMd, name) {
      const { skillEntry } = await import("@modelcontextprotocol/server/ext/skills");
      try {
        const { frontmatter } = await skillEntry(name, { [SKILL_MD]: skillMd });
        return isJsonObject(frontmatter) ? frontmatter : undefined;
      } catch {
        // Its message quotes the file.
        return undefined;
      }
    },
  };
}
