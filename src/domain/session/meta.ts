import { isJsonObject, type JsonObject } from "../json-value.ts";

/** Keys under it say who speaks, in which revision, with which capabilities (2026-07-28, `_meta`). */
const RESERVED_PREFIX = "io.modelcontextprotocol/";

/**
 * Drops what a caller may not say about this client from request parameters (C6b): the official client
 * would let a caller's `_meta` win over its own identity. The progress token is the client's, too.
 */
export function stripReservedMeta(params: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = params;
  if (!isJsonObject(meta)) return rest;
  const kept = Object.entries(meta).filter(
    ([key]) => !key.startsWith(RESERVED_PREFIX) && key !== "progressToken",
  );
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

const CLIENT_CAPABILITIES = `${RESERVED_PREFIX}clientCapabilities`;

/**
 * Says with one request of 2026-07-28 what this client can do for that request, where that is less than it declared:
 * who made it cannot be asked, say (C7). After {@link stripReservedMeta}.
 */
export function declareFor(params: JsonObject, capabilities: JsonObject): JsonObject {
  const { _meta: meta } = params;
  return { ...params, _meta: { ...(isJsonObject(meta) && meta), [CLIENT_CAPABILITIES]: capabilities } };
}
