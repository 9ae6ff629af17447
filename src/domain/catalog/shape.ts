/** A schema node as the universal subset can say it, between reading and writing (K4). */

export const JSON_TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** Numeric keywords, and which of two bounds is the tighter. */
export const LIMIT_KEYWORDS = {
  minimum: "greater",
  exclusiveMinimum: "greater",
  minLength: "greater",
  minItems: "greater",
  minProperties: "greater",
  maximum: "smaller",
  exclusiveMaximum: "smaller",
  maxLength: "smaller",
  maxItems: "smaller",
  maxProperties: "smaller",
  multipleOf: "first",
} as const;
export type LimitKeyword = keyof typeof LIMIT_KEYWORDS;

/** Every field left out means "anything". An empty shape accepts every value. */
export interface Shape {
  title?: string;
  description?: string;
  default?: { readonly value: unknown };
  format?: string;
  types?: ReadonlySet<JsonType>;
  enum?: readonly unknown[];
  limits?: Map<LimitKeyword, number>;
  pattern?: string;
  items?: Shape;
  properties?: Map<string, Shape>;
  required?: Set<string>;
  additional?: boolean | Shape;
  anyOf?: readonly Shape[];
  /** Accepts nothing. Never written: whoever holds such a shape says the same in another way. */
  never?: true;
}

/** The types whose values a keyword looks at; keywords that are not listed look at every value. */
export const KEYWORD_TYPES: ReadonlyMap<string, readonly JsonType[]> = new Map(
  (
    [
      [
        ["object"],
        [
          "properties",
          "required",
          "additionalProperties",
          "minProperties",
          "maxProperties",
          "patternProperties",
          "propertyNames",
          "dependentRequired",
          "dependentSchemas",
          "dependencies",
          "unevaluatedProperties",
        ],
      ],
      [
        ["array"],
        [
          "items",
          "prefixItems",
          "additionalItems",
          "minItems",
          "maxItems",
          "uniqueItems",
          "contains",
          "minContains",
          "maxContains",
          "unevaluatedItems",
        ],
      ],
      [["string"], ["minLength", "maxLength", "pattern"]],
      [
        ["number", "integer"],
        ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
      ],
    ] as const
  ).flatMap(([types, keywords]) =>
    keywords.map((keyword): [string, readonly JsonType[]] => [keyword, types]),
  ),
);

export function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return "object";
}

/** Whether a value of type `type` is among `types`; every integer is a number. */
export function hasType(types: ReadonlySet<JsonType>, type: JsonType): boolean {
  return types.has(type) || (type === "integer" && types.has("number"));
}

/** The types that both allow; `integer` is left out where `number` covers it. */
export function intersectTypes(a: ReadonlySet<JsonType>, b: ReadonlySet<JsonType>): Set<JsonType> {
  return new Set(
    JSON_TYPES.filter((type) => hasType(a, type) && hasType(b, type)).filter(
      (type, _, all) => type !== "integer" || !all.includes("number"),
    ),
  );
}

export function acceptsAnything(shape: Shape): boolean {
  return (
    shape.never !== true &&
    shape.types === undefined &&
    shape.enum === undefined &&
    (shape.limits === undefined || shape.limits.size === 0) &&
    shape.pattern === undefined &&
    shape.items === undefined &&
    shape.properties === undefined &&
    (shape.required === undefined || shape.required.size === 0) &&
    (shape.additional === undefined || shape.additional === true) &&
    shape.anyOf === undefined
  );
}
