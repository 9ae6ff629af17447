import type { Readable, Writable } from "node:stream";

import type { AgentMcpServer } from "../../adapters/mcp-server-sdk/sdk-server.ts";
import { createNodeBytePipe } from "../../adapters/node-streams/byte-pipe.ts";
import type { McpTransport } from "../flows/serve-transport.ts";
import { createPipeTransport, type ServeAgentOptions } from "../serve-agent.ts";

/**
 * Serves a session over stdio (R3): `attach` the session, `start`, `waitForClose`. Nothing but frames is written to
 * `stdout`; who prints there as well breaks the protocol.
 */
export function createMcpTransport(
  options: ServeAgentOptions & {
    /** Default: the process's own. */
    readonly stdin?: Readable;
    readonly stdout?: Writable;
  },
): McpTransport<AgentMcpServer> {
  const { stdin = process.stdin, stdout = process.stdout } = options;
  return createPipeTransport({ ...options, pipe: createNodeBytePipe({ stdin, stdout }) });
}
