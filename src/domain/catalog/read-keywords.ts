import { isJsonObject, measureJson, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { admitPattern } from "./pattern.ts";
import { readArrayKeywords } from "./read-array.ts";
import { readObjectKeywords } from "./read-object.ts";
import { readLimits } from "./read-limits.ts";
import { chargeExpansion, report } from "./reading.ts";
import type { Note, Place, Reading } from "./reading.ts";
import { hasType, intersectTypes, JSON_TYPES, KEYWORD_TYPES } from "./shape.ts";
import type { JsonType, Shape } from "./shape.ts";
import { cleanText } from "./untrusted-text.ts";

/* Said by the server, not by the subset: dropped, so that the schema accepts more. */
const UNSUPPORTED = ["not", "contains", "uniqueItems"] as const;
/* The same, but `true`, `{}` and `[]` say nothing. */
const UNSUPPORTED_UNLESS_EMPTY = [
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;

const TYPES: ReadonlySet<unknown> = new Set(JSON_TYPES);
const FORMAT = /^[A-Za-z0-9-]{1,32}$/;
const DEFAULT_LIMITS = { depth: 8, values: 100, text: 4096 };
const TEXT_UNITS_PER_CHARGE = 256;

/** Reads everything of a schema but references and combinators. */
export function readKeywords(raw: JsonObject, place: Place, reading: Reading): Shape {
  const shape: Shape = {};
  const note: Note = (reason, keyword) => {
    report(reading, reason, { parent: place.path, key: keyword });
  };
  readAnnotations(raw, shape, note);
  if (place.expanded) chargeText(shape, reading);
  const types = readType(own(raw, "type"), note);
  if (types !== undefined) shape.types = types;
  const live = withoutIdle(raw, types, note);
  const values = readEnum(live, reading, note);
  if (values === "empty") return annotationsOf(shape);
  if (values !== undefined) shape.enum = values;
  if (place.expanded) chargeExpansion(reading, values?.length ?? 0);
  readLimits(live, shape, note);
  const pattern = readPattern(own(live, "pattern"), note);
  if (pattern !== undefined) shape.pattern = pattern;
  readArrayKeywords(live, shape, place, reading);
  readObjectKeywords(live, shape, place, reading);
  noteUnsupported(live, note);
  return shape;
}

function readAnnotations(raw: JsonObject, shape: Shape, note: Note): void {
  for (const keyword of ["title", "description"] as const) {
    const text = own(raw, keyword);
    if (text === undefined) continue;
    if (typeof text !== "string") {
      note("keyword-malformed", keyword);
      continue;
    }
    const clean = cleanText(text);
    shape[keyword] = clean.text;
    if (clean.changed.some((change) => change !== "cut")) note("text-cleaned", keyword);
    if (clean.changed.includes("cut")) note("text-cut", keyword);
  }
  const format = own(raw, "format");
  if (typeof format === "string" && FORMAT.test(format)) shape.format = format;
  if (!Object.hasOwn(raw, "default")) return;
  if (measureJson(raw["default"], DEFAULT_LIMITS) === undefined) note("default-dropped", "default");
  else shape.default = { value: raw["default"] };
}

function annotationsOf(shape: Shape): Shape {
  const { title, description } = shape;
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

/* Every reference repeats the texts of its target: without a price a short schema could become a long one. */
function chargeText(shape: Shape, reading: Reading): void {
  const units = (shape.description?.length ?? 0) + (shape.title?.length ?? 0);
  chargeExpansion(reading, Math.floor(units / TEXT_UNITS_PER_CHARGE));
}

function readType(raw: unknown, note: Note): ReadonlySet<JsonType> | undefined {
  if (raw === undefined) return undefined;
  const named: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (named.length === 0 || !named.every(isTypeName)) {
    note("type-unknown", "type");
    return undefined;
  }
  if (Array.isArray(raw)) note("type-union", "type");
  const types = new Set(named);
  const everything = JSON_TYPES.every((type) => hasType(types, type));
  return everything ? undefined : intersectTypes(types, types);
}

function isTypeName(name: unknown): name is JsonType {
  return TYPES.has(name);
}

/** Leaves out the keywords that look at no value of these types. */
function withoutIdle(raw: JsonObject, types: ReadonlySet<JsonType> | undefined, note: Note): JsonObject {
  if (types === undefined) return raw;
  const idle = Object.keys(raw).filter((keyword) => {
    const looksAt = KEYWORD_TYPES.get(keyword);
    return looksAt !== undefined && !looksAt.some((type) => types.has(type));
  });
  if (idle.length === 0) return raw;
  for (const keyword of idle) note("idle-keyword", keyword);
  const live = new Map(Object.entries(raw));
  for (const keyword of idle) live.delete(keyword);
  return Object.fromEntries(live);
}

function readEnum(raw: JsonObject, reading: Reading, note: Note): readonly unknown[] | "empty" | undefined {
  const only = readConst(raw, reading, note);
  const values = own(raw, "enum");
  if (values === undefined) return only;
  if (!Array.isArray(values)) {
    note("keyword-malformed", "enum");
    return only;
  }
  if (values.length === 0) {
    note("enum-empty", "enum");
    return "empty";
  }
  if (only !== undefined) {
    if (!values.includes(only[0])) note("keyword-unsupported", "enum");
    return only;
  }
  if (fits(values, reading)) return values;
  note("enum-limit", "enum");
  return undefined;
}

/* Draft-04 does not know `const`; enforcing it would refuse what the server accepts. */
function readConst(raw: JsonObject, reading: Reading, note: Note): readonly unknown[] | undefined {
  if (!Object.hasOwn(raw, "const")) return undefined;
  const only = [raw["const"]];
  const known = reading.dialect.draft !== 4;
  if (known && fits(only, reading)) return only;
  note(known ? "enum-limit" : "keyword-unsupported", "const");
  return undefined;
}

function fits(values: readonly unknown[], reading: Reading): boolean {
  const { enumValues } = reading.limits;
  if (values.length > enumValues) return false;
  return measureJson(values, { depth: 8, values: 4 * enumValues + 1, text: 256 * enumValues }) !== undefined;
}

function readPattern(raw: unknown, note: Note): string | undefined {
  if (raw === undefined) return undefined;
  const verdict = admitPattern(raw);
  if (verdict.ok) return verdict.value;
  note(verdict.refusal, "pattern");
  return undefined;
}

function noteUnsupported(raw: JsonObject, note: Note): void {
  for (const keyword of UNSUPPORTED) {
    const value = own(raw, keyword);
    if (value !== undefined && value !== false) note("keyword-unsupported", keyword);
  }
  for (const keyword of UNSUPPORTED_UNLESS_EMPTY) {
    const value = own(raw, keyword);
    if (value !== undefined && !saysNothing(value)) note("keyword-unsupported", keyword);
  }
  if (Object.hasOwn(raw, "if") && (Object.hasOwn(raw, "then") || Object.hasOwn(raw, "else"))) {
    note("conditional", "if");
  }
  for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
    if (Object.hasOwn(raw, keyword)) note("ref-dynamic", keyword);
  }
}

function saysNothing(value: unknown): boolean {
  if (value === true) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
