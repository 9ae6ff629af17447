import type { AdaptReason } from "./catalog.ts";
import type { JsonObject } from "../json-value.ts";
import { writeLoose } from "./profile-loose.ts";
import { PROFILE_RULES } from "./profile-rules.ts";
import type { ProfileRules, SchemaProfile } from "./profile-rules.ts";
import { writeTyped } from "./profile-typed.ts";
import { propertiesOf, ROOT_PLACE, startWork } from "./profile-work.ts";
import type { ProfileWork } from "./profile-work.ts";
import { createProfileUndo } from "./profile-undo.ts";
import type { WrittenSchema } from "./write-shape.ts";

export interface ProfiledSchema {
  /** What the model API is given. */
  readonly schema: WrittenSchema;
  /** What is shown otherwise than narrowed, each reason once a place, at most 101. */
  readonly reasons: readonly AdaptReason[];
  /**
   * Brings arguments that were made for `schema` back to the narrowed one: takes out a `null` that only says that an
   * optional property was left out, and gives renamed properties their names. What needs nothing comes back as it is.
   */
  readonly undo: (args: unknown) => unknown;
}

/**
 * Narrows a schema of `narrowSchema` further, to what one model API takes (K4). Only what is shown: calls are checked
 * against the narrowed schema, after `undo`. `required-left-out` among the reasons means that no call can fit. Pure,
 * linear in the schema.
 *
 * @throws TypeError for a profile that there is not
 */
export function profileSchema(schema: JsonObject, profile: SchemaProfile): ProfiledSchema {
  const rules = rulesOf(profile);
  const work = startWork(rules.kind === "typed" ? rules.limits : undefined);
  const root = { ...schema, type: "object", properties: propertiesOf(schema) };
  const shown = writeRoot(root, rules, work);
  return { schema: shown, reasons: work.reasons, undo: createProfileUndo(schema, rules) };
}

export function rulesOf(profile: SchemaProfile): ProfileRules {
  if (!Object.hasOwn(PROFILE_RULES, profile)) throw new TypeError("there is no such schema profile");
  return PROFILE_RULES[profile];
}

function writeRoot(schema: JsonObject, rules: ProfileRules, work: ProfileWork): WrittenSchema {
  if (rules.kind === "loose") return writeLoose(schema, ROOT_PLACE, { rules, work });
  const written = writeTyped(schema, ROOT_PLACE, { rules, work });
  // The root is never too deep.
  if (written === undefined) throw new TypeError("a root that cannot be shown");
  return written;
}
