import type { PinPolicy } from "../../domain/activation/pins.ts";
import { passesFilter } from "../../domain/catalog/tool-filter.ts";
import { catalogName } from "../../domain/catalog/tool-name.ts";
import type { ToolFilter } from "../../domain/definition/definition.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { orAbandon } from "../flows/abandon.ts";
import type { McpSession, SessionCallFailure } from "../flows/mcp-session.ts";
import type { CatalogReader } from "./catalog-reader.ts";

export interface SessionRules {
  readonly reader: CatalogReader;
  readonly policy: PinPolicy;
  readonly filterOf: (serverId: string) => ToolFilter;
}

/**
 * Makes the sessions that a host hands out hold what its own calls hold: a tool that the definition leaves out is not
 * called (D5), and under `hold` none but those that the catalog has, once its list was held against the pins (A7). Each
 * session is guarded once, so that callers who share one go on sharing it.
 */
export function createSessionGuard(rules: SessionRules): (session: McpSession) => McpSession {
  const guarded = new WeakMap<McpSession, McpSession>();
  return (session) => {
    const already = guarded.get(session);
    if (already !== undefined) return already;
    const callTool: McpSession["callTool"] = async (sourceName, args, options) => {
      const allowed = await mayCall(session, { sourceName, signal: options?.signal }, rules);
      return allowed.ok ? session.callTool(sourceName, args, options) : allowed;
    };
    const made: McpSession = Object.create(session, Object.getOwnPropertyDescriptors({ callTool }));
    guarded.set(session, made);
    return made;
  };
}

async function mayCall(
  session: McpSession,
  { sourceName, signal }: { readonly sourceName: string; readonly signal: AbortSignal | undefined },
  { reader, policy, filterOf }: SessionRules,
): Promise<Outcome<true, SessionCallFailure>> {
  const filter = filterOf(session.serverId);
  if (!passesFilter(filter, sourceName)) return unknownTool();
  if (policy !== "hold") return accept(true);
  let listed = await orAbandon(reader.of(session, { filter, kinds: ["tools"] }), signal);
  // The server made a new session meanwhile (H3c), and that one was held against nothing yet.
  while (listed.identity !== session.identity) {
    listed = await orAbandon(reader.of(session, { filter, kinds: ["tools"] }), signal);
  }
  const hold = listed.held.get(catalogName(session.serverId, "tool", sourceName));
  if (hold !== undefined) return refuse({ refusal: { kind: "call", reason: "tool-held", hold } });
  if (listed.catalog.tools.some((tool) => tool.sourceName === sourceName)) return accept(true);
  // What is not in the list was never held against anything; where the list failed, it may still be there.
  return listed.toolsFailure === undefined ? unknownTool() : refuse(listed.toolsFailure);
}

function unknownTool(): Outcome<never, SessionCallFailure> {
  return refuse({ refusal: { kind: "call", reason: "unknown-tool" } });
}
