/** What each model API takes of a tool's input schema, as data (K4). Sources: docs/decisions/0025-schema-profiles.md. */

export const SCHEMA_PROFILES = ["openai", "openai-strict", "anthropic", "gemini"] as const;

/** The model API that a schema is shown to. */
export type SchemaProfile = (typeof SCHEMA_PROFILES)[number];

/** Bounds of one schema. Strict mode counts over the whole schema, names and values alike. */
export interface ProfileLimits {
  readonly properties: number;
  /** Nested objects and lists, the root included. */
  readonly levels: number;
  readonly enumValues: number;
  /** UTF-16 units of all property names and enum texts. */
  readonly text: number;
  /** An enum of more texts than this may have at most `longEnumText` units. */
  readonly longEnum: number;
  readonly longEnumText: number;
}

interface CommonRules {
  readonly keywords: ReadonlySet<string>;
  /** What a property may be called; another name is replaced. `undefined`: anything. */
  readonly propertyName: RegExp | undefined;
}

/** Takes JSON Schema as it is, but for the root and for names. */
export interface LooseRules extends CommonRules {
  readonly kind: "loose";
}

/** Wants one type everywhere. */
export interface TypedRules extends CommonRules {
  readonly kind: "typed";
  /** By type; a type that is not listed takes no format. */
  readonly formats: ReadonlyMap<string, ReadonlySet<string>>;
  /** Types that may list their values. */
  readonly enums: ReadonlySet<string>;
  /** Whether the empty text may be one of the values. */
  readonly emptyEnumText: boolean;
  /** Every property required, nothing beside them. */
  readonly closed: boolean;
  /** How a value that may be null is written, and whether alternatives stand alone. */
  readonly nulls: "type" | "nullable";
  readonly limits: ProfileLimits | undefined;
}

export type ProfileRules = LooseRules | TypedRules;

const EVERYWHERE = [
  "title",
  "description",
  "type",
  "enum",
  "properties",
  "required",
  "items",
  "anyOf",
] as const;
const NUMBERS = ["minimum", "maximum"] as const;
const LISTS = ["minItems", "maxItems"] as const;
const COUNTS = ["minLength", "maxLength", "minProperties", "maxProperties"] as const;
const EXACT = ["exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;

/* What narrowing writes. */
const UNIVERSAL: ReadonlySet<string> = new Set([
  ...EVERYWHERE,
  ...NUMBERS,
  ...LISTS,
  ...COUNTS,
  ...EXACT,
  "pattern",
  "format",
  "default",
  "additionalProperties",
]);

/* The keys of Structured Outputs' list of supported properties; `default` is refused by some deployments. */
const STRICT: ReadonlySet<string> = new Set([
  ...EVERYWHERE,
  ...NUMBERS,
  ...LISTS,
  ...EXACT,
  "pattern",
  "format",
  "additionalProperties",
]);

/* The fields of `Schema` in `google.ai.generativelanguage.v1beta`; an unknown one fails the whole request. */
const GEMINI: ReadonlySet<string> = new Set([
  ...EVERYWHERE,
  ...NUMBERS,
  ...LISTS,
  ...COUNTS,
  "pattern",
  "format",
  "default",
  "nullable",
]);

export const PROFILE_RULES: Readonly<Record<SchemaProfile, ProfileRules>> = {
  openai: { kind: "loose", keywords: UNIVERSAL, propertyName: undefined },
  anthropic: { kind: "loose", keywords: UNIVERSAL, propertyName: /^[A-Za-z0-9_.-]{1,64}$/ },
  "openai-strict": {
    kind: "typed",
    keywords: STRICT,
    propertyName: undefined,
    formats: new Map([
      [
        "string",
        new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
      ],
    ]),
    enums: new Set(["string", "number", "integer", "boolean"]),
    emptyEnumText: true,
    closed: true,
    nulls: "type",
    limits: {
      properties: 5000,
      levels: 10,
      enumValues: 1000,
      text: 120_000,
      longEnum: 250,
      longEnumText: 15_000,
    },
  },
  gemini: {
    kind: "typed",
    keywords: GEMINI,
    propertyName: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
    formats: new Map([
      ["string", new Set(["date-time"])],
      ["number", new Set(["float", "double"])],
      ["integer", new Set(["int32", "int64"])],
    ]),
    enums: new Set(["string"]),
    emptyEnumText: false,
    closed: false,
    nulls: "nullable",
    limits: undefined,
  },
};
