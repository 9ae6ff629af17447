import type { ContentPart, MalformedReason, ResourceContents } from "./content-part.ts";
import { base64Bytes } from "./base64.ts";
import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import { cleanText } from "./untrusted-text.ts";

const SOURCE_TYPE_LIMIT = 64;

/** What was done to texts while decoding (K9), each word once. */
export type TextNotes = Set<"text-cleaned" | "text-cut">;

/** Decodes one content block. Never throws: a malformed block becomes a part that says what is wrong. */
export function decodePart(raw: unknown, notes: TextNotes): ContentPart {
  if (!isJsonObject(raw)) return malformed("not-an-object", "");
  const type = own(raw, "type");
  if (typeof type !== "string") return malformed("type-missing", "");
  switch (type) {
    case "text":
      return decodeText(raw, notes);
    case "image":
    case "audio":
      return decodeMedia(raw, type);
    case "resource_link":
      return decodeLink(raw, notes);
    case "resource":
      return decodeEmbedded(raw, notes);
    default:
      return { type: "unknown", sourceType: shown(type), value: raw };
  }
}

function decodeText(raw: JsonObject, notes: TextNotes): ContentPart {
  const text = own(raw, "text");
  return typeof text === "string"
    ? { type: "text", ...cleaned(text, notes) }
    : malformed("text-missing", "text");
}

/* Content is cleaned and kept: hidden characters must not steer a model, and a file must stay what it is. */
function cleaned(raw: string, notes: TextNotes): { readonly text: string; readonly raw?: string } {
  const { text, changed } = cleanText(raw, Number.POSITIVE_INFINITY);
  if (changed.length === 0) return { text };
  notes.add("text-cleaned");
  return { text, raw };
}

function decodeMedia(raw: JsonObject, type: "image" | "audio"): ContentPart {
  const data = own(raw, "data");
  const mimeType = textOf(raw, "mimeType");
  if (typeof data !== "string") return malformed("data-missing", type);
  const bytes = base64Bytes(data);
  if (bytes === undefined) return malformed("data-not-base64", type);
  if (mimeType === undefined) return malformed("mime-type-missing", type);
  return { type, mimeType, base64: data, bytes };
}

function decodeLink(raw: JsonObject, notes: TextNotes): ContentPart {
  const uri = textOf(raw, "uri");
  if (uri === undefined) return malformed("uri-missing", "resource_link");
  return {
    type: "resource-link",
    uri,
    name: labelOf(raw, "name", notes),
    title: labelOf(raw, "title", notes),
    description: labelOf(raw, "description", notes),
    mimeType: textOf(raw, "mimeType"),
  };
}

function decodeEmbedded(raw: JsonObject, notes: TextNotes): ContentPart {
  const resource = decodeResource(own(raw, "resource"), notes);
  return resource.ok
    ? { type: "embedded-resource", resource: resource.value }
    : malformed(resource.refusal, "resource");
}

/** Decodes the contents of one resource, embedded or read. */
export function decodeResource(raw: unknown, notes: TextNotes): Outcome<ResourceContents, MalformedReason> {
  if (!isJsonObject(raw)) return refuse("resource-missing");
  const uri = textOf(raw, "uri");
  if (uri === undefined) return refuse("uri-missing");
  const mimeType = textOf(raw, "mimeType");
  const text = own(raw, "text");
  if (typeof text === "string")
    return accept({ uri, mimeType, body: { kind: "text", ...cleaned(text, notes) } });
  const blob = own(raw, "blob");
  if (typeof blob !== "string") return refuse("body-missing");
  const bytes = base64Bytes(blob);
  if (bytes === undefined) return refuse("data-not-base64");
  return accept({ uri, mimeType, body: { kind: "blob", base64: blob, bytes } });
}

export function malformed(reason: MalformedReason, sourceType: string): ContentPart {
  return { type: "malformed", reason, sourceType };
}

function textOf(raw: JsonObject, key: string): string | undefined {
  const value = own(raw, key);
  return typeof value === "string" ? value : undefined;
}

function labelOf(raw: JsonObject, key: string, notes: TextNotes): string | undefined {
  const value = textOf(raw, key);
  if (value === undefined) return undefined;
  const { text, changed } = cleanText(value);
  if (changed.some((change) => change !== "cut")) notes.add("text-cleaned");
  if (changed.includes("cut")) notes.add("text-cut");
  return text;
}

function shown(type: string): string {
  return cleanText(type, SOURCE_TYPE_LIMIT).text;
}
