import type { JsonObject } from "../domain/json-value.ts";

/** For reading what a SKILL.md says of itself. */
export interface SkillFrontmatter {
  /**
   * Reads the frontmatter at the beginning of a SKILL.md of this name. `undefined` for one that cannot be read, or only
   * in more than one way: nothing is guessed. Never rejects.
   */
  read(skillMd: string, name: string): Promise<JsonObject | undefined>;
}
