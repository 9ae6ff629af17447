import { serveStdio } from "@modelcontextprotocol/server/stdio";

import type { AgentConnection, ConnectionClose } from "../../ports/agent-connection.ts";
import type { BytePipe } from "../../ports/byte-pipe.ts";
import { type AgentMcpServer, createSdkServer, type ServerIdentity, tellChanges } from "./sdk-server.ts";
import { readStdioInput } from "./stdio-input.ts";
import { STDIO_SERVE_LIMITS, type StdioServeLimits } from "./stdio-limits.ts";
import { createStdioOutput } from "./stdio-output.ts";
import { createStdioWire } from "./stdio-wire.ts";

export interface StdioServingOptions {
  readonly pipe: BytePipe;
  readonly identity: ServerIdentity;
  readonly askClient: boolean;
  /** Each replaces one default. */
  readonly limits?: Partial<StdioServeLimits>;
}

/** One connection has one client. */
const CALLER = "stdio";

/** Opens the connection over a pipe: frames in, frames out, both eras by the first message (R3). */
export function openStdioServing(options: StdioServingOptions): AgentConnection<AgentMcpServer> {
  const { pipe, identity, askClient } = options;
  const limits = { ...STDIO_SERVE_LIMITS, ...options.limits };
  const reading = new AbortController();
  let server: AgentMcpServer | undefined;
  let handle: { close(): Promise<void> } | undefined;
  let isOver = false;
  const { promise: closed, resolve: settle } = Promise.withResolvers<ConnectionClose>();

  const end = async (why: ConnectionClose): Promise<void> => {
    if (isOver) return;
    isOver = true;
    stopListening();
    reading.abort();
    output.letGo(); // A client that does not read must not keep us from stopping.
    await handle?.close();
    output.close();
    await input.ended; // Nobody reads the stream any more: the next one may.
    settle(why);
  };

  const output = createStdioOutput(pipe, {
    limitBytes: limits.waitingBytes,
    onFailed: () => void end("output-failed"),
  });
  const input = readStdioInput(pipe, { limits, signal: reading.signal, hasRoom: () => output.hasRoom() });
  const stopListening = pipe.onOutputEnd(() => void end("output-failed"));
  void input.ended.then((why) => end(why));

  return {
    serve: (agent) => {
      if (isOver) return;
      const wire = createStdioWire({ input, output, limits });
      const make = (): AgentMcpServer => {
        server = createSdkServer({
          identity,
          agent,
          caller: CALLER,
          askClient,
          hasWayBack: true,
          tellsChanges: true,
        });
        tellChanges(server, { agent });
        return server;
      };
      handle = serveStdio(make, { transport: wire, maxSubscriptions: limits.subscriptions });
    },
    server: () => server,
    closed,
    stop: async () => {
      void end("stopped");
      await closed;
    },
  };
}
