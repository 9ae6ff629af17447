import { objectFrom, isJsonObject } from "../../domain/json-value.ts";

/**
 * The keywords that reach the library: what narrowing writes and a validator has to enforce. Left out on
 * purpose: `format` (an annotation here, an assertion there), `$ref` and `$id` (the library would resolve
 * and register them), and everything that costs more than one look at each value.
 */
const ASSERTIONS = [
  "type",
  "enum",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "required",
] as const;

const DEPTH_LIMIT = 256;

export interface Subset {
  readonly schema: boolean | { readonly [keyword: string]: unknown };
  /** Schemas and enum values: what one value of an instance may be compared with. */
  readonly size: number;
  readonly hasPattern: boolean;
}

/** Copies what is to be enforced, so that the library can neither change nor reach anything else. */
export function subsetOf(schema: unknown): Subset {
  const tally = { size: 0, hasPattern: false };
  return { schema: copy(schema, 0, tally), size: tally.size, hasPattern: tally.hasPattern };
}

function copy(
  schema: unknown,
  depth: number,
  tally: { size: number; hasPattern: boolean },
): boolean | { readonly [keyword: string]: unknown } {
  tally.size += 1;
  if (typeof schema === "boolean") return schema;
  if (!isJsonObject(schema) || depth > DEPTH_LIMIT) return true;
  const below = (part: unknown): unknown => copy(part, depth + 1, tally);
  const kept: [string, unknown][] = [];
  for (const keyword of ASSERTIONS) {
    if (Object.hasOwn(schema, keyword)) kept.push([keyword, schema[keyword]]);
  }
  const { enum: values, pattern, properties, items, additionalProperties, anyOf } = schema;
  if (Array.isArray(values)) tally.size += values.length;
  if (pattern !== undefined) tally.hasPattern = true;
  if (isJsonObject(properties)) {
    const copied = Object.entries(properties).map(([key, part]) => [key, below(part)] as const);
    kept.push(["properties", objectFrom(copied)]);
  }
  if (items !== undefined) kept.push(["items", below(items)]);
  if (additionalProperties !== undefined) kept.push(["additionalProperties", below(additionalProperties)]);
  if (Array.isArray(anyOf) && anyOf.length > 0) kept.push(["anyOf", anyOf.map(below)]);
  return objectFrom(kept);
}
