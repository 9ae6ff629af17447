import { sha256Hex } from "../sha256.ts";
import { writeJson } from "./json-text.ts";
import { objectFrom, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";

/* All that a person or a model is told of a tool, and all that a call is checked against (A7). */
const COVERED = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/**
 * Digests a tool as its server sent it (A7): SHA-256, 64 hex digits. The raw item counts, not what was admitted of it,
 * so that no character that cleaning removes and no keyword that narrowing gives up can change unseen. The order of
 * keys does not count, anything else under the covered keys does; other keys (`_meta`, `icons`) are not covered.
 */
export function toolDigest(item: JsonObject): string {
  const text = writeJson(coveredPart(item), { keys: "sorted", layout: "compact" });
  return sha256Hex(`sallyport-tool-1 ${text}`);
}

function coveredPart(item: JsonObject): JsonObject {
  const present = COVERED.filter((key) => own(item, key) !== undefined);
  return objectFrom(present.map((key) => [key, own(item, key)]));
}
