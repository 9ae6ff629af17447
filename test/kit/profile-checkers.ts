import { isJsonObject } from "../../src/domain/json-value.ts";
import type { JsonObject } from "../../src/domain/json-value.ts";
import type { SchemaProfile } from "../../src/domain/catalog/profile-rules.ts";

/**
 * What each model API is documented, or known by its own errors, to refuse in a tool's input schema, written apart from the
 * profiles: `docs/reference/schema-profiles.md` has the rules. Answers the broken ones, each with its place.
 */
export function brokenRules(profile: SchemaProfile, schema: JsonObject): readonly string[] {
  const broken = new Set<string>();
  if (schema["type"] !== "object") broken.add("the root is no object");
  if (!isJsonObject(schema["properties"])) broken.add("the root has no properties");
  for (const keyword of ["anyOf", "oneOf", "allOf", "enum", "not", "const"])
    if (keyword in schema) broken.add(`${keyword} at the root`);
  walk(schema, { path: "", level: 1 }, (node, place) => {
    for (const rule of NODE_RULES[profile](node, place)) broken.add(`${rule} at ${place.path}`);
  });
  if (profile === "openai-strict") for (const rule of strictTotals(schema)) broken.add(rule);
  return [...broken];
}

interface Place {
  readonly path: string;
  /** Objects and lists so far, this one included. */
  readonly level: number;
}

type NodeRules = (node: JsonObject, place: Place) => readonly string[];

const NODE_RULES: Readonly<Record<SchemaProfile, NodeRules>> = {
  openai: (node) => [...references(node), ...listsWithItems(node)],
  anthropic: (node) => [...references(node), ...names(node, /^[a-zA-Z0-9_.-]{1,64}$/)],
  "openai-strict": strictNode,
  gemini: geminiNode,
};

function walk(node: JsonObject, place: Place, visit: (node: JsonObject, place: Place) => void): void {
  visit(node, place);
  const parts: [unknown, string, boolean][] = [
    [node["items"], "/items", true],
    [node["additionalProperties"], "/additionalProperties", true],
  ];
  if (isJsonObject(node["properties"]))
    for (const [key, part] of Object.entries(node["properties"])) parts.push([part, `/${key}`, true]);
  if (Array.isArray(node["anyOf"]))
    for (const [index, part] of node["anyOf"].entries()) parts.push([part, `/anyOf/${index}`, false]);
  for (const [part, step, isDeeper] of parts) {
    if (isJsonObject(part))
      walk(part, { path: place.path + step, level: place.level + (isDeeper ? 1 : 0) }, visit);
  }
}

function references(node: JsonObject): readonly string[] {
  return ["$ref", "$defs", "definitions"].filter((keyword) => keyword in node);
}

function listsWithItems(node: JsonObject): readonly string[] {
  return node["type"] === "array" && !isJsonObject(node["items"]) ? ["a list without items"] : [];
}

function names(node: JsonObject, pattern: RegExp): readonly string[] {
  const properties = isJsonObject(node["properties"]) ? Object.keys(node["properties"]) : [];
  return properties.filter((name) => !pattern.test(name)).map(() => "a property name");
}

function unknownKeywords(node: JsonObject, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(node)
    .filter((keyword) => !known.has(keyword))
    .map((keyword) => `the keyword ${keyword}`);
}

const STRICT_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "title",
  "description",
  "enum",
  "anyOf",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "pattern",
  "format",
  "multipleOf",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "minItems",
  "maxItems",
]);
const STRICT_TYPES: ReadonlySet<string> = new Set([
  "string",
  "number",
  "boolean",
  "integer",
  "object",
  "array",
  "null",
]);
const STRICT_FORMATS: ReadonlySet<string> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

function strictNode(node: JsonObject, { level }: Place): readonly string[] {
  const broken = [...unknownKeywords(node, STRICT_KEYWORDS), ...listsWithItems(node)];
  const types: readonly unknown[] = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
  if (!("type" in node) && !("anyOf" in node)) broken.push("neither a type nor alternatives");
  if ("type" in node && !types.every((type) => STRICT_TYPES.has(String(type)))) broken.push("a type");
  if ("type" in node && "anyOf" in node) broken.push("a type beside alternatives");
  if (Array.isArray(node["anyOf"]) && node["anyOf"].length === 0) broken.push("no alternatives");
  if (Array.isArray(node["enum"]) && node["enum"].length === 0) broken.push("no values");
  if ("format" in node && !STRICT_FORMATS.has(String(node["format"]))) broken.push("a format");
  if (types.includes("object")) {
    const properties = isJsonObject(node["properties"]) ? Object.keys(node["properties"]) : undefined;
    if (node["additionalProperties"] !== false) broken.push("an open object");
    if (JSON.stringify(properties?.toSorted()) !== JSON.stringify(sorted(node["required"])))
      broken.push("a property that is not required");
  }
  if ((types.includes("object") || types.includes("array")) && level > 10) broken.push("more than 10 levels");
  return broken;
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.map(String).toSorted() : undefined;
}

function strictTotals(schema: JsonObject): readonly string[] {
  let properties = 0;
  let values = 0;
  let text = 0;
  const broken: string[] = [];
  walk(schema, { path: "", level: 1 }, (node) => {
    const keys = isJsonObject(node["properties"]) ? Object.keys(node["properties"]) : [];
    const listed: readonly unknown[] = Array.isArray(node["enum"]) ? node["enum"] : [];
    const length = listed.reduce<number>(
      (sum, value) => sum + (typeof value === "string" ? value.length : 0),
      0,
    );
    properties += keys.length;
    values += listed.length;
    text += length + keys.join("").length;
    if (listed.length > 250 && length > 15_000) broken.push("a long enum");
  });
  if (properties > 5000) broken.push("more than 5,000 properties");
  if (values > 1000) broken.push("more than 1,000 values");
  if (text > 120_000) broken.push("more than 120,000 characters");
  return broken;
}

const GEMINI_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "items",
  "maxItems",
  "minItems",
  "properties",
  "required",
  "minProperties",
  "maxProperties",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "pattern",
  "example",
  "anyOf",
  "propertyOrdering",
  "default",
]);
const GEMINI_TYPES: ReadonlySet<string> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
]);
const GEMINI_FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

function geminiNode(node: JsonObject, { path }: Place): readonly string[] {
  const broken = [
    ...unknownKeywords(node, GEMINI_KEYWORDS),
    ...listsWithItems(node),
    ...names(node, /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/),
  ];
  if ("anyOf" in node) {
    if (Object.keys(node).length > 1) broken.push("something beside alternatives");
    return broken;
  }
  const type = node["type"];
  if (typeof type !== "string" || !GEMINI_TYPES.has(type)) return [...broken, "a type"];
  if ("format" in node && GEMINI_FORMATS[type]?.includes(String(node["format"])) !== true)
    broken.push("a format");
  if ("enum" in node) {
    const values: readonly unknown[] = Array.isArray(node["enum"]) ? node["enum"] : [];
    const areTexts = values.every((value) => typeof value === "string" && value !== "");
    if (type !== "string" || values.length === 0 || !areTexts) broken.push("an enum");
  }
  const properties = isJsonObject(node["properties"]) ? node["properties"] : {};
  if (path !== "" && "properties" in node && Object.keys(properties).length === 0)
    broken.push("empty properties");
  const required: readonly unknown[] = Array.isArray(node["required"]) ? node["required"] : [];
  if (required.some((name) => !Object.hasOwn(properties, String(name))))
    broken.push("an unknown required name");
  return broken;
}
