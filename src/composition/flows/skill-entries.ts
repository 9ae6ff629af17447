import { cleanText } from "../../domain/catalog/untrusted-text.ts";
import { isJsonObject, own } from "../../domain/json-value.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import { decodeSkill } from "../../domain/skills/decode.ts";
import type { Skill, SkillEntry } from "../../domain/skills/skill.ts";
import type { RejectedSkill } from "./skills-view.ts";

const SHOWN_URI_LIMIT = 256;

/** The entries that one view gave out, and which of them are still good. */
export interface SkillEntries {
  /** Admits a whole list; every entry given out before it is out of date. */
  replaceAll(
    items: readonly unknown[],
    whose: SessionIdentity,
  ): {
    readonly skills: readonly SkillEntry[];
    readonly rejected: readonly RejectedSkill[];
  };
  /** Gives out one skill anew. */
  replace(skill: Skill, whose: SessionIdentity): SkillEntry;
  /** Takes back whatever is given out under this URI. */
  drop(uri: string): void;
  /** What was admitted under this entry, whatever became of the object since; `undefined`: not one of ours. */
  skillOf(entry: SkillEntry): Skill | undefined;
  isCurrent(entry: SkillEntry): boolean;
}

/** `identity` says whose the connection is by now; entries of another one are out of date. */
export function createSkillEntries(identity: () => SessionIdentity): SkillEntries {
  const given = new WeakMap<SkillEntry, { readonly skill: Skill; readonly generation: string }>();
  const current = new Map<string, SkillEntry>();

  const give = (skill: Skill, { serverId, carrierGeneration }: SessionIdentity): SkillEntry => {
    const entry = Object.freeze({ ...skill, serverId, carrierGeneration });
    given.set(entry, { skill, generation: carrierGeneration });
    current.set(skill.uri, entry);
    return entry;
  };

  return {
    replaceAll(items, whose) {
      current.clear();
      const rejected: RejectedSkill[] = [];
      const admitted: { readonly index: number; readonly skill: Skill }[] = [];
      const counts = new Map<string, number>();
      for (const [index, item] of items.entries()) {
        const uri = isJsonObject(item) ? own(item, "uri") : undefined;
        if (typeof uri === "string") counts.set(uri, (counts.get(uri) ?? 0) + 1);
        const skill = decodeSkill(item);
        if (skill.ok) admitted.push({ index, skill: skill.value });
        else rejected.push({ index, reason: skill.refusal, ...shownUri(uri) });
      }
      const isOnly = ({ skill }: { readonly skill: Skill }): boolean => counts.get(skill.uri) === 1;
      for (const { index, skill } of admitted.filter((one) => !isOnly(one))) {
        rejected.push({ index, reason: "duplicate", ...shownUri(skill.uri) });
      }
      return {
        skills: admitted.filter(isOnly).map(({ skill }) => give(skill, whose)),
        rejected: rejected.toSorted((one, other) => one.index - other.index),
      };
    },
    replace: give,
    drop: (uri) => void current.delete(uri),
    skillOf: (entry) => given.get(entry)?.skill,
    isCurrent(entry) {
      const known = given.get(entry);
      return (
        known !== undefined &&
        current.get(known.skill.uri) === entry &&
        known.generation === identity().carrierGeneration
      );
    },
  };
}

function shownUri(uri: unknown): { readonly untrustedUri?: string } {
  return typeof uri === "string" ? { untrustedUri: cleanText(uri, SHOWN_URI_LIMIT).text } : {};
}
