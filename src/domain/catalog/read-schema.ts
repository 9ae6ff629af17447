import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { findTarget, resourceOf } from "./local-ref.ts";
import { mergeInto } from "./merge-shapes.ts";
import { readKeywords } from "./read-keywords.ts";
import { placeBelow, report } from "./reading.ts";
import type { Place, Reading } from "./reading.ts";
import { acceptsAnything } from "./shape.ts";
import type { Shape } from "./shape.ts";

/** Reads one schema. What the subset cannot say, or what runs into a bound, becomes looser and is reported. */
export function readSchema(raw: unknown, place: Place, reading: Reading): Shape {
  if (typeof raw === "boolean") {
    report(reading, "boolean-schema", place.path);
    return raw ? {} : { never: true };
  }
  if (!isJsonObject(raw)) {
    report(
      reading,
      Array.isArray(raw) && raw.length === 0 ? "schema-empty-array" : "schema-malformed",
      place.path,
    );
    return {};
  }
  if (reading.active.has(raw)) {
    report(reading, "ref-recursive", place.path);
    return {};
  }
  if (!hasBudget(place, reading)) return {};
  reading.active.set(raw, place.level);
  try {
    const inside = { ...place, base: resourceOf(raw, place.path, place.base) };
    return readObject(raw, inside, reading);
  } finally {
    reading.active.delete(raw);
  }
}

function hasBudget(place: Place, reading: Reading): boolean {
  if (place.depth > reading.limits.depth) {
    report(reading, "depth-limit", place.path);
    return false;
  }
  const left = place.expanded ? reading.expansionLeft : reading.nodesLeft;
  if (left <= 0) {
    const reason = place.expanded ? "expansion-limit" : "node-limit";
    /* Once: it is met everywhere from here on, and writing each place down would cost more than reading it. */
    if (!reading.exhausted.has(reason)) report(reading, reason, place.path);
    reading.exhausted.add(reason);
    return false;
  }
  if (place.expanded) reading.expansionLeft -= 1;
  else reading.nodesLeft -= 1;
  return true;
}

function readObject(raw: JsonObject, place: Place, reading: Reading): Shape {
  const ref = own(raw, "$ref");
  const target = ref === undefined ? undefined : readRef(ref, place, reading);
  const said = ref !== undefined && reading.dialect.draft <= 7 ? onlyAnnotations(raw, place, reading) : raw;
  const shape = readKeywords(said, place, reading);
  if (target !== undefined) {
    mergeInto(shape, target, () => {
      report(reading, "all-of", { parent: place.path, key: "$ref" });
    });
  }
  readAllOf(own(said, "allOf"), shape, place, reading);
  readAlternatives(said, shape, place, reading);
  return shape;
}

const BESIDE_REF = new Set(["$id", "id", "$comment", "definitions", "$defs", "examples", "deprecated"]);

/* Up to draft-07 nothing beside `$ref` counts; enforcing it would refuse what the server accepts. */
function onlyAnnotations(raw: JsonObject, place: Place, reading: Reading): JsonObject {
  const { title, description, default: preset, $ref: _, $schema: __, ...rest } = raw;
  if (Object.keys(rest).some((keyword) => !BESIDE_REF.has(keyword)))
    report(reading, "ref-siblings", place.path);
  return { title, description, ...(preset === undefined ? {} : { default: preset }) };
}

function readRef(ref: unknown, place: Place, reading: Reading): Shape {
  const path = { parent: place.path, key: "$ref" };
  if (typeof ref !== "string") {
    report(reading, "keyword-malformed", path);
    return {};
  }
  const target = findTarget(ref, place.base, reading.refs);
  if (target.found === "remote") {
    reading.quarantine ??= "ref-remote";
    return {};
  }
  if (target.found === "nothing") {
    report(reading, "ref-unresolved", path);
    return {};
  }
  const activeAt = isJsonObject(target.schema) ? reading.active.get(target.schema) : undefined;
  if (activeAt === place.level) {
    reading.quarantine ??= "ref-loop";
    return {};
  }
  if (activeAt !== undefined) {
    report(reading, "ref-recursive", path);
    return {};
  }
  const there = { ...place, path: target.path, base: target.base, depth: place.depth + 1, expanded: true };
  return readSchema(target.schema, there, reading);
}

function readAllOf(raw: unknown, shape: Shape, place: Place, reading: Reading): void {
  if (raw === undefined) return;
  const path = { parent: place.path, key: "allOf" };
  if (!Array.isArray(raw)) {
    report(reading, "keyword-malformed", path);
    return;
  }
  if (raw.length > 0) report(reading, "all-of-merged", path);
  for (const [index, branch] of raw.entries()) {
    const part = readSchema(branch, placeBelow(place, ["allOf", String(index)], "same"), reading);
    mergeInto(shape, part, () => {
      report(reading, "all-of", { parent: path, key: String(index) });
    });
  }
}

function readAlternatives(raw: JsonObject, shape: Shape, place: Place, reading: Reading): void {
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const alternatives = own(raw, keyword);
    if (alternatives === undefined) continue;
    const path = { parent: place.path, key: keyword };
    if (!Array.isArray(alternatives) || alternatives.length === 0) {
      report(reading, "keyword-malformed", path);
      continue;
    }
    if (keyword === "oneOf" && alternatives.length > 1) report(reading, "one-of", path);
    const branches = alternatives
      .map((branch: unknown, index) =>
        readSchema(branch, placeBelow(place, [keyword, String(index)], "same"), reading),
      )
      .filter((branch) => branch.never !== true);
    mergeInto(shape, anyOfShapes(branches), () => {
      report(reading, "any-of", path);
    });
  }
}

function anyOfShapes(branches: readonly Shape[]): Shape {
  const [first] = branches;
  if (first === undefined) return { never: true };
  if (branches.length === 1) return first;
  return branches.every(acceptsAnything) ? {} : { anyOf: branches };
}
