import { isJsonObject } from "../json-value.ts";

export interface JsonTextOptions {
  /** Order of properties: as they came, or by UTF-16 units, so that equal values have equal texts. */
  readonly keys: "as-given" | "sorted";
  /** `lines`: a value a line, indented by two spaces a level, at most {@link INDENT_LIMIT} levels of them. */
  readonly layout: "compact" | "lines";
  /** UTF-16 units after which writing stops; what is written then is only a beginning. Default: no limit. */
  readonly limit?: number;
}

/* Deeper levels stand below each other: a server chooses the depth, and spaces must not multiply what it sent. */
const INDENT_LIMIT = 16;

/** A container that is being written. */
interface Open {
  readonly values: readonly unknown[];
  /** The written keys, with their colon; absent for a list. */
  readonly keys: readonly string[] | undefined;
  next: number;
}

/**
 * Writes a JSON value without recursion, so that no depth overflows: `JSON.stringify` throws where a server nests
 * some thousand lists. Linear in what is written, besides the sorting of keys. What JSON cannot hold is `null`.
 */
export function writeJson(value: unknown, options: JsonTextOptions): string {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const stack: Open[] = [];
  let text = writeStart(value, options, stack);
  for (let open = stack.at(-1); open !== undefined && text.length <= limit; open = stack.at(-1)) {
    const { values, keys, next } = open;
    if (next === values.length) {
      stack.pop();
      text += gap(options, stack.length) + (keys === undefined ? "]" : "}");
    } else {
      open.next += 1;
      text += (next === 0 ? "" : ",") + gap(options, stack.length) + (keys?.[next] ?? "");
      text += writeStart(values[next], options, stack);
    }
  }
  return text.slice(0, limit);
}

/** A whole scalar or empty container, or the opening of one that goes on the stack. */
function writeStart(value: unknown, options: JsonTextOptions, stack: Open[]): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    stack.push({ values: value, keys: undefined, next: 0 });
    return "[";
  }
  if (!isJsonObject(value)) return scalarText(value);
  const names = options.keys === "sorted" ? Object.keys(value).toSorted() : Object.keys(value);
  if (names.length === 0) return "{}";
  const colon = options.layout === "lines" ? ": " : ":";
  const keys = names.map((name) => JSON.stringify(name) + colon);
  stack.push({ values: names.map((name) => value[name]), keys, next: 0 });
  return "{";
}

function scalarText(value: unknown): string {
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number"
    ? JSON.stringify(value)
    : "null";
}

function gap({ layout }: JsonTextOptions, depth: number): string {
  return layout === "lines" ? `\n${"  ".repeat(Math.min(depth, INDENT_LIMIT))}` : "";
}
