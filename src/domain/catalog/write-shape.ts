import { objectFrom } from "../json-value.ts";
import { hasType, intersectTypes, JSON_TYPES, KEYWORD_TYPES, typeOfValue } from "./shape.ts";
import type { JsonType, Shape } from "./shape.ts";

export type WrittenSchema = { readonly [keyword: string]: unknown };

/** Writes a shape as a JSON Schema of the universal subset. A union of types becomes `anyOf` (K4). */
export function writeShape(shape: Shape): WrittenSchema {
  const types = shape.types;
  if (types === undefined || types.size === 1) {
    const [type] = types ?? [];
    return writeAssertions(shape, type, writeAnnotations(shape));
  }
  if (shape.anyOf !== undefined) {
    const { types: _, ...rest } = shape;
    return writeShape({ ...rest, anyOf: spreadTypes(shape.anyOf, types) });
  }
  const branches = JSON_TYPES.filter((type) => types.has(type)).flatMap((type) => oneType(shape, type));
  return { ...writeAnnotations(shape), anyOf: branches };
}

/* T and (A or B) is (T and A) or (T and B): exact, and needs no `allOf`. */
function spreadTypes(branches: readonly Shape[], types: ReadonlySet<JsonType>): readonly Shape[] {
  const spread = branches.flatMap((branch): Shape[] => {
    if (branch.types === undefined) return [{ ...branch, types }];
    const common = intersectTypes(branch.types, types);
    return common.size === 0 ? [] : [{ ...branch, types: common }];
  });
  return spread.length === 0 ? branches : spread;
}

function oneType(shape: Shape, type: JsonType): WrittenSchema[] {
  if (shape.enum === undefined) return [writeAssertions(shape, type, {})];
  const single: ReadonlySet<JsonType> = new Set([type]);
  const values = shape.enum.filter((value) => hasType(single, typeOfValue(value)));
  return values.length === 0 ? [] : [writeAssertions({ ...shape, enum: values }, type, {})];
}

/* Keywords are our own names, so plain assignment is safe here; only `properties` has the server's. */
interface Writing {
  [keyword: string]: unknown;
}

function writeAnnotations(shape: Shape): Writing {
  const schema: Writing = {};
  if (shape.title !== undefined) schema["title"] = shape.title;
  if (shape.description !== undefined) schema["description"] = shape.description;
  if (shape.default !== undefined) schema["default"] = shape.default.value;
  return schema;
}

function writeAssertions(shape: Shape, type: JsonType | undefined, schema: Writing): WrittenSchema {
  const applies = (keyword: string): boolean =>
    type === undefined || KEYWORD_TYPES.get(keyword)?.includes(type) === true;
  if (type !== undefined) schema["type"] = type;
  if (shape.enum !== undefined) schema["enum"] = shape.enum;
  if (shape.format !== undefined && type !== "object") schema["format"] = shape.format;
  if (shape.pattern !== undefined && applies("pattern")) schema["pattern"] = shape.pattern;
  for (const [keyword, bound] of shape.limits ?? []) if (applies(keyword)) schema[keyword] = bound;
  if (type === undefined || type === "array") writeArrayPart(shape, type, schema);
  if (type === undefined || type === "object") writeObjectPart(shape, schema);
  if (shape.anyOf !== undefined) schema["anyOf"] = shape.anyOf.map(writeShape);
  return schema;
}

/* An array without `items` is legal, and refused by model APIs. */
function writeArrayPart(shape: Shape, type: JsonType | undefined, schema: Writing): void {
  if (shape.items !== undefined) schema["items"] = writeShape(shape.items);
  else if (type === "array") schema["items"] = {};
}

function writeObjectPart(shape: Shape, schema: Writing): void {
  const { properties, required, additional } = shape;
  if (properties !== undefined) {
    const written = Array.from(properties, ([key, value]) => [key, writeShape(value)] as const);
    schema["properties"] = objectFrom(written);
  }
  if (required !== undefined && required.size > 0) schema["required"] = [...required];
  if (additional === undefined) return;
  schema["additionalProperties"] = typeof additional === "boolean" ? additional : writeShape(additional);
}
