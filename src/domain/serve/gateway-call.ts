import type { CatalogTool } from "../catalog/catalog.ts";
import { parseTraceContext, type TraceContext } from "../http/trace.ts";
import { objectFrom, own, type JsonObject } from "../json-value.ts";
import type { AgentTool } from "./agent.ts";

/**
 * A tool of the catalog as a client of the gateway lists it (R11). Without its output schema: a result that is too large comes as
 * its beginning, one that misses the schema comes with a note (K7, K8), and clients that check would throw both away.
 */
export function gatewayTool({ name, title, description, inputSchema, annotations }: CatalogTool): AgentTool {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** SEP-414: where a caller's trace travels in `_meta`. `baggage` is free text about the caller, and no server's business. */
const TRACE_KEYS: ReadonlySet<string> = new Set(["traceparent", "tracestate", "baggage"]);

/** What of a caller's `_meta` goes on to a server. A trace goes apart, as only origins that the host listed may see it (H5). */
export function gatewayMeta(meta: JsonObject | undefined): {
  readonly meta?: JsonObject;
  readonly trace?: TraceContext;
} {
  if (meta === undefined) return {};
  const [parent, state] = [own(meta, "traceparent"), own(meta, "tracestate")];
  const trace = parseTraceContext(textOf(parent), textOf(state));
  const kept = Object.entries(meta).filter(([key]) => !TRACE_KEYS.has(key));
  return {
    ...(kept.length > 0 && { meta: objectFrom(kept) }),
    ...(trace !== undefined && { trace }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
