import { cleanText } from "../../domain/catalog/untrusted-text.ts";
import type { AgentOutcome, AgentTool } from "../../domain/serve/agent.ts";
import { gatewayMeta, gatewayTool } from "../../domain/serve/gateway-call.ts";
import { gatewayFailure, isServerInDoubt } from "../../domain/serve/gateway-failure.ts";
import { gatewayOutcome } from "../../domain/serve/gateway-result.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import type { AgentSession, InvocationOptions } from "../../ports/agent-session.ts";
import type { Ask } from "../../ports/ask.ts";
import type { Clock } from "../../ports/clock.ts";
import { createSystemClock } from "../../adapters/system/clock.ts";
import type { ToolCallOptions } from "../host/call-by-name.ts";
import type { McpHost } from "../host/mcp-host.ts";
import { createGatewayCatalog, type GatewayCatalog, type ServerNotice } from "./gateway-catalog.ts";

export type { ServerNotice };

export interface GatewayOptions {
  /** Is told once when a server comes up, goes down, or is not approved any more. Default: nobody is told. */
  readonly onServer?: (notice: ServerNotice) => void;
  /** How long listing waits for servers that start. Milliseconds; default 8,000. */
  readonly patienceMs?: number;
  readonly clock?: Clock;
}

/** What a gateway asks of its host. */
export type GatewayHost = Pick<
  McpHost,
  "servers" | "catalog" | "call" | "onCatalogChanged" | "onConnectionChanged"
>;

/** The whole approved catalog of a host, as one session to serve (R11). */
export interface GatewaySession extends AgentSession {
  onToolsChanged(listener: () => void): () => void;
  /** Looks at what is approved now, after `host.reload()`. Servers that came are read, those that went are left out. */
  refresh(): void;
  /** Stops reading. The host stays open: it is the caller's. Idempotent. */
  close(): void;
}

/** A progress message is one line beside a bar; the rest of it is left out. */
const PROGRESS_LIMIT_CHARS = 1_024;

/**
 * Makes a session of a host's catalog: every tool of every approved server under its catalog name, called through
 * `host.call`, so that approvals, pins, narrowing, result sizes and audit hold as for any caller. Contacts nobody before
 * the first list. A server that is slow or down costs its own tools, and comes in by `onToolsChanged`.
 */
export function createGatewaySession(host: GatewayHost, options: GatewayOptions = {}): GatewaySession {
  const { onServer, patienceMs, clock = createSystemClock() } = options;
  const catalog = createGatewayCatalog({
    host,
    clock,
    ...(onServer !== undefined && { onServer }),
    ...(patienceMs !== undefined && { patienceMs }),
  });
  const shown = new WeakMap<object, readonly AgentTool[]>();
  return {
    tools: async ({ signal }) => {
      const tools = await catalog.tools({ signal });
      const list = shown.get(tools) ?? [...tools.values()].map((tool) => gatewayTool(tool));
      shown.set(tools, list);
      return list;
    },
    invoke: (toolName, args, call) => invoke({ toolName, args, call }, { host, catalog }),
    onToolsChanged: (listener) => catalog.onChanged(listener),
    refresh: () => catalog.refresh(),
    close: () => catalog.close(),
  };
}

async function invoke(
  {
    toolName,
    args,
    call,
  }: { readonly toolName: string; readonly args: JsonObject; readonly call: InvocationOptions },
  { host, catalog }: { readonly host: Pick<McpHost, "call">; readonly catalog: GatewayCatalog },
): Promise<AgentOutcome> {
  const { signal } = call;
  try {
    const answer = await host.call(toolName, args, callOptions(call));
    if (answer.ok) return gatewayOutcome(answer.value);
    if (isServerInDoubt(answer.refusal.refusal)) catalog.doubt(toolName);
    return gatewayFailure(answer.refusal);
  } catch {
    // An abort, or a fault of the machine whose words are no caller's.
    return { status: signal.aborted ? "cancelled" : "failed" };
  }
}

function callOptions({ signal, ask, onProgress, meta }: InvocationOptions): ToolCallOptions {
  return {
    signal,
    ...gatewayMeta(meta),
    ...(ask !== undefined && { ask: asking(ask) }),
    ...(onProgress !== undefined && {
      onProgress: ({ progress, total, message }) =>
        onProgress({
          progress,
          ...(total !== undefined && { total }),
          ...(message !== undefined && { message: cleanText(message, PROGRESS_LIMIT_CHARS).text }),
        }),
    }),
  };
}

/** A server's form goes to the client that made this very call, under the name of the server in the configuration. */
function asking(ask: NonNullable<InvocationOptions["ask"]>): Ask {
  return async ({ serverId, form }, options) => {
    const answer = await ask({ kind: "form", from: serverId, form }, options);
    return answer.kind === "form" ? answer.answer : { action: "cancel" };
  };
}
