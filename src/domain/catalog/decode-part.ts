import type { ContentPart, MalformedReason, ResourceContents } from "./content-part.ts";
import { base64Bytes } from "./base64.ts";
import { isJsonObject, own } from "./json-value.ts";
import type { JsonObject } from "./json-value.ts";
import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import { cleanText } from "./untrusted-text.ts";

const SOURCE_TYPE_LIMIT = 64;

/** Decodes one content block. Never throws: a malformed block becomes a part that says what is wrong. */
export function decodePart(raw: unknown): ContentPart {
  if (!isJsonObject(raw)) return malformed("not-an-object", "");
  const type = own(raw, "type");
  if (typeof type !== "string") return malformed("type-missing", "");
  switch (type) {
    case "text":
      return decodeText(raw);
    case "image":
    case "audio":
      return decodeMedia(raw, type);
    case "resource_link":
      return decodeLink(raw);
    case "resource":
      return decodeEmbedded(raw);
    default:
      return { type: "unknown", sourceType: shown(type), value: raw };
  }
}

function decodeText(raw: JsonObject): ContentPart {
  const text = own(raw, "text");
  return typeof text === "string" ? { type: "text", text } : malformed("text-missing", "text");
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

function decodeLink(raw: JsonObject): ContentPart {
  const uri = textOf(raw, "uri");
  if (uri === undefined) return malformed("uri-missing", "resource_link");
  return {
    type: "resource-link",
    uri,
    name: textOf(raw, "name"),
    title: textOf(raw, "title"),
    description: textOf(raw, "description"),
    mimeType: textOf(raw, "mimeType"),
  };
}

function decodeEmbedded(raw: JsonObject): ContentPart {
  const resource = decodeResource(own(raw, "resource"));
  return resource.ok
    ? { type: "embedded-resource", resource: resource.value }
    : malformed(resource.refusal, "resource");
}

/** Decodes the contents of one resource, embedded or read. */
export function decodeResource(raw: unknown): Outcome<ResourceContents, MalformedReason> {
  if (!isJsonObject(raw)) return refuse("resource-missing");
  const uri = textOf(raw, "uri");
  if (uri === undefined) return refuse("uri-missing");
  const mimeType = textOf(raw, "mimeType");
  const text = own(raw, "text");
  if (typeof text === "string") return accept({ uri, mimeType, body: { kind: "text", text } });
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

function shown(type: string): string {
  return cleanText(type, SOURCE_TYPE_LIMIT).text;
}
