import { isJsonObject, objectFrom, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { shownName } from "./profile-name.ts";
import type { ProfileRules } from "./profile-rules.ts";
import { alternativesOf, asSchema, propertiesOf, requiredOf } from "./profile-work.ts";

/** Steps through values and schemas before arguments are left as they are, for the check to refuse. */
const STEP_LIMIT = 500_000;

/** What is looked up in one object schema, made once. */
interface Known {
  readonly properties: JsonObject;
  /** The names that they are shown under, by the required names. */
  readonly required: ReadonlyMap<string, string>;
  /** Own names by the names that they are shown under, where those differ. */
  readonly names: ReadonlyMap<string, string>;
  readonly branches: readonly JsonObject[];
}

interface Undoing {
  readonly rules: ProfileRules;
  readonly known: WeakMap<JsonObject, Known>;
  stepsLeft: number;
}

class TooLong extends Error {}

/** Makes the function that brings arguments for a profile back to the schema it was made of. */
export function createProfileUndo(schema: JsonObject, rules: ProfileRules): (args: unknown) => unknown {
  const fillsNulls = rules.kind === "typed" && rules.closed;
  if (!fillsNulls && !hasRenamed(schema, rules.propertyName)) return (args) => args;
  const known = new WeakMap<JsonObject, Known>();
  return (args) => {
    try {
      return undoValue(args, [schema], { rules, known, stepsLeft: STEP_LIMIT });
    } catch (error) {
      if (error instanceof TooLong) return args;
      throw error;
    }
  };
}

/** Whether any property is shown under another name: mostly none is, and then there is nothing to look for in a call. */
function hasRenamed(schema: JsonObject, allowed: RegExp | undefined): boolean {
  if (allowed === undefined) return false;
  const pending = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const properties = propertiesOf(next);
    if ([...Object.keys(properties), ...requiredOf(next)].some((name) => !allowed.test(name))) return true;
    const parts = [...Object.values(properties), own(next, "items"), own(next, "additionalProperties")];
    for (const part of [...parts, ...(alternativesOf(next) ?? [])])
      if (isJsonObject(part)) pending.push(part);
  }
  return false;
}

/** `schemas` all talk about the value. It goes only as deep as they do. */
function undoValue(value: unknown, schemas: readonly JsonObject[], undoing: Undoing): unknown {
  if (schemas.length === 0) return value;
  if (Array.isArray(value)) {
    const items = viewsOf(value, schemas, undoing).map((view) => asSchema(own(view, "items")));
    const undone = value.map((item: unknown) => undoValue(item, items, undoing));
    return undone.every((item, index) => item === value[index]) ? value : undone;
  }
  return isJsonObject(value) ? undoObject(value, schemas, undoing) : value;
}

function undoObject(value: JsonObject, schemas: readonly JsonObject[], undoing: Undoing): JsonObject {
  const views = viewsOf(value, schemas, undoing);
  let changed = false;
  const entries: (readonly [string, unknown])[] = [];
  for (const [shown, part] of Object.entries(value)) {
    const key = ownName(shown, views, undoing);
    const about = views.filter((view) => Object.hasOwn(knownOf(view, undoing).properties, key));
    if (part === null && meansAbsent(key, about, undoing)) {
      changed = true;
      continue;
    }
    const parts = about.map((view) => asSchema(knownOf(view, undoing).properties[key]));
    const rest = about.length === 0 ? views.map((view) => asSchema(own(view, "additionalProperties"))) : [];
    const undone = undoValue(part, [...parts, ...rest], undoing);
    if (key !== shown || undone !== part) changed = true;
    entries.push([key, undone]);
  }
  return changed ? objectFrom(entries) : value;
}

/** A `null` that no schema takes, for a property that one of them lets be left out. */
function meansAbsent(key: string, about: readonly JsonObject[], undoing: Undoing): boolean {
  if (undoing.rules.kind === "loose" || !undoing.rules.closed) return false;
  return (
    about.some((view) => !knownOf(view, undoing).required.has(key)) &&
    about.every((view) => !takesNull(asSchema(knownOf(view, undoing).properties[key]), undoing))
  );
}

function ownName(shown: string, views: readonly JsonObject[], undoing: Undoing): string {
  for (const view of views) {
    const { properties, names } = knownOf(view, undoing);
    if (Object.hasOwn(properties, shown)) return shown;
    const name = names.get(shown);
    if (name !== undefined) return name;
  }
  return shown;
}

/** The schemas and, of their alternatives, those that can be meant: others describe other objects. */
function viewsOf(value: unknown, schemas: readonly JsonObject[], undoing: Undoing): readonly JsonObject[] {
  return schemas.flatMap((schema) => {
    step(undoing);
    const meant = knownOf(schema, undoing).branches.filter((branch) => canMean(branch, value, undoing));
    return [schema, ...viewsOf(value, meant, undoing)];
  });
}

function canMean(branch: JsonObject, value: unknown, undoing: Undoing): boolean {
  step(undoing);
  const type = own(branch, "type");
  if (Array.isArray(value)) return type === undefined || type === "array";
  if (!isJsonObject(value) || (type !== undefined && type !== "object")) return false;
  const { properties, required } = knownOf(branch, undoing);
  for (const [key, shown] of required) {
    step(undoing);
    if (!Object.hasOwn(value, key) && !Object.hasOwn(value, shown)) return false;
  }
  return Object.entries(value).every(([key, part]) => {
    step(undoing);
    const values = own(asSchema(own(properties, key)), "enum");
    if (!Array.isArray(values) || typeof part === "object") return true;
    return values.includes(part);
  });
}

function takesNull(schema: JsonObject, undoing: Undoing): boolean {
  step(undoing);
  const type = own(schema, "type");
  if (type !== undefined && type !== "null") return false;
  const values = own(schema, "enum");
  if (Array.isArray(values) && !values.includes(null)) return false;
  const { branches } = knownOf(schema, undoing);
  return branches.length === 0 || branches.some((branch) => takesNull(branch, undoing));
}

function knownOf(schema: JsonObject, { known, rules }: Undoing): Known {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const properties = propertiesOf(schema);
  const required = new Map(requiredOf(schema).map((key) => [key, shownName(key, rules.propertyName)]));
  const names = new Map<string, string>();
  for (const key of Object.keys(properties)) {
    const shown = shownName(key, rules.propertyName);
    if (shown !== key) names.set(shown, key);
  }
  for (const [key, shown] of required) if (shown !== key) names.set(shown, key);
  const made = { properties, required, names, branches: alternativesOf(schema) ?? [] };
  known.set(schema, made);
  return made;
}

function step(undoing: Undoing): void {
  undoing.stepsLeft -= 1;
  if (undoing.stepsLeft < 0) throw new TooLong();
}
