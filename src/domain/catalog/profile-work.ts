import type { ProfileReason } from "./adapt-reason.ts";
import type { AdaptReason } from "./catalog.ts";
import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import type { SchemaPath } from "./local-ref.ts";
import type { ProfileLimits } from "./profile-rules.ts";
import { pointerText } from "./reading.ts";

/** Reported places, as of narrowing. */
const REASON_LIMIT = 100;

/** Nested schemas that are looked at. A narrowed schema has no more; whatever else comes must not overflow. */
export const PROFILE_DEPTH_LIMIT = 128;

/** Where a schema stands. */
export interface ProfilePlace {
  readonly path: SchemaPath;
  /** Schemas around it, alternatives included. */
  readonly depth: number;
  /** Objects and lists around a value of it. */
  readonly level: number;
}

export const ROOT_PLACE: ProfilePlace = { path: undefined, depth: 0, level: 0 };

/** A place for another description of the same value, or with `deeper` for a part of it. */
export function profilePlace(
  place: ProfilePlace,
  keys: readonly string[],
  part: "same" | "deeper",
): ProfilePlace {
  let { path } = place;
  for (const key of keys) path = { parent: path, key };
  return { path, depth: place.depth + 1, level: place.level + (part === "deeper" ? 1 : 0) };
}

/** What one application of a profile keeps track of. */
export interface ProfileWork {
  readonly reasons: AdaptReason[];
  /** Places that have been reported, each reason once. */
  readonly seen: Set<string>;
  propertiesLeft: number;
  enumValuesLeft: number;
  textLeft: number;
}

export function startWork(limits: ProfileLimits | undefined): ProfileWork {
  return {
    reasons: [],
    seen: new Set(),
    propertiesLeft: limits?.properties ?? Number.POSITIVE_INFINITY,
    enumValuesLeft: limits?.enumValues ?? Number.POSITIVE_INFINITY,
    textLeft: limits?.text ?? Number.POSITIVE_INFINITY,
  };
}

/** Reports what was left out or written otherwise, at a keyword of the place or at the place itself. */
export function note(work: ProfileWork, reason: ProfileReason, path: SchemaPath): void {
  if (work.reasons.length > REASON_LIMIT) return;
  const pointer = pointerText(path);
  const key = `${reason} ${pointer}`;
  if (work.seen.has(key)) return;
  work.seen.add(key);
  work.reasons.push(
    work.reasons.length === REASON_LIMIT ? { reason: "more-reasons" } : { reason, path: pointer },
  );
}

/** The parts of a schema that have names of the server's. Nothing here trusts that it was narrowed. */
export function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, "properties");
  return isJsonObject(properties) ? properties : {};
}

export function requiredOf(schema: JsonObject): readonly string[] {
  const required = own(schema, "required");
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

export function alternativesOf(schema: JsonObject): readonly JsonObject[] | undefined {
  const branches = own(schema, "anyOf");
  return Array.isArray(branches) && branches.length > 0 ? branches.map(asSchema) : undefined;
}

/** A schema `true`, or what is none, says nothing. */
export function asSchema(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
