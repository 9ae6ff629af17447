import { isJsonObject } from "../json-value.ts";
import type { SkillsRequirement } from "../skills/refusal.ts";
import { SKILLS_EXTENSION } from "../skills/skill.ts";
import { missingForSkills } from "../skills/support.ts";
import { MODERN_REVISION } from "./revisions.ts";
import { cleanText } from "../catalog/untrusted-text.ts";

/** C6, closed. */
export type CompatibilityCode =
  /** `auto` was asked and the server speaks only the older era. */
  | "modern-era-unavailable"
  /** The server may answer with a question, which is refused unless elicitation is on. */
  | "input-rounds-off"
  /** The server would push changes of this capability (of its list, of single resources); they are not subscribed to. */
  | "subscriptions-off"
  /** The server declares something this surface does not use. */
  | "capability-unused"
  | "extension-unselected"
  /** Skills were asked for; `missing` says what is not there for them. */
  | "skills-unavailable";

export interface CompatibilityDiagnostic {
  readonly code: CompatibilityCode;
  /** The capability or extension it is about: a server's own word, cleaned and cut. */
  readonly subject?: string;
  /** Of `skills-unavailable`. */
  readonly missing?: SkillsRequirement;
}

/** Capabilities that the session surface reads. */
const USED = new Set(["tools", "prompts", "resources", "extensions"]);
/** Extensions shown at most: a server decides how many it names. */
const EXTENSION_LIMIT = 32;
const SUBJECT_LIMIT = 64;

/** Names what was asked and is not there, and what this surface leaves out (C6). */
export function compatibilityDiagnostics(
  negotiated: {
    readonly protocolVersion: string;
    readonly capabilities: ReadonlyMap<string, unknown>;
  },
  asked: {
    readonly selection: "legacy" | "2026-07-28" | "auto";
    readonly elicitation: boolean;
    /** Whether changes of lists are subscribed to. Default: no. */
    readonly listChanges?: boolean;
    /** Whether skills are on. Default: no. */
    readonly skills?: boolean;
  },
): readonly CompatibilityDiagnostic[] {
  const modern = negotiated.protocolVersion === MODERN_REVISION;
  const found: CompatibilityDiagnostic[] = [];
  if (asked.selection === "auto" && !modern) found.push({ code: "modern-era-unavailable" });
  if (modern && !asked.elicitation) found.push({ code: "input-rounds-off" });
  for (const [name, value] of negotiated.capabilities) {
    if (!USED.has(name)) found.push({ code: "capability-unused", subject: shown(name) });
    if (pushes(name, value, modern && asked.listChanges !== true))
      found.push({ code: "subscriptions-off", subject: shown(name) });
  }
  for (const name of extensionNames(negotiated.capabilities)) {
    if (asked.skills === true && name === SKILLS_EXTENSION) continue;
    found.push({ code: "extension-unselected", subject: shown(name) });
  }
  const missing = missingForSkills(true, negotiated);
  if (asked.skills === true && missing !== undefined) found.push({ code: "skills-unavailable", missing });
  return found;
}

/** In the older era list changes come unasked, and only `subscribe` to single resources would need a subscription. */
function pushes(name: string, value: unknown, listsLeftOut: boolean): boolean {
  if (!USED.has(name) || !isJsonObject(value)) return false;
  return value["subscribe"] === true || (listsLeftOut && value["listChanged"] === true);
}

function extensionNames(capabilities: ReadonlyMap<string, unknown>): readonly string[] {
  const extensions = capabilities.get("extensions");
  return isJsonObject(extensions) ? Object.keys(extensions).slice(0, EXTENSION_LIMIT) : [];
}

function shown(name: string): string {
  return cleanText(name, SUBJECT_LIMIT).text;
}
