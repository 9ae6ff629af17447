import { PassThrough } from "node:stream";
import type { TestContext } from "node:test";

import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";

import { createMcpRequestHandler, type ServeAgentOptions } from "../../src/composition/serve-agent.ts";
import type { AgentRequestHandler } from "../../src/composition/serve-agent.ts";
import type { AgentSession } from "../../src/ports/agent-session.ts";

export type Era = "2025-11-25" | "2026-07-28";
export const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];

export const IDENTITY = { name: "served", version: "1.2.3" };

/** The official client for one era. */
export function clientOf(era: Era, options: ClientOptions = {}): Client {
  return new Client(
    { name: "test-client", version: "0.0.1" },
    { ...options, versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" } },
  );
}

/** A handler over a session, closed after the test. */
export function handlerOf(
  t: TestContext,
  session: AgentSession,
  options: Partial<ServeAgentOptions> = {},
): AgentRequestHandler {
  const handler = createMcpRequestHandler({ ...IDENTITY, ...options, session });
  t.after(() => handler.close());
  return handler;
}

/** Connects the official client to a handler in this process; no byte leaves it. */
export async function connectOverHttp(
  t: TestContext,
  handler: AgentRequestHandler,
  {
    era,
    caller = "somebody",
    client = clientOf(era),
  }: { readonly era: Era; readonly caller?: string; readonly client?: Client },
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL("http://served.test/mcp"), {
    fetch: (url, init) => {
      const request = new Request(url, init ?? {});
      return handler.fetch(request, { caller, signal: request.signal });
    },
  });
  await client.connect(transport);
  t.after(() => client.close());
  return client;
}

/** Both ends of two byte streams, as a process and its parent have them. */
export function createWires(): { readonly stdin: PassThrough; readonly stdout: PassThrough } {
  return { stdin: new PassThrough(), stdout: new PassThrough() };
}

/** The client's side of {@link createWires}, as a transport that counts what is no frame. */
export class LineTransport implements Transport {
  declare onclose?: Transport["onclose"];
  declare onerror?: Transport["onerror"];
  declare onmessage?: Transport["onmessage"];
  /** What a stdio transport of the SDK has, so that the client takes this one for a stdio too. */
  readonly stderr = null;
  readonly pid = 1;
  readonly received: JSONRPCMessage[] = [];
  readonly junk: string[] = [];
  #rest = "";
  readonly #wires: { readonly stdin: PassThrough; readonly stdout: PassThrough };

  constructor(wires: { readonly stdin: PassThrough; readonly stdout: PassThrough }) {
    this.#wires = wires;
  }

  start(): Promise<void> {
    this.#wires.stdout.on("data", (chunk: Buffer) => this.#take(chunk.toString("utf8")));
    this.#wires.stdout.on("end", () => this.onclose?.());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#wires.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#wires.stdin.end();
    this.onclose?.();
    return Promise.resolve();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      try {
        const message: JSONRPCMessage = JSON.parse(line);
        this.received.push(message);
        this.onmessage?.(message);
      } catch {
        this.junk.push(line);
      }
    }
  }
}
