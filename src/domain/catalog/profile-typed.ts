import { own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { enumTypes } from "./profile-enum.ts";
import { joinAlternatives } from "./profile-union.ts";
import { writeOne } from "./profile-one.ts";
import { alternativesOf, note, PROFILE_DEPTH_LIMIT, profilePlace } from "./profile-work.ts";
import type { PlacedContext, TypedContext } from "./profile-one.ts";
import type { ProfilePlace } from "./profile-work.ts";
import { JSON_TYPES, KEYWORD_TYPES } from "./shape.ts";
import type { JsonType } from "./shape.ts";
import type { WrittenSchema } from "./write-shape.ts";

/* What a value of any kind is shown as. An object or a list would need to be described to be taken. */
const ANY_VALUE: readonly JsonType[] = ["string", "number", "boolean", "null"];

/* Said of a value, and not of what it may be. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(["title", "description", "default", "format"]);

/**
 * Writes a schema so that every place has one type, or alternatives that have (K4): for APIs that take nothing else.
 * Answers `undefined` for what is too deep to be shown.
 */
export function writeTyped(
  schema: JsonObject,
  place: ProfilePlace,
  context: TypedContext,
): WrittenSchema | undefined {
  if (place.depth > PROFILE_DEPTH_LIMIT) {
    note(context.work, "shown-depth-limit", place.path);
    return undefined;
  }
  const placed: PlacedContext = { ...context, place, write: (part, at) => writeTyped(part, at, context) };
  const type = JSON_TYPES.find((one) => one === own(schema, "type"));
  const branches = alternativesOf(schema);
  if (type === undefined && branches === undefined) return writeUntyped(schema, placed);
  if (type === undefined) {
    for (const keyword of Object.keys(schema)) {
      if (keyword === "anyOf" || SAYS_NOTHING.has(keyword)) continue;
      note(context.work, "keyword-not-taken", { parent: place.path, key: keyword });
    }
    return writeAlternatives(schema, branches ?? [], placed);
  }
  const fitting = branches?.map((branch) => withType(branch, type)) ?? [];
  const isUnion = place.depth > 0 && isBare(schema) && fitting.some((branch) => branch !== undefined);
  return isUnion ? writeAlternatives(schema, fitting, placed) : writeOne(schema, type, placed);
}

/** Whether all that a schema with a type says is in its alternatives. */
function isBare(schema: JsonObject): boolean {
  return Object.keys(schema).every(
    (keyword) => keyword === "type" || keyword === "anyOf" || SAYS_NOTHING.has(keyword),
  );
}

/* T and (A or B) is (T and A) or (T and B); an alternative of another type can never fit. */
function withType(branch: JsonObject, type: JsonType): JsonObject | undefined {
  const said = own(branch, "type");
  if (said === undefined || (said === "number" && type === "integer")) return { ...branch, type };
  return said === type || (said === "integer" && type === "number") ? branch : undefined;
}

function writeAlternatives(
  schema: JsonObject,
  branches: readonly (JsonObject | undefined)[],
  context: PlacedContext,
): WrittenSchema | undefined {
  const { place, work } = context;
  const telling = branches.some((branch) => branch !== undefined && !saysNothing(branch));
  const written = branches.flatMap((branch, index) => {
    if (branch === undefined) return [];
    const below = profilePlace(place, ["anyOf", String(index)], "same");
    if (telling && saysNothing(branch)) {
      /* "or anything else": the others say what it usually is, and this one would have to be spelt out. */
      note(work, "any-value", below.path);
      return [];
    }
    const one = context.write(branch, below);
    return one === undefined ? [] : [one];
  });
  for (const keyword of ["default", "format"]) {
    if (Object.hasOwn(schema, keyword)) note(work, "keyword-not-taken", { parent: place.path, key: keyword });
  }
  return join(written, schema, context);
}

function join(
  written: readonly WrittenSchema[],
  schema: JsonObject,
  { work, place, rules }: PlacedContext,
): WrittenSchema | undefined {
  const [title, description] = [own(schema, "title"), own(schema, "description")];
  const annotations = {
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
  };
  const onLost = (key: string): void => note(work, "keyword-not-taken", { parent: place.path, key });
  return joinAlternatives(written, { annotations, nulls: rules.nulls, onLost });
}

function saysNothing(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => SAYS_NOTHING.has(keyword));
}

/** A schema without a type is shown as the types that its keywords talk about. */
function writeUntyped(schema: JsonObject, context: PlacedContext): WrittenSchema | undefined {
  const values = own(schema, "enum");
  const types = Array.isArray(values) ? enumTypes(values, context) : typesTalkedAbout(schema);
  if (!Array.isArray(values) || types.length === 0) note(context.work, "any-value", context.place.path);
  const { title: _, description: __, ...said } = schema;
  const written = (types.length === 0 ? ANY_VALUE : types).flatMap((type) => {
    const one = writeOne(said, type, context);
    return one === undefined ? [] : [one];
  });
  return join(written, schema, context);
}

function typesTalkedAbout(schema: JsonObject): readonly JsonType[] {
  const about = new Set(Object.keys(schema).flatMap((keyword) => KEYWORD_TYPES.get(keyword) ?? []));
  // A number covers the integers.
  return JSON_TYPES.filter((type) => about.has(type) && type !== "integer");
}
