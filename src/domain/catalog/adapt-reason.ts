/** Why something in the catalog is not exactly what its server said (K2, K4, K9). Closed sets. */

/** What narrowing did to a schema. The first block is repaired or respelt, the second given up (looser). */
export const SCHEMA_REASONS = [
  "schema-missing",
  "schema-empty-array",
  "root-type-missing",
  "root-type-union",
  "properties-array",
  "type-union",
  "boolean-schema",
  "exclusive-bound",
  "all-of-merged",
  "idle-keyword",
  "false-property",
  "required-duplicate",
  "root-combinator",
  "one-of",
  "all-of",
  "any-of",
  "conditional",
  "keyword-unsupported",
  "keyword-malformed",
  "schema-malformed",
  "type-unknown",
  "tuple",
  "pattern-properties",
  "pattern-unbounded",
  "pattern-invalid",
  "enum-empty",
  "enum-limit",
  "root-enum",
  "default-dropped",
  "ref-recursive",
  "ref-unresolved",
  "ref-dynamic",
  "ref-siblings",
  "expansion-limit",
  "node-limit",
  "depth-limit",
] as const;

export type SchemaReason = (typeof SCHEMA_REASONS)[number];

/** What a schema profile did to what is shown of a schema (K4). The first is a respelling, the rest gave something up. */
export const PROFILE_REASONS = [
  "property-renamed",
  "keyword-not-taken",
  "bound-widened",
  "enum-values",
  "any-value",
  "additional-closed",
  "property-clash",
  "shown-depth-limit",
  "shown-property-limit",
  "shown-enum-limit",
  "shown-text-limit",
  "required-left-out",
] as const;

export type ProfileReason = (typeof PROFILE_REASONS)[number];

/** Why no usable schema can be made at all: the tool is quarantined. */
export const QUARANTINE_REASONS = [
  "dialect-unknown",
  "schema-not-object",
  "root-not-object",
  "accepts-nothing",
  "ref-remote",
  "ref-loop",
] as const;

export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

/** Why an item was not admitted, besides its schema. */
export const ADMISSION_REASONS = [
  "not-an-object",
  "name-missing",
  "name-empty",
  "name-too-long",
  "uri-missing",
  "uri-too-long",
  "duplicate",
  "filtered",
  "too-many-items",
  "name-clash",
] as const;

/** What is wrong with what a tool asks to have in HTTP headers (K5b): it can be called by nobody as it asks. */
export const HEADER_REASONS = [
  "header-name-invalid",
  "header-name-duplicate",
  "header-type-not-allowed",
  "header-misplaced",
  "header-too-many",
] as const;

export type HeaderReason = (typeof HEADER_REASONS)[number];

/** Why a tool that is well formed may not be called before a person looked at it (A7). */
export const HOLD_REASONS = ["definition-changed", "definition-new", "pins-unreadable"] as const;

export type HoldReason = (typeof HOLD_REASONS)[number];

export type RejectReason = QuarantineReason | (typeof ADMISSION_REASONS)[number] | HeaderReason | HoldReason;

/** What was done to anything that is not a schema. */
export const ITEM_REASONS = [
  "name-altered",
  "text-cleaned",
  "text-cut",
  "text-malformed",
  "annotation-dropped",
  "argument-dropped",
  "output-schema-dropped",
  "task-required",
  "result-size-ignored",
  "arguments-in-headers",
  "more-reasons",
] as const;

export type ItemReason = (typeof ITEM_REASONS)[number];
