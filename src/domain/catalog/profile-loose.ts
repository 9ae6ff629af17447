import { isJsonObject, objectFrom, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import type { LooseRules } from "./profile-rules.ts";
import { shownName } from "./profile-name.ts";
import { note, PROFILE_DEPTH_LIMIT, profilePlace, requiredOf } from "./profile-work.ts";
import type { ProfilePlace, ProfileWork } from "./profile-work.ts";
import type { WrittenSchema } from "./write-shape.ts";

/* OpenAI and Anthropic refuse the whole request over one of these at the root. */
const NOT_AT_ROOT: ReadonlySet<string> = new Set(["anyOf", "enum"]);

export interface LooseContext {
  readonly rules: LooseRules;
  readonly work: ProfileWork;
}

/** Copies a schema without what the API does not take (K4). */
export function writeLoose(schema: JsonObject, place: ProfilePlace, context: LooseContext): WrittenSchema {
  const { rules, work } = context;
  if (place.depth > PROFILE_DEPTH_LIMIT) {
    note(work, "shown-depth-limit", place.path);
    return {};
  }
  const written: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!rules.keywords.has(keyword) || (place.depth === 0 && NOT_AT_ROOT.has(keyword))) {
      note(work, "keyword-not-taken", { parent: place.path, key: keyword });
      continue;
    }
    written.push([keyword, writeKeyword(schema, keyword, { ...context, place, value })]);
  }
  // Legal, and refused by OpenAI.
  if (own(schema, "type") === "array" && !isJsonObject(own(schema, "items"))) written.push(["items", {}]);
  return objectFrom(written);
}

interface KeywordContext extends LooseContext {
  readonly place: ProfilePlace;
  readonly value: unknown;
}

function writeKeyword(schema: JsonObject, keyword: string, context: KeywordContext): unknown {
  const { place, value } = context;
  if (keyword === "properties") return isJsonObject(value) ? writeProperties(value, context) : {};
  if (keyword === "required") return shownRequired(schema, context);
  if (keyword === "anyOf" && Array.isArray(value)) {
    return value.map((branch: unknown, index) =>
      writePart(branch, profilePlace(place, ["anyOf", String(index)], "same"), context),
    );
  }
  if (keyword === "items" || keyword === "additionalProperties")
    return writePart(value, profilePlace(place, [keyword], "deeper"), context);
  return value;
}

function writePart(value: unknown, place: ProfilePlace, context: LooseContext): unknown {
  return isJsonObject(value) ? writeLoose(value, place, context) : value;
}

function writeProperties(properties: JsonObject, context: KeywordContext): WrittenSchema {
  const { rules, work, place } = context;
  const written: [string, unknown][] = [];
  for (const [key, value] of Object.entries(properties)) {
    const below = profilePlace(place, ["properties", key], "deeper");
    const name = shownName(key, rules.propertyName);
    if (name !== key) {
      const clash = Object.hasOwn(properties, name);
      note(work, clash ? "property-clash" : "property-renamed", below.path);
      if (clash) continue;
    }
    written.push([name, writePart(value, below, context)]);
  }
  return objectFrom(written);
}

/* A name without a property has to be written too: the server wants it, whatever it holds. */
function shownRequired(schema: JsonObject, { rules }: LooseContext): readonly string[] {
  return requiredOf(schema).map((key) => shownName(key, rules.propertyName));
}
