import type { McpRequestHandler } from "../adapters/mcp-server-sdk/request-handler.ts";
import type { AgentMcpServer } from "../adapters/mcp-server-sdk/sdk-server.ts";
import { createWebBytePipe } from "../adapters/web-platform/byte-pipe.ts";
import { createWebClock } from "../adapters/web-platform/clock.ts";
import { createWebRandom } from "../adapters/web-platform/random.ts";
import { McpServeError } from "../domain/serve/serve-error.ts";
import { DEFAULT_SUBMIT_TOOL, type SubmitToolName } from "../domain/serve/submit-tool.ts";
import type { AgentSession } from "../ports/agent-session.ts";
import type { BytePipe } from "../ports/byte-pipe.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { ServedAgent } from "../ports/served-agent.ts";
import { createServedAgent } from "./flows/serve.ts";
import { createServedTransport, type McpTransport } from "./flows/serve-transport.ts";

/** How a session is told to clients, and what it may ask them. */
export interface ServeAgentOptions {
  /** How the server names itself to clients. */
  readonly name: string;
  readonly version: string;
  /**
   * Renames the tool that submits a turn; `false` leaves it out. Default `agent_submit`, where the session takes turns.
   */
  readonly submitTool?: SubmitToolName | false;
  /** Lets an invocation ask the client it came from, where that client declared forms (R10). Default `false`. */
  readonly askClient?: boolean;
  /**
   * Invocations of the session at once; one more is answered `busy`. One whose client left counts until the session
   * ends it. Default 64.
   */
  readonly invocationsLimit?: number;
  /** Replace the runtime's clock and chance. */
  readonly clock?: Clock;
  readonly random?: Random;
}

const NEVER = new AbortController().signal;
/** As an HTTP listener bounds a body that it reads itself (R8). */
const BODY_LIMIT_BYTES = 1024 * 1024;

function agentOf(session: AgentSession, options: ServeAgentOptions): ServedAgent {
  const { submitTool, invocationsLimit, clock = createWebClock(), random = createWebRandom() } = options;
  if (invocationsLimit !== undefined && !(Number.isSafeInteger(invocationsLimit) && invocationsLimit > 0)) {
    throw misuse("limit-invalid");
  }
  if (submitTool !== undefined && submitTool !== false) {
    if (session.submit === undefined) throw misuse("session-takes-no-turns");
    if (submitTool.name === "") throw misuse("submit-tool-name-empty");
  }
  const submits = session.submit !== undefined && submitTool !== false;
  return createServedAgent({
    session,
    submitTool: submits ? (submitTool ?? DEFAULT_SUBMIT_TOOL) : undefined,
    clock,
    random,
    invocationsLimit,
  });
}

async function checkTools(agent: ServedAgent, signal: AbortSignal = NEVER): Promise<void> {
  const listed = await agent.listTools({ signal });
  if (!listed.ok) throw new McpServeError("catalog", listed.refusal);
}

function identityOf({ name, version }: ServeAgentOptions): {
  readonly name: string;
  readonly version: string;
} {
  return { name, version };
}

/**
 * Makes an official MCP server that answers for a session, for one connection of a transport of your own (R1, R2).
 * Rejects with an `McpServeError` when the session's tools cannot be served. Closing the server ends what runs for it.
 */
export async function createAgentMcpServer(
  options: ServeAgentOptions & { readonly session: AgentSession },
): Promise<AgentMcpServer> {
  const agent = agentOf(options.session, options);
  await checkTools(agent);
  const { createSdkServer, tellChanges } = await import("../adapters/mcp-server-sdk/sdk-server.ts");
  const server = createSdkServer({
    identity: identityOf(options),
    agent,
    caller: "connection",
    askClient: options.askClient === true,
    hasWayBack: true,
    tellsChanges: true,
  });
  tellChanges(server, { agent, onClose: () => agent.close() });
  return server;
}

/** A web handler over one session, and a look at its tools before anything is served. */
export interface AgentRequestHandler extends McpRequestHandler {
  /** Reads and checks the session's tools; rejects with an `McpServeError` when they cannot be served (R1). */
  checkTools(options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/**
 * Answers MCP over HTTP with web requests and responses, both eras, statelessly (R3b, R8). It authenticates nobody: a
 * gate in front of it decides who gets here, and names the caller.
 */
export function createMcpRequestHandler(
  options: ServeAgentOptions & {
    readonly session: AgentSession;
    /** In bytes, of a body that was not parsed before. Default 1 MiB. */
    readonly bodyLimitBytes?: number;
  },
): AgentRequestHandler {
  const agent = agentOf(options.session, options);
  let loaded: Promise<McpRequestHandler> | undefined;
  const load = async (): Promise<McpRequestHandler> => {
    const { createRequestHandler } = await import("../adapters/mcp-server-sdk/request-handler.ts");
    return createRequestHandler({
      identity: identityOf(options),
      agent,
      askClient: options.askClient === true,
      bodyLimitBytes: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    });
  };
  const handler = (): Promise<McpRequestHandler> => (loaded ??= load());
  return {
    checkTools: ({ signal } = {}) => checkTools(agent, signal),
    fetch: async (request, context) => (await handler()).fetch(request, context),
    close: async () => (await handler()).close(),
  };
}

/** The same over any pipe: what `createMcpTransport` of each entry point composes. */
export function createPipeTransport(
  options: ServeAgentOptions & { readonly pipe: BytePipe },
): McpTransport<AgentMcpServer> {
  const { pipe } = options;
  return createServedTransport({
    load: async () => {
      const { openStdioServing } = await import("../adapters/mcp-server-sdk/stdio-serving.ts");
      return () =>
        openStdioServing({ pipe, identity: identityOf(options), askClient: options.askClient === true });
    },
    agentOf: (session) => agentOf(session, options),
    clock: options.clock ?? createWebClock(),
  });
}

/**
 * Serves a session over two byte streams, newline-framed (R3). The streams are locked from here on, and never closed;
 * for Node's own streams see `createMcpTransport` of `sallyport/node`.
 */
export function createMcpTransport(
  options: ServeAgentOptions & {
    readonly stdin: ReadableStream<Uint8Array>;
    readonly stdout: WritableStream<Uint8Array>;
  },
): McpTransport<AgentMcpServer> {
  return createPipeTransport({ ...options, pipe: createWebBytePipe(options) });
}

function misuse(code: string): TypeError {
  return Object.assign(new TypeError(`a session cannot be served: ${code}`), { code });
}
