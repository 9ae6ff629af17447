import { own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { placeBelow, report } from "./reading.ts";
import type { Place, Reading } from "./reading.ts";
import { readSchema } from "./read-schema.ts";
import { acceptsAnything } from "./shape.ts";
import type { Shape } from "./shape.ts";
import { writeShape } from "./write-shape.ts";

/** Reads `items` and tuples. A tuple becomes one item schema that accepts what any of its places accepts. */
export function readArrayKeywords(raw: JsonObject, shape: Shape, place: Place, reading: Reading): void {
  const read = (schema: unknown, ...keys: string[]): Shape =>
    readSchema(schema, placeBelow(place, keys, "deeper"), reading);
  const items = own(raw, "items");
  const prefix = own(raw, "prefixItems");
  if (Array.isArray(items)) {
    const rest = own(raw, "additionalItems");
    const places = items.map((schema, index) => read(schema, "items", String(index)));
    report(reading, "tuple", { parent: place.path, key: "items" });
    setTuple(shape, places, rest === undefined ? {} : read(rest, "additionalItems"));
  } else if (Array.isArray(prefix) && prefix.length > 0) {
    const places = prefix.map((schema, index) => read(schema, "prefixItems", String(index)));
    report(reading, "tuple", { parent: place.path, key: "prefixItems" });
    setTuple(shape, places, items === undefined ? {} : read(items, "items"));
  } else if (items !== undefined) {
    const each = read(items, "items");
    if (each.never === true) limitItems(shape, 0);
    else shape.items = each;
  }
}

function setTuple(shape: Shape, places: readonly Shape[], rest: Shape): void {
  const barred = places.findIndex((each) => each.never === true);
  const length = barred >= 0 ? barred : places.length;
  if (barred >= 0 || rest.never === true) limitItems(shape, length);
  const most = shape.limits?.get("maxItems") ?? Number.POSITIVE_INFINITY;
  const possible = [...places.slice(0, Math.min(length, most)), ...(most > length ? [rest] : [])];
  const each = eitherOf(possible);
  if (each !== undefined) shape.items = each;
}

function limitItems(shape: Shape, most: number): void {
  const limits = (shape.limits ??= new Map());
  limits.set("maxItems", Math.min(most, limits.get("maxItems") ?? most));
}

/** One shape for what any of these accepts, equal ones counted once; `undefined` for "anything". */
export function eitherOf(shapes: readonly Shape[]): Shape | undefined {
  const distinct = new Map(shapes.map((shape) => [JSON.stringify(writeShape(shape)), shape]));
  const [first] = distinct.values();
  if (first === undefined || shapes.some(acceptsAnything)) return undefined;
  return distinct.size === 1 ? first : { anyOf: [...distinct.values()] };
}
