import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { placeBelow, report } from "./reading.ts";
import type { Place, Reading } from "./reading.ts";
import { readSchema } from "./read-schema.ts";
import type { Shape } from "./shape.ts";

/** Reads `properties`, `required` and `additionalProperties`. */
export function readObjectKeywords(raw: JsonObject, shape: Shape, place: Place, reading: Reading): void {
  const sound = readProperties(own(raw, "properties"), shape, place, reading);
  readRequired(own(raw, "required"), shape, place, reading);
  const patterns = own(raw, "patternProperties");
  if (isJsonObject(patterns) && Object.keys(patterns).length > 0) {
    /* Names that a pattern let in are no "additional" ones: with the patterns gone, anything may be there. */
    report(reading, "pattern-properties", { parent: place.path, key: "patternProperties" });
  } else if (sound) {
    readAdditional(own(raw, "additionalProperties"), shape, place, reading);
  }
}

function readProperties(raw: unknown, shape: Shape, place: Place, reading: Reading): boolean {
  if (raw === undefined) return true;
  const path = { parent: place.path, key: "properties" };
  if (!isJsonObject(raw)) {
    const empty = Array.isArray(raw) && raw.length === 0;
    report(reading, empty ? "properties-array" : "keyword-malformed", path);
    shape.properties = new Map();
    return empty;
  }
  const properties = new Map<string, Shape>();
  for (const [key, schema] of Object.entries(raw)) {
    const below = placeBelow(place, ["properties", key], "deeper");
    const property = readSchema(schema, below, reading);
    /* No value fits: leaving the name out says so, and tells nobody to fill it in. */
    if (property.never === true) report(reading, "false-property", below.path);
    else properties.set(key, property);
  }
  shape.properties = properties;
  return true;
}

function readRequired(raw: unknown, shape: Shape, place: Place, reading: Reading): void {
  if (raw === undefined) return;
  const path = { parent: place.path, key: "required" };
  if (!Array.isArray(raw)) {
    report(reading, "keyword-malformed", path);
    return;
  }
  const names = raw.filter((name): name is string => typeof name === "string");
  if (names.length < raw.length) report(reading, "keyword-malformed", path);
  shape.required = new Set(names);
  if (shape.required.size < names.length) report(reading, "required-duplicate", path);
}

function readAdditional(raw: unknown, shape: Shape, place: Place, reading: Reading): void {
  if (raw === undefined) return;
  if (typeof raw === "boolean") {
    shape.additional = raw;
    return;
  }
  const additional = readSchema(raw, placeBelow(place, ["additionalProperties"], "deeper"), reading);
  shape.additional = additional.never === true ? false : additional;
}
