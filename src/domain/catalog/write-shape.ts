import { objectFrom } from "./json-value.ts";
import { hasType, intersectTypes, JSON_TYPES, KEYWORD_TYPES, typeOfValue } from "./shape.ts";
import type { JsonType, Shape } from "./shape.ts";

export type WrittenSchema = { readonly [keyword: string]: unknown };

/** Writes a shape as a JSON Schema of the universal subset. A union of types becomes `anyOf` (K4). */
export function writeShape(shape: Shape): WrittenSchema {
  const types = shape.types;
  if (types === undefined || types.size === 1) {
    return objectFrom([...annotations(shape), ...assertions(shape, types)]);
  }
  if (shape.anyOf !== undefined) {
    const { types: _, ...rest } = shape;
    return writeShape({ ...rest, anyOf: spreadTypes(shape.anyOf, types) });
  }
  const branches = JSON_TYPES.filter((type) => types.has(type)).flatMap((type) => oneType(shape, type));
  return objectFrom([...annotations(shape), ["anyOf", branches]]);
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
  const single: ReadonlySet<JsonType> = new Set([type]);
  if (shape.enum === undefined) return [objectFrom(assertions(shape, single))];
  const values = shape.enum.filter((value) => hasType(single, typeOfValue(value)));
  return values.length === 0 ? [] : [objectFrom(assertions({ ...shape, enum: values }, single))];
}

function* annotations(shape: Shape): Generator<readonly [string, unknown]> {
  if (shape.title !== undefined) yield ["title", shape.title];
  if (shape.description !== undefined) yield ["description", shape.description];
  if (shape.default !== undefined) yield ["default", shape.default.value];
}

function* assertions(
  shape: Shape,
  types: ReadonlySet<JsonType> | undefined,
): Generator<readonly [string, unknown]> {
  const [type] = types ?? [];
  const applies = (keyword: string): boolean => {
    const looksAt = KEYWORD_TYPES.get(keyword);
    return type === undefined || looksAt === undefined || looksAt.includes(type);
  };
  if (type !== undefined) yield ["type", type];
  if (shape.enum !== undefined) yield ["enum", shape.enum];
  if (shape.format !== undefined && (type === undefined || type !== "object")) yield ["format", shape.format];
  if (shape.pattern !== undefined && applies("pattern")) yield ["pattern", shape.pattern];
  for (const [keyword, bound] of shape.limits ?? []) {
    if (applies(keyword)) yield [keyword, bound];
  }
  if (applies("items")) yield* arrayPart(shape, type);
  if (applies("properties")) yield* objectPart(shape);
  if (shape.anyOf !== undefined) yield ["anyOf", shape.anyOf.map(writeShape)];
}

/* An array without `items` is legal, and refused by model APIs. */
function* arrayPart(shape: Shape, type: JsonType | undefined): Generator<readonly [string, unknown]> {
  if (shape.items !== undefined) yield ["items", writeShape(shape.items)];
  else if (type === "array") yield ["items", {}];
}

function* objectPart(shape: Shape): Generator<readonly [string, unknown]> {
  if (shape.properties !== undefined) {
    const written = [...shape.properties].map(([key, value]) => [key, writeShape(value)] as const);
    yield ["properties", objectFrom(written)];
  }
  if (shape.required !== undefined && shape.required.size > 0) yield ["required", [...shape.required]];
  if (shape.additional !== undefined) {
    yield [
      "additionalProperties",
      typeof shape.additional === "boolean" ? shape.additional : writeShape(shape.additional),
    ];
  }
}
