import { own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { inclusiveBounds } from "./profile-bounds.ts";
import { writeEnum } from "./profile-enum.ts";
import { writeObjectPart } from "./profile-object.ts";
import type { TypedRules } from "./profile-rules.ts";
import { asSchema, note, profilePlace } from "./profile-work.ts";
import type { ProfilePlace, ProfileWork } from "./profile-work.ts";
import { KEYWORD_TYPES } from "./shape.ts";
import type { JsonType } from "./shape.ts";
import type { WrittenSchema } from "./write-shape.ts";

export interface TypedContext {
  readonly rules: TypedRules;
  readonly work: ProfileWork;
}

/** Writes one schema, or answers `undefined` where it cannot be shown at all. */
export type WritePart = (schema: JsonObject, place: ProfilePlace) => WrittenSchema | undefined;

export interface PlacedContext extends TypedContext {
  readonly place: ProfilePlace;
  /** For the schemas inside. */
  readonly write: WritePart;
}

/* Written by functions of their own. */
const PARTS: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "format",
  "items",
  "properties",
  "required",
  "additionalProperties",
]);

const EXCLUSIVE: ReadonlySet<string> = new Set(["exclusiveMinimum", "exclusiveMaximum"]);
/* `anyOf` beside other demands; `nullable` is ours to write. */
const STANDS_ALONE: ReadonlySet<string> = new Set(["anyOf", "nullable"]);

/** Writes a schema as that of one type, or answers `undefined` where it is too deep to be shown. */
export function writeOne(
  schema: JsonObject,
  type: JsonType,
  context: PlacedContext,
): WrittenSchema | undefined {
  const { rules, work, place } = context;
  const isContainer = type === "object" || type === "array";
  if (isContainer && rules.limits !== undefined && place.level >= rules.limits.levels) {
    note(work, "shown-depth-limit", place.path);
    return undefined;
  }
  const written: Writing = { type };
  writeKeywords(schema, written, { ...context, type });
  Object.assign(written, writeEnum(schema, type, context));
  if (type === "array") return withItems(written, schema, context);
  if (type !== "object") return written;
  return Object.assign(written, writeObjectPart(schema, context));
}

/* Keywords are our own names, so plain assignment is safe here. */
interface Writing {
  [keyword: string]: unknown;
}

function writeKeywords(
  schema: JsonObject,
  written: Writing,
  { rules, work, place, type }: PlacedContext & { readonly type: JsonType },
): void {
  const takesExclusive = rules.keywords.has("exclusiveMinimum");
  for (const [keyword, value] of Object.entries(schema)) {
    if (PARTS.has(keyword) || KEYWORD_TYPES.get(keyword)?.includes(type) === false) continue;
    if (!takesExclusive && EXCLUSIVE.has(keyword)) continue;
    if (rules.keywords.has(keyword) && !STANDS_ALONE.has(keyword)) written[keyword] = value;
    else note(work, "keyword-not-taken", { parent: place.path, key: keyword });
  }
  if (!takesExclusive && (type === "number" || type === "integer")) {
    const { bounds, widened } = inclusiveBounds(schema, type);
    Object.assign(written, bounds);
    for (const key of widened) note(work, "bound-widened", { parent: place.path, key });
  }
  const format = own(schema, "format");
  if (format === undefined) return;
  if (typeof format === "string" && rules.formats.get(type)?.has(format) === true) written["format"] = format;
  else note(work, "keyword-not-taken", { parent: place.path, key: "format" });
}

function withItems(written: Writing, schema: JsonObject, context: PlacedContext): WrittenSchema | undefined {
  const place = profilePlace(context.place, ["items"], "deeper");
  const items = context.write(asSchema(own(schema, "items")), place);
  return items === undefined ? undefined : { ...written, items };
}
