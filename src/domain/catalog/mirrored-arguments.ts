import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { PARAMETER_HEADER_NAME_LIMIT, PARAMETER_HEADER_TYPES } from "../http/parameter-headers.ts";
import type { ParameterHeader, ParameterHeaderType } from "../http/parameter-headers.ts";
import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { HeaderReason } from "./adapt-reason.ts";

const KEYWORD = "x-mcp-header";

/** Arguments that one tool may ask for in headers. Our bound: Node takes no request with thousands of headers. */
export const PARAMETER_HEADER_COUNT_LIMIT = 32;
/** Property names between the root and an argument: as deep as schemas are read (`NARROW_LIMITS`). */
export const PARAMETER_HEADER_DEPTH_LIMIT = 64;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/* Keywords whose value is a schema, or a list of schemas. */
const SCHEMAS = [
  "items",
  "additionalItems",
  "prefixItems",
  "unevaluatedItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "contentSchema",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
];

/* Keywords whose value holds schemas by names that are nobody's keywords. */
const NAMED_SCHEMAS = ["patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];

/** A schema to look at. `keys` is the way to it through `properties` alone; `undefined`: another way led here. */
interface Place {
  readonly schema: unknown;
  readonly keys: Keys | undefined;
}

/* Shared by all that lies below, so that a deep schema costs no copies. */
interface Keys {
  readonly key: string | undefined;
  readonly parent: Keys | undefined;
  readonly depth: number;
}

/**
 * Reads which arguments a tool asks for in headers (2026-07-28, `x-mcp-header`), in the order of its schema. One
 * declaration that is wrong spoils the tool: a server would route by a header that a call cannot have. What stands in
 * values (`enum`, `default`, `examples`) declares nothing. Linear, not recursive.
 */
export function readParameterHeaders(
  inputSchema: unknown,
): Outcome<readonly ParameterHeader[], HeaderReason> {
  const declared = new Map<string, ParameterHeader>();
  const pending: Place[] = [{ schema: inputSchema, keys: { key: undefined, parent: undefined, depth: 0 } }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (!isJsonObject(place.schema)) continue;
    const header = readDeclaration(place.schema, place.keys);
    if (header !== undefined && !header.ok) return header;
    if (header !== undefined) {
      const name = header.value.name.toLowerCase();
      if (declared.has(name)) return refuse("header-name-duplicate");
      if (declared.size === PARAMETER_HEADER_COUNT_LIMIT) return refuse("header-too-many");
      declared.set(name, header.value);
    }
    // Last first, so that what comes first is taken next. One by one: a spread of many would overflow the stack.
    for (const below of placesBelow(place.schema, place.keys).toReversed()) pending.push(below);
  }
  return accept([...declared.values()]);
}

function readDeclaration(
  schema: JsonObject,
  keys: Keys | undefined,
): Outcome<ParameterHeader, HeaderReason> | undefined {
  if (!Object.hasOwn(schema, KEYWORD)) return undefined;
  if (keys === undefined || keys.depth === 0 || keys.depth > PARAMETER_HEADER_DEPTH_LIMIT) {
    return refuse("header-misplaced");
  }
  const name = schema[KEYWORD];
  if (typeof name !== "string" || name.length > PARAMETER_HEADER_NAME_LIMIT || !TOKEN.test(name)) {
    return refuse("header-name-invalid");
  }
  const type = PARAMETER_HEADER_TYPES.find(
    (allowed): allowed is ParameterHeaderType => allowed === own(schema, "type"),
  );
  return type === undefined ? refuse("header-type-not-allowed") : accept({ name, path: pathOf(keys), type });
}

function placesBelow(schema: JsonObject, keys: Keys | undefined): Place[] {
  const below: Place[] = [];
  const properties = own(schema, "properties");
  if (isJsonObject(properties)) {
    for (const [key, child] of Object.entries(properties)) {
      below.push({
        schema: child,
        keys: keys === undefined ? undefined : { key, parent: keys, depth: keys.depth + 1 },
      });
    }
  }
  const add = (child: unknown): void => void below.push({ schema: child, keys: undefined });
  for (const keyword of SCHEMAS) {
    const value = own(schema, keyword);
    if (Array.isArray(value)) value.forEach(add);
    else if (value !== undefined) add(value);
  }
  for (const keyword of NAMED_SCHEMAS) {
    const value = own(schema, keyword);
    if (isJsonObject(value)) Object.values(value).forEach(add);
  }
  return below;
}

function pathOf(keys: Keys): readonly string[] {
  const path: string[] = [];
  for (let at: Keys | undefined = keys; at?.key !== undefined; at = at.parent) path.push(at.key);
  return path.toReversed();
}
