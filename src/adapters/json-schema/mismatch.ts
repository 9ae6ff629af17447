import { isJsonObject } from "../../domain/json-value.ts";
import type { SchemaMismatch } from "../../domain/catalog/refusal.ts";
import { cleanText } from "../../domain/catalog/untrusted-text.ts";

/** What the library reports of one keyword; its own sentence quotes the value and is never looked at. */
export interface LibraryError {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
}

export const MISMATCH_LIMIT = 16;
const TEXT_LIMIT = 256;

/* Only say that something inside did not fit; what it was is reported by itself. */
const WRAPPERS = new Set(["properties", "additionalProperties", "items"]);

/** Says what was expected where, from the schema and the library's locations. */
export function mismatchesFrom(
  errors: readonly LibraryError[],
  schema: unknown,
  value: unknown,
): readonly SchemaMismatch[] {
  const found = new Map<string, SchemaMismatch>();
  let closed = "";
  let before: LibraryError | undefined;
  for (const error of errors) {
    if (found.size >= MISMATCH_LIMIT) break;
    const inside = closed !== "" && error.keywordLocation.startsWith(closed);
    if (!inside && error.keyword === "anyOf") closed = `${error.keywordLocation}/`;
    /* `false` has the value's place for its own, so it is told by the wrapper before it. */
    const unlisted = error.keyword === "false" && before?.keyword === "additionalProperties";
    const hidden =
      inside || (unlisted && closed !== "" && before?.keywordLocation.startsWith(closed) === true);
    if (!hidden && !WRAPPERS.has(error.keyword)) {
      const location = unlisted ? before?.keywordLocation : error.keywordLocation;
      for (const expected of expectations(error, location ?? "", schema, value)) {
        const mismatch = { path: shown(decode(error.instanceLocation)), expected: shown(expected) };
        found.set(`${mismatch.path} ${mismatch.expected}`, mismatch);
      }
    }
    before = error;
  }
  return [...found.values()].slice(0, MISMATCH_LIMIT);
}

function expectations(
  error: LibraryError,
  location: string,
  schema: unknown,
  value: unknown,
): readonly string[] {
  const keys = stepsOf(location);
  const asked = follow(schema, keys);
  const around = follow(schema, keys.slice(0, -1));
  switch (error.keyword) {
    case "type":
      return [`type ${String(asked)}`];
    case "enum":
      return [Array.isArray(asked) && asked.length === 1 ? quote(asked[0]) : `one of ${quoteAll(asked)}`];
    case "anyOf":
      return [`one of: ${Array.isArray(asked) ? asked.map(summary).join("; ") : ""}`];
    case "required":
      return missingNames(asked, follow(value, stepsOf(error.instanceLocation))).map(
        (name) => `a property ${quote(name)}`,
      );
    case "false":
      return [nothingBeside(around)];
    case "pattern":
      return [`a text that matches ${String(asked)}`];
    default:
      return [`${error.keyword} ${String(asked)}`];
  }
}

function nothingBeside(schema: unknown): string {
  const names =
    isJsonObject(schema) && isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return names.length === 0 ? "no such property" : `no such property (there are ${quoteAll(names)})`;
}

function missingNames(required: unknown, object: unknown): readonly string[] {
  if (!Array.isArray(required) || !isJsonObject(object)) return [];
  return required
    .filter((name): name is string => typeof name === "string" && !Object.hasOwn(object, name))
    .slice(0, MISMATCH_LIMIT);
}

function summary(branch: unknown): string {
  if (!isJsonObject(branch)) return "anything";
  const { type, enum: values, properties, required } = branch;
  if (values !== undefined) return quoteAll(values);
  const names = Array.isArray(required) ? required : Object.keys(isJsonObject(properties) ? properties : {});
  const kind = typeof type === "string" ? type : "anything";
  return names.length === 0 ? kind : `${typeof type === "string" ? type : "object"} with ${quoteAll(names)}`;
}

function quoteAll(values: unknown): string {
  if (!Array.isArray(values)) return "";
  const few = values.slice(0, MISMATCH_LIMIT).map(quote).join(", ");
  return values.length > MISMATCH_LIMIT ? `${few}, …` : few;
}

/* Only the schema's own values come here, which narrowing has bounded. */
function quote(value: unknown): string {
  return cleanText(JSON.stringify(value) ?? "", TEXT_LIMIT).text;
}

function stepsOf(location: string): readonly string[] {
  return location
    .split("/")
    .slice(1)
    .map((step) => decode(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/* The library writes `#` and percent-encodes names. */
function decode(location: string): string {
  try {
    return decodeURIComponent(location.replace(/^#/, ""));
  } catch {
    return location;
  }
}

function follow(root: unknown, keys: readonly string[]): unknown {
  let at: unknown = root;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key]; // own property of an object, checked above
  }
  return at;
}

function shown(text: string): string {
  return cleanText(text, TEXT_LIMIT).text;
}
