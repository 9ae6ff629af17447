import { isJsonObject, own } from "../json-value.ts";
import { MODERN_REVISION } from "../session/revisions.ts";
import type { SkillsRequirement } from "./refusal.ts";
import { SKILLS_EXTENSION } from "./skill.ts";

/** The first thing that skills need and that is not there (S1); `undefined`: they can be asked for. */
export function missingForSkills(
  asked: boolean,
  negotiated: {
    readonly protocolVersion: string;
    readonly capabilities: ReadonlyMap<string, unknown>;
  },
): SkillsRequirement | undefined {
  const { protocolVersion, capabilities } = negotiated;
  if (!asked) return "selection";
  if (protocolVersion !== MODERN_REVISION) return "revision";
  const extensions = capabilities.get("extensions");
  const declared = isJsonObject(extensions) ? own(extensions, SKILLS_EXTENSION) : undefined;
  if (!isJsonObject(declared)) return "extension";
  return isJsonObject(capabilities.get("resources")) ? undefined : "resources";
}
