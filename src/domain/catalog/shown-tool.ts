import { escapeForDisplay } from "../display-text.ts";
import { writeJson } from "./json-text.ts";
import { own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { cutText } from "./untrusted-text.ts";

/** UTF-16 units that are kept of a tool for people. A change beyond is told as such. */
export const SHOWN_TOOL_LIMIT = 16_384;

/* Most texts: printable ASCII, and no backslash that could be read as an escape. */
const PLAIN = /^[\n\x20-\x5B\x5D-\x7E]*$/;

const PARTS = [
  ["title", "title"],
  ["description", "description"],
  ["annotations", "annotations"],
  ["inputSchema", "input schema"],
  ["outputSchema", "output schema"],
] as const;

/**
 * Shows a raw tool in lines, to be kept and compared by a person (A7): every line names or indents, hidden characters
 * are written as `\u{…}` and not removed, since they may be the change. Keys are sorted. `mask` takes the definition's own
 * secrets out, which a server may say back. At most {@link SHOWN_TOOL_LIMIT}.
 */
export function shownTool(item: JsonObject, mask: (text: string) => string): string {
  const text = PARTS.flatMap(([key, label]) => partLines(label, own(item, key))).join("\n");
  // Escaping goes last: it must not split what masking looks for. It would escape the line ends too.
  const masked = mask(text);
  const shown = PLAIN.test(masked) ? masked : masked.split("\n").map(escapeForDisplay).join("\n");
  return cutText(shown, SHOWN_TOOL_LIMIT);
}

function partLines(label: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  const limit = SHOWN_TOOL_LIMIT;
  const text =
    typeof value === "string"
      ? cutText(value, limit)
      : writeJson(value, { keys: "sorted", layout: "lines", limit });
  const lines = text.split("\n");
  return lines.length === 1 ? [`${label}: ${text}`] : [`${label}:`, ...lines.map((line) => `  ${line}`)];
}
