import { admitText, bucketFor } from "./admit-text.ts";
import type { Reasons } from "./admit-text.ts";
import type { CatalogPrompt, CatalogResource } from "./catalog.ts";
import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { catalogName } from "./tool-name.ts";

const ARGUMENT_LIMIT = 256;
const ARGUMENT_NAME_LIMIT = 1024;

export interface ItemOrigin {
  readonly serverId: string;
  /** The prompt's name, or the resource's URI. */
  readonly sourceName: string;
}

/** Admits one prompt of a raw list, whose name has been checked already. Arguments that are none are dropped. */
export function admitPrompt(item: JsonObject, origin: ItemOrigin): CatalogPrompt {
  const { serverId, sourceName } = origin;
  const reasons: Reasons = [];
  const name = catalogName(serverId, "prompt", sourceName);
  if (!name.endsWith(`__${sourceName}`)) reasons.push({ reason: "name-altered", path: "/name" });
  const title = admitText(item, "title", reasons);
  const description = admitText(item, "description", reasons);
  const admitted = admitArguments(own(item, "arguments"), reasons);
  const bucket = bucketFor(reasons);
  return { name, serverId, sourceName, bucket, reasons, title, description, arguments: admitted };
}

function admitArguments(raw: unknown, reasons: Reasons): CatalogPrompt["arguments"] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) {
    reasons.push({ reason: "argument-dropped", path: "/arguments" });
    return [];
  }
  const seen = new Set<string>();
  return raw.flatMap((argument: unknown, index) => {
    const name = isJsonObject(argument) ? own(argument, "name") : undefined;
    const usable = typeof name === "string" && name !== "" && name.length <= ARGUMENT_NAME_LIMIT;
    if (!isJsonObject(argument) || !usable || seen.has(name) || seen.size >= ARGUMENT_LIMIT) {
      /* One reason for everything beyond the limit: it is the list that is too long. */
      if (index <= ARGUMENT_LIMIT) reasons.push({ reason: "argument-dropped", path: `/arguments/${index}` });
      return [];
    }
    seen.add(name);
    const texts: Reasons = [];
    const description = admitText(argument, "description", texts);
    reasons.push(...texts.map(({ reason, path }) => ({ reason, path: `/arguments/${index}${path ?? ""}` })));
    return [{ name, description, required: own(argument, "required") === true }];
  });
}

/**
 * Admits one resource or resource template of a raw list, whose URI has been checked already. Its catalog
 * name is made of the URI: names of resources repeat within a server, URIs do not.
 */
export function admitResource(
  item: JsonObject,
  origin: ItemOrigin & { readonly kind: "resource" | "template" },
): CatalogResource {
  const { serverId, sourceName: uri, kind } = origin;
  const reasons: Reasons = [];
  const sourceName = admitText(item, "name", reasons) ?? "";
  const title = admitText(item, "title", reasons);
  const description = admitText(item, "description", reasons);
  const mimeType = admitText(item, "mimeType", reasons);
  const name = catalogName(serverId, kind, uri);
  const bucket = bucketFor(reasons);
  return { kind, name, serverId, sourceName, bucket, reasons, uri, title, description, mimeType };
}
