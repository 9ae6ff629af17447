import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";

import { createTestServer } from "./sdk-servers.ts";

export interface GuardedServer {
  readonly url: string;
  /** Method and `authorization` of every request, in order, refused ones too. */
  readonly seen: { readonly method: string; readonly authorization: string | undefined }[];
  /** Resolves once `count` requests have arrived. */
  arrived(count: number): Promise<void>;
}

/** Answers and says `false`, or lets the request through. */
export type Guard = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** The SDK's server for either era over loopback HTTP, behind a guard. */
export async function startGuardedServer(t: TestContext, guard: Guard): Promise<GuardedServer> {
  const seen: GuardedServer["seen"] = [];
  const waiting = new Set<() => void>();
  const handler = createMcpHandler(createTestServer);
  const node = toNodeHandler(handler);
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? "", authorization: request.headers.authorization });
    for (const check of waiting) check();
    void Promise.resolve(guard(request, response)).then((passes) => {
      // The package's own type forbids the explicit undefined that Node's declares.
      if (passes) void node(request as Parameters<typeof node>[0], response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    arrived: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (seen.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Lets through what carries one of these values, and refuses the rest as RFC 6750 says. */
export function accepting(...values: readonly string[]): Guard {
  return ({ headers }, response) => {
    if (headers.authorization !== undefined && values.includes(headers.authorization)) return true;
    response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end();
    return false;
  };
}
