import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

/**
 * A Streamable HTTP server of the older era that can be taken down, with every socket and session, and put up again at
 * the same URL. Tools as in `fixtures/supervision/unsteady-server.mjs`.
 */
export class UnsteadyHttpServer {
  readonly #sessions = new Set<string>();
  readonly #streams = new Set<ServerResponse>();
  #server: Server | undefined;
  #port = 0;
  #revision = 0;
  #isOver = false;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  /** Nothing puts it up again: a test that failed in the middle of a round must still end. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.down();
  }

  async up(): Promise<void> {
    if (this.#isOver) return;
    const server = createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    this.#sessions.clear();
    this.#streams.clear();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    const session = request.headers["mcp-session-id"];
    if (request.method === "GET") return this.#stream(response);
    if (request.method === "DELETE") return void response.writeHead(200).end();
    const message = await readMessage(request);
    if (message === undefined) return;
    const { id, method } = message;
    if (method !== "initialize" && !(typeof session === "string" && this.#sessions.has(session))) {
      return void response.writeHead(404).end();
    }
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "initialize") response.setHeader("mcp-session-id", this.#newSession());
    const result = this.#answer(message);
    if (result === undefined) return;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }

  #newSession(): string {
    const session = randomUUID();
    this.#sessions.add(session);
    return session;
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }

  #push(method: string, params: object = {}): void {
    for (const stream of this.#streams) {
      stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
    }
  }

  #answer({ method, params }: Message): object | undefined {
    if (method === "initialize") {
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "unsteady", version: "1" },
      };
    }
    if (method === "tools/list") {
      const names = ["echo", "hang", "flood", "change"];
      return {
        tools: names.map((name) => ({
          name,
          description: name === "change" ? `revision ${this.#revision}` : name,
          inputSchema: { type: "object" },
        })),
      };
    }
    if (method === "tools/call") return this.#call(params?.name);
    return {};
  }

  #call(name: string | undefined): object | undefined {
    if (name === "hang") return undefined;
    if (name === "flood") {
      for (let count = 0; count < 500; count += 1)
        this.#push("notifications/message", { level: "info", data: count });
    }
    if (name === "change") {
      this.#revision += 1;
      this.#push("notifications/tools/list_changed");
    }
    return { content: [{ type: "text", text: String(name) }] };
  }
}

async function readMessage(request: IncomingMessage): Promise<Message | undefined> {
  let text = "";
  try {
    for await (const chunk of request) text += String(chunk);
    return JSON.parse(text) as Message;
  } catch {
    return undefined; // taken down in the middle of it
  }
}
