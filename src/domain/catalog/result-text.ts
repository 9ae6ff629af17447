import type { CallResult, ContentPart, ResourceContents } from "./content-part.ts";
import { jsonText } from "../json-value.ts";
import { cleanText } from "./untrusted-text.ts";

/* What JSON.stringify can write without overflowing; a result itself is bounded by its carrier. */
const JSON_LIMITS = { depth: 256, values: 5_000_000, text: Number.POSITIVE_INFINITY };
const LABEL_LIMIT = 1024;

/**
 * Projects a result to text, for a terminal or a model without images and audio (K6). In the parts' order;
 * what text cannot hold is named with its type and size. Structured content is written as JSON where no text
 * says it (servers that send both repeat it). Hidden characters are removed (K9). A result that is kept elsewhere says so at
 * its end (K7).
 */
export function resultText(result: CallResult): string {
  const spoken = result.parts.some((part) => part.type === "text" && part.text !== "");
  const texts = result.parts.filter((part) => part.type !== "structured" || !spoken).map(partText);
  const { spilled } = result;
  if (spilled !== undefined) {
    texts.push(
      `[the result is cut here; all ${spilled.chars} characters of it are kept as ${spilled.reference}]`,
    );
  }
  return texts.join("\n");
}

/** Projects one part, by the same rules. */
export function partText(part: ContentPart): string {
  if (part.type === "text") return clean(part.text);
  if (part.type === "image" || part.type === "audio") {
    return `[${part.type} left out: ${label(part.mimeType)}, ${part.bytes} bytes]`;
  }
  if (part.type === "resource-link") {
    return `[resource link: ${[part.title ?? part.name, part.uri, part.mimeType].flatMap(labels).join(", ")}]`;
  }
  if (part.type === "embedded-resource") return resourceText(part.resource);
  if (part.type === "structured") return valueText(part.value);
  const source = part.sourceType === "" ? "" : `, type ${JSON.stringify(part.sourceType)}`;
  return part.type === "unknown"
    ? `[content left out: not known here${source}]`
    : `[content left out: malformed, ${part.reason}${source}]`;
}

/** Projects a resource: its text, or what kind of bytes were left out. */
export function resourceText(resource: ResourceContents): string {
  if (resource.body.kind === "text") return clean(resource.body.text);
  const facts = [resource.uri, resource.mimeType].flatMap(labels).join(", ");
  return `[resource left out: ${facts}, ${resource.body.bytes} bytes]`;
}

function valueText(value: unknown): string {
  const text = jsonText(value, JSON_LIMITS);
  return text === undefined ? "[structured content left out: nested too deeply]" : clean(text);
}

function clean(text: string): string {
  return cleanText(text, Number.POSITIVE_INFINITY).text;
}

function labels(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : [label(text)];
}

/* One line: a link's name must not look like a line of the result. */
function label(text: string): string {
  return cleanText(text, LABEL_LIMIT).text.replaceAll(/[\n\t]+/g, " ");
}
