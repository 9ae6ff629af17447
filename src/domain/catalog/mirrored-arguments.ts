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

/**
 * Where schemas stand in a schema: as the value or in a list (`schema`), or by names that are nobody's keywords
 * (`named`). What stands in values (`enum`, `default`, `examples`) is none.
 */
const KEYWORDS: ReadonlyMap<string, "schema" | "named"> = new Map([
  ["items", "schema"],
  ["additionalItems", "schema"],
  ["prefixItems", "schema"],
  ["unevaluatedItems", "schema"],
  ["contains", "schema"],
  ["additionalProperties", "schema"],
  ["unevaluatedProperties", "schema"],
  ["propertyNames", "schema"],
  ["contentSchema", "schema"],
  ["allOf", "schema"],
  ["anyOf", "schema"],
  ["oneOf", "schema"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["properties", "named"],
  ["patternProperties", "named"],
  ["dependentSchemas", "named"],
  ["dependencies", "named"],
  ["$defs", "named"],
  ["definitions", "named"],
]);

/** A schema to look at. `keys` is the way to it through `properties` alone; `undefined`: another way led here. */
interface Place {
  readonly schema: JsonObject;
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
 * declaration that is wrong spoils the tool: a server would route by a header that a call cannot have. Linear, not
 * recursive, and looks at each key once: every tool of a server passes here.
 */
export function readParameterHeaders(
  inputSchema: unknown,
): Outcome<readonly ParameterHeader[], HeaderReason> {
  const declared = new Map<string, ParameterHeader>();
  const pending: Place[] = [];
  const add = (schema: unknown, keys: Keys | undefined): void => {
    if (isJsonObject(schema)) pending.push({ schema, keys });
  };
  add(inputSchema, { key: undefined, parent: undefined, depth: 0 });
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { schema, keys } = place;
    // Last first, so that what comes first is taken next.
    for (const keyword of Object.keys(schema).toReversed()) {
      if (keyword === KEYWORD) {
        const refusal = declare(schema, keys, declared);
        if (refusal !== undefined) return refuse(refusal);
      } else addBelow(keyword, place, add);
    }
  }
  return accept([...declared.values()]);
}

function addBelow(
  keyword: string,
  { schema, keys }: Place,
  add: (schema: unknown, keys: Keys | undefined) => void,
): void {
  const kind = KEYWORDS.get(keyword);
  if (kind === undefined) return;
  const value = schema[keyword];
  if (Array.isArray(value)) {
    // `items` and the combinators; a list where names belong holds none.
    if (kind === "schema") for (const child of value.toReversed()) add(child, undefined);
  } else if (kind === "schema") add(value, undefined);
  else if (isJsonObject(value)) {
    const reachable = keyword === "properties" ? keys : undefined;
    for (const key of Object.keys(value).toReversed()) {
      add(value[key], reachable && { key, parent: reachable, depth: reachable.depth + 1 });
    }
  }
}

/** Takes one declaration, or answers what is wrong with it. */
function declare(
  schema: JsonObject,
  keys: Keys | undefined,
  declared: Map<string, ParameterHeader>,
): HeaderReason | undefined {
  const header = readDeclaration(schema, keys);
  if (!header.ok) return header.refusal;
  const name = header.value.name.toLowerCase();
  if (declared.has(name)) return "header-name-duplicate";
  if (declared.size === PARAMETER_HEADER_COUNT_LIMIT) return "header-too-many";
  declared.set(name, header.value);
  return undefined;
}

function readDeclaration(schema: JsonObject, keys: Keys | undefined): Outcome<ParameterHeader, HeaderReason> {
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

function pathOf(keys: Keys): readonly string[] {
  const path: string[] = [];
  for (let at: Keys | undefined = keys; at?.key !== undefined; at = at.parent) path.push(at.key);
  return path.toReversed();
}
