import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** One request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; `undefined` where there was none. */
  readonly body: SeenBody | undefined;
}

export interface SeenBody {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface ScriptedServer {
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Resolves once `count` requests that fit have arrived. */
  seen(count: number, fits?: (request: SeenRequest) => boolean): Promise<readonly SeenRequest[]>;
}

export type Script = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** A real HTTP server on a free loopback port that answers what a test tells it to, and ends with the test. */
export async function startScriptedServer(t: TestContext, script: Script): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((message, response) => {
    // A response that is cut on purpose must not end the test process.
    response.on("error", () => undefined);
    void readRequest(message).then((request) => {
      requests.push(request);
      for (const check of waiting) check();
      return script(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    requests,
    seen(count, fits = () => true) {
      return new Promise((resolve) => {
        const check = (): void => {
          const fitting = requests.filter(fits);
          if (fitting.length < count) return;
          waiting.delete(check);
          resolve(fitting);
        };
        waiting.add(check);
        check();
      });
    },
  };
}

async function readRequest(message: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return {
    method: message.method ?? "",
    path: message.url ?? "",
    headers: message.headers,
    body: text === "" ? undefined : (JSON.parse(text) as SeenBody),
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

export function sendStatus(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, headers).end();
}

export function openStream(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  response.flushHeaders();
}

export function event(
  message: unknown,
  fields: { readonly id?: string; readonly retry?: number } = {},
): string {
  const id = fields.id === undefined ? "" : `id: ${fields.id}\n`;
  const retry = fields.retry === undefined ? "" : `retry: ${fields.retry}\n`;
  return `${id}${retry}data: ${message === "" ? "" : JSON.stringify(message)}\n\n`;
}

/** Answers every request with an empty result of its own id. */
export const echo: Script = ({ body }, response) =>
  sendJson(response, { jsonrpc: "2.0", id: body?.id, result: {} });

/** Answers with a stream of this text that ends after it. */
export function streaming(text: string): Script {
  return (_, response) => {
    openStream(response);
    response.end(text);
  };
}

export const LEGACY_VERSION = "2025-11-25";

export interface LegacyServerOptions {
  /** Answers everything but the handshake. */
  readonly script: Script;
  /** Session ids in the order they are given out; no session without. */
  readonly sessions?: readonly string[];
  /** The GET stream; 405 without. */
  readonly onGet?: Script;
}

/** The handshake of the legacy era by hand, so that everything after it can misbehave. */
export function legacyScript(options: LegacyServerOptions): Script {
  let handshakes = 0;
  return (request, response) => {
    if (request.method === "GET") {
      if (options.onGet === undefined) return sendStatus(response, 405);
      return options.onGet(request, response);
    }
    if (request.method === "DELETE") return sendStatus(response, 200);
    if (request.body?.method === "notifications/initialized") return sendStatus(response, 202);
    if (request.body?.method !== "initialize") return options.script(request, response);
    const session = options.sessions?.[handshakes];
    handshakes += 1;
    if (session !== undefined) response.setHeader("mcp-session-id", session);
    return sendJson(response, { jsonrpc: "2.0", id: request.body.id, result: INITIALIZE_RESULT });
  };
}

export const INITIALIZE_RESULT: Readonly<Record<string, unknown>> = {
  protocolVersion: LEGACY_VERSION,
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: "scripted", version: "1" },
};
