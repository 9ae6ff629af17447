import { isJsonObject } from "./json-value.ts";

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

type Step = { readonly text: string } | { readonly value: unknown; readonly depth: number };

/**
 * Writes a JSON value without recursion, so that no depth overflows: `JSON.stringify` throws where a server nests
 * some thousand lists. Linear in what is written, besides the sorting of keys. What JSON cannot hold is `null`.
 */
export function writeJson(value: unknown, options: JsonTextOptions): string {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const pending: Step[] = [{ value, depth: 0 }];
  let text = "";
  for (let step = pending.pop(); step !== undefined && text.length <= limit; step = pending.pop()) {
    if ("text" in step) text += step.text;
    else if (typeof step.value === "object" && step.value !== null) {
      pushContainer(step.value, step.depth, { options, pending });
    } else text += scalarText(step.value);
  }
  return text.slice(0, limit);
}

function scalarText(value: unknown): string {
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number"
    ? JSON.stringify(value)
    : "null";
}

interface Writing {
  readonly options: JsonTextOptions;
  readonly pending: Step[];
}

/* Steps go on the stack last first. */
function pushContainer(value: object, depth: number, { options, pending }: Writing): void {
  const lines = options.layout === "lines";
  const within = depth + 1;
  const gap = lines ? `\n${"  ".repeat(Math.min(within, INDENT_LIMIT))}` : "";
  const end = lines ? `\n${"  ".repeat(Math.min(depth, INDENT_LIMIT))}` : "";
  const array = Array.isArray(value);
  const keys = array ? [] : keysOf(value, options);
  const children: readonly unknown[] = isJsonObject(value) ? keys.map((key) => value[key]) : listOf(value);
  const [open, close] = array ? ["[", "]"] : ["{", "}"];
  if (children.length === 0) {
    pending.push({ text: open + close });
    return;
  }
  pending.push({ text: end + close });
  for (let index = children.length - 1; index >= 0; index -= 1) {
    const key = array ? "" : `${JSON.stringify(keys[index])}:${lines ? " " : ""}`;
    pending.push({ value: children[index], depth: within });
    pending.push({ text: `${index === 0 ? "" : ","}${gap}${key}` });
  }
  pending.push({ text: open });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function keysOf(value: object, options: JsonTextOptions): readonly string[] {
  const keys = Object.keys(value);
  return options.keys === "sorted" ? keys.toSorted() : keys;
}
