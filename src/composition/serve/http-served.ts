import type { HttpLimits } from "../../adapters/node-http/http-limits.ts";
import type { WebHandler } from "../../adapters/node-http/web-handler.ts";
import type { AgentSession } from "../../ports/agent-session.ts";
import { orAbandon } from "../flows/abandon.ts";
import { createMcpRequestHandler, type ServeAgentOptions } from "../serve-agent.ts";
import { httpLimits, misuse } from "./http-limits.ts";

/** What a listener itself takes. */
export interface ListeningOptions {
  /** 0–65,535. Default 0: a free one. */
  readonly port?: number;
  /** Each replaces one default (R8). */
  readonly limits?: Partial<HttpLimits>;
}

/** What both HTTP hosts take: the session, how it is told to clients, and the listener's bounds. */
export interface ServedOverHttp extends ServeAgentOptions, ListeningOptions {
  readonly session: AgentSession;
}

/** Throws a `TypeError` with the code `port-invalid`. */
export function portOf({ port = 0 }: ListeningOptions): number {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw misuse("port-invalid");
  return port;
}

/**
 * What makes the handler of a session when its host starts. Misuse throws at once; a catalog that cannot be served
 * rejects the start with an `McpServeError`, and nothing has listened (R1).
 */
export function handlerOf(options: ServedOverHttp): (signal: AbortSignal) => Promise<WebHandler> {
  const { bodyLimitBytes } = httpLimits(options.limits);
  const handler = createMcpRequestHandler({ ...options, bodyLimitBytes });
  return async (signal) => {
    try {
      // A session need not listen to a signal, and a stop waits for nobody.
      await orAbandon(handler.checkTools({ signal }), signal);
      return handler;
    } catch (error) {
      await handler.close();
      throw error;
    }
  };
}
