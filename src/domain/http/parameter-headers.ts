import { own, isJsonObject } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import type { SchemaMismatch } from "../catalog/refusal.ts";
import { cleanText } from "../catalog/untrusted-text.ts";
import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import { HEADER_LIMITS } from "./headers.ts";
import type { HeaderPair } from "./headers.ts";
import { encodeHeaderText } from "./header-text.ts";

/** The types that may travel in a header (2026-07-28, Custom Headers from Tool Parameters). */
export const PARAMETER_HEADER_TYPES = ["string", "integer", "boolean"] as const;

export type ParameterHeaderType = (typeof PARAMETER_HEADER_TYPES)[number];

/** One argument of a tool that its server wants to see in `Mcp-Param-<name>` as well (K5b). */
export interface ParameterHeader {
  /** An HTTP token in the server's own spelling. */
  readonly name: string;
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
  readonly type: ParameterHeaderType;
}

/** Of the name behind the prefix; our bound, far above any name that a server has a use for. */
export const PARAMETER_HEADER_NAME_LIMIT = 128;

/**
 * Of all names and values of one call together: as much as one header may have, and half of what Node accepts in a
 * request, so that the protocol's own headers and a token still fit.
 */
export const PARAMETER_HEADERS_LIMIT: number = HEADER_LIMITS.valueLength;

const PREFIX = "mcp-param-";
const PATH_LIMIT = 256;

/**
 * Makes the headers of one call: each declared argument that is there and not `null`, and nothing else. Refuses an
 * argument that cannot be put into a header as the specification writes it, with its place and without its value.
 */
export function parameterHeaders(
  declared: readonly ParameterHeader[],
  args: JsonObject,
): Outcome<readonly HeaderPair[], SchemaMismatch> {
  const headers: HeaderPair[] = [];
  let length = 0;
  for (const { name, path, type } of declared) {
    const value = argumentAt(path, args);
    if (value === undefined || value === null) continue;
    const text = textOf(value, type);
    if (text === undefined) return refuse(mismatch(path, EXPECTED[type]));
    const header = [PREFIX + name.toLowerCase(), encodeHeaderText(text)] as const;
    length += header[0].length + header[1].length;
    if (length > PARAMETER_HEADERS_LIMIT) return refuse(mismatch(path, TOO_LONG));
    headers.push(header);
  }
  return accept(headers);
}

const EXPECTED: Readonly<Record<ParameterHeaderType, string>> = {
  string: "type string",
  integer: "an integer between -9007199254740991 and 9007199254740991, since it is sent in a header",
  boolean: "type boolean",
};

const TOO_LONG = `less text, since it is sent in a header: ${PARAMETER_HEADERS_LIMIT} bytes for all of them`;

function argumentAt(path: readonly string[], args: JsonObject): unknown {
  let value: unknown = args;
  for (const key of path) value = isJsonObject(value) ? own(value, key) : undefined;
  return value;
}

function textOf(value: unknown, type: ParameterHeaderType): string | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? String(value) : undefined;
    case "integer":
      // Beyond this range the decimal text is not the number any more.
      return Number.isSafeInteger(value) ? String(value) : undefined;
  }
}

function mismatch(path: readonly string[], expected: string): SchemaMismatch {
  const pointer = path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { path: cleanText(pointer, PATH_LIMIT).text, expected };
}
