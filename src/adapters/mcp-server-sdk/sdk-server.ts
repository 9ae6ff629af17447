import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
  type jsonSchemaValidator,
} from "@modelcontextprotocol/server";

import { describeServedCatalogRefusal } from "../../domain/serve/refusal-text.ts";
import type { ServedAgent, ServedCall } from "../../ports/served-agent.ts";
import { callResult } from "./answer.ts";
import { askingOf, roundOf } from "./client-ask.ts";

/** One official server, of one connection or one request. */
export type AgentMcpServer = Server;

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
}

export interface SdkServerOptions {
  readonly identity: ServerIdentity;
  readonly agent: ServedAgent;
  /** Whose requests these are: states of rounds are bound to it. */
  readonly caller: string;
  /** Whether an invocation may ask the client at all (R10). */
  readonly askClient: boolean;
  /** Whether the carrier has a way to the client while a call runs, besides its answer. */
  readonly hasWayBack: boolean;
  /** Whether the client does not keep up with reading. Progress is a hint, and not kept for it. Left out: the carrier sees to it. */
  readonly isBehind?: () => boolean;
  /** Whether a client can hear of a changed list. */
  readonly tellsChanges: boolean;
}

/** Nothing here asks the SDK to validate, and its own validator costs a compiler an instance. */
const NO_VALIDATION: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not validated" }),
};

/**
 * Makes a server that answers for a session, and is used for one connection or request alone (R3b). It has tools and
 * nothing else; no text of a thrown error leaves it.
 */
export function createSdkServer(options: SdkServerOptions): AgentMcpServer {
  const { identity, agent, hasWayBack } = options;
  const listChanged = options.tellsChanges && agent.onToolsChanged !== undefined;
  const server = new Server(identity, {
    capabilities: { tools: listChanged ? { listChanged } : {} },
    jsonSchemaValidator: NO_VALIDATION,
    inputRequired: { legacyShim: false },
    debouncedNotificationMethods: ["notifications/tools/list_changed"],
  });
  server.setRequestHandler("tools/list", async (_request, { mcpReq }) => ({
    tools: await listTools(agent, mcpReq.signal),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { _meta: meta, signal } = context.mcpReq;
    const progress = progressOf(context, options);
    const round = roundOf(context);
    const served = await agent.call({
      toolName: params.name,
      args: params.arguments ?? {},
      caller: options.caller,
      meta,
      signal,
      asking: options.askClient ? askingOf(context, { server, canAskDuring: hasWayBack }) : { kind: "none" },
      ...(round !== undefined && { round }),
      ...(progress !== undefined && { onProgress: progress.tell }),
    });
    await progress?.told();
    return callResult(served, server);
  });
  return server;
}

/**
 * Tells the client of changed tools for as long as it is connected: before 2026-07-28 the client at large, from then on
 * its subscriptions; the SDK knows which. `onClose` is called when it is not connected any more.
 */
export function tellChanges(
  server: AgentMcpServer,
  { agent, onClose }: { readonly agent: ServedAgent; readonly onClose?: () => void },
): void {
  const stop = agent.onToolsChanged?.(() => {
    server.sendToolListChanged().catch(() => undefined); // Nobody is connected yet, or any more: nobody to tell.
  });
  // A callback of the SDK's, not an event target's.
  Object.assign(server, {
    onclose: () => {
      stop?.();
      onClose?.();
    },
  });
}

async function listTools(agent: ServedAgent, signal: AbortSignal): Promise<Tool[]> {
  const listed = await agent.listTools({ signal });
  if (!listed.ok) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeServedCatalogRefusal(listed.refusal));
  }
  const tools: unknown = listed.value;
  // `as`: written out unchanged (R2); the SDK's type is what a client may rely on, and checks nothing here.
  return tools as Tool[];
}

interface ProgressTeller {
  readonly tell: NonNullable<ServedCall["onProgress"]>;
  /** Resolves when all of it is out: an answer ends the stream that it goes on. */
  readonly told: () => Promise<void>;
}

/** Passes progress on where the client sent a token for it. */
function progressOf(
  { mcpReq }: ServerContext,
  { isBehind }: Pick<SdkServerOptions, "isBehind">,
): ProgressTeller | undefined {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last: Promise<void> = Promise.resolve();
  return {
    tell: ({ progress, total, message }) => {
      if (!Number.isFinite(progress) || isBehind?.() === true) return;
      const params = {
        progressToken,
        progress,
        ...(Number.isFinite(total) && { total }),
        ...(typeof message === "string" && { message }),
      };
      const sent = mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
      last = Promise.all([last, sent]).then(() => undefined);
    },
    told: () => last,
  };
}
