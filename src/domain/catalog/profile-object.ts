import { isJsonObject, objectFrom, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { shownName } from "./profile-name.ts";
import type { PlacedContext } from "./profile-one.ts";
import { orNull } from "./profile-union.ts";
import { note, profilePlace, propertiesOf, requiredOf } from "./profile-work.ts";
import type { ProfilePlace } from "./profile-work.ts";
import type { WrittenSchema } from "./write-shape.ts";

/**
 * The object keywords of a schema. What has to be given is among the properties, where models look for it; an API that
 * wants all of them given gets the optional ones as nullable (`undoProfile` takes the nulls out again).
 */
export function writeObjectPart(schema: JsonObject, context: PlacedContext): WrittenSchema {
  const { rules, place } = context;
  const required = new Set(requiredOf(schema));
  const shown = new Map<string, WrittenSchema>();
  const given: string[] = [];
  for (const [key, part] of listed(schema, required)) {
    const name = part === false ? undefined : nameFor(key, schema, context);
    const written = name === undefined ? undefined : writeProperty(key, part, context);
    if (name === undefined || written === undefined) {
      if (required.has(key)) note(context.work, "required-left-out", propertyPath(key, place));
      continue;
    }
    shown.set(name, rules.closed && !required.has(key) ? orNull(written) : written);
    if (rules.closed || required.has(key)) given.push(name);
  }
  reportRest(schema, context);
  const isRoot = place.depth === 0;
  return {
    ...((shown.size > 0 || rules.closed || isRoot) && { properties: objectFrom(shown) }),
    ...((given.length > 0 || rules.closed) && { required: given }),
    ...(rules.closed && { additionalProperties: false }),
  };
}

function* listed(schema: JsonObject, required: ReadonlySet<string>): Iterable<readonly [string, unknown]> {
  const properties = propertiesOf(schema);
  yield* Object.entries(properties);
  // The server wants it and does not say what it is, or forbids it at once.
  for (const key of required) {
    if (!Object.hasOwn(properties, key)) yield [key, own(schema, "additionalProperties")];
  }
}

function nameFor(key: string, schema: JsonObject, { rules, work, place }: PlacedContext): string | undefined {
  const path = propertyPath(key, place);
  const name = shownName(key, rules.propertyName);
  if (name !== key) {
    if (Object.hasOwn(propertiesOf(schema), name)) {
      note(work, "property-clash", path);
      return undefined;
    }
    note(work, "property-renamed", path);
  }
  if (work.propertiesLeft < 1) {
    note(work, "shown-property-limit", path);
    return undefined;
  }
  if (name.length > work.textLeft) {
    note(work, "shown-text-limit", path);
    return undefined;
  }
  work.propertiesLeft -= 1;
  work.textLeft -= name.length;
  return name;
}

function writeProperty(
  key: string,
  part: unknown,
  { place, write }: PlacedContext,
): WrittenSchema | undefined {
  return write(isJsonObject(part) ? part : {}, profilePlace(place, ["properties", key], "deeper"));
}

function propertyPath(key: string, place: ProfilePlace): ProfilePlace["path"] {
  return profilePlace(place, ["properties", key], "deeper").path;
}

/**
 * Other properties than those listed. That a schema says nothing about them is how most are written, and not worth a
 * word, unless it lists none at all: then they are all there is.
 */
function reportRest(schema: JsonObject, { rules, work, place }: PlacedContext): void {
  const additional = own(schema, "additionalProperties");
  const path = { parent: place.path, key: "additionalProperties" };
  if (!rules.closed) {
    if (additional !== undefined) note(work, "keyword-not-taken", path);
    return;
  }
  const isFree = place.depth > 0 && Object.keys(propertiesOf(schema)).length === 0;
  if (additional === undefined ? isFree : additional !== false) note(work, "additional-closed", path);
}
