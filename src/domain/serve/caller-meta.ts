import { isJsonObject, objectFrom, type JsonObject } from "../json-value.ts";

/** A label that keeps a prefix to the protocol itself, wherever it stands (MCP, `_meta`: `io.modelcontextprotocol/`, `mcp.dev/`). */
const RESERVED_LABEL = /^(?:modelcontextprotocol|mcp)$/i;

function isReserved(key: string): boolean {
  const slash = key.indexOf("/");
  if (slash < 0) return key === "progressToken";
  return key
    .slice(0, slash)
    .split(".")
    .some((label) => RESERVED_LABEL.test(label));
}

/**
 * What of a `_meta` may cross between a caller and a session: neither keys that the protocol keeps to itself nor the
 * progress token. Else a caller could speak to what is behind the session in our name, and a session to the caller.
 */
export function withoutReservedKeys(meta: unknown): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined;
  const kept = Object.entries(meta).filter(([key]) => !isReserved(key));
  return kept.length === 0 ? undefined : objectFrom(kept);
}
