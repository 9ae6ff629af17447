import { own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import type { TypedRules } from "./profile-rules.ts";
import { note } from "./profile-work.ts";
import type { ProfilePlace, ProfileWork } from "./profile-work.ts";
import { hasType, JSON_TYPES, typeOfValue } from "./shape.ts";
import type { JsonType } from "./shape.ts";

interface EnumContext {
  readonly rules: TypedRules;
  readonly work: ProfileWork;
  readonly place: ProfilePlace;
}

/** The values of a schema of one type, as far as the API takes them; without them the type alone is shown. */
export function writeEnum(
  schema: JsonObject,
  type: JsonType,
  { rules, work, place }: EnumContext,
): { readonly enum?: readonly unknown[] } {
  const values = own(schema, "enum");
  if (!Array.isArray(values) || (type === "null" && values.includes(null))) return {};
  const path = { parent: place.path, key: "enum" };
  const single: ReadonlySet<JsonType> = new Set([type]);
  const fitting = values.filter((value: unknown) => hasType(single, typeOfValue(value)));
  const taken = rules.enums.has(type) ? fitting.filter((value) => value !== "" || rules.emptyEnumText) : [];
  if (taken.length < fitting.length || taken.length === 0) note(work, "enum-values", path);
  if (taken.length === 0) return {};
  const text = taken.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
  const { limits } = rules;
  const isLong = limits !== undefined && taken.length > limits.longEnum && text > limits.longEnumText;
  if (isLong || taken.length > work.enumValuesLeft) {
    note(work, "shown-enum-limit", path);
    return {};
  }
  if (text > work.textLeft) {
    note(work, "shown-text-limit", path);
    return {};
  }
  work.enumValuesLeft -= taken.length;
  work.textLeft -= text;
  return { enum: taken };
}

/** The types of the values that a schema without a type lists, as far as they can be listed. */
export function enumTypes(values: readonly unknown[], { work, place }: EnumContext): readonly JsonType[] {
  const found = new Set(values.map(typeOfValue));
  if (found.has("object") || found.has("array"))
    note(work, "enum-values", { parent: place.path, key: "enum" });
  return JSON_TYPES.filter(
    (type) =>
      found.has(type) &&
      type !== "object" &&
      type !== "array" &&
      // A number covers the integers.
      !(type === "integer" && found.has("number")),
  );
}
