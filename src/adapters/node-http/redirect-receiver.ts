import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";

import { HostFault } from "../../domain/fault.ts";
import type { AuthRefusal } from "../../domain/oauth/refusal.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { OpenRedirect, RedirectOutcome, RedirectReceiver } from "../../ports/redirect-receiver.ts";
import { CALLBACK_PATH, statusOfHead } from "./redirect-head.ts";
import { PAGE_HEADERS, redirectPage } from "./redirect-page.ts";

/** Never another interface: whoever can reach the listener can end a sign-in. */
const LOOPBACK = "127.0.0.1";
/** Request line and headers together. A redirect with the longest code that is taken stays below. */
const HEAD_LIMIT_BYTES = 16 * 1024;
/** From the first byte of a request to its last. */
const REQUEST_MS = 10_000;
const CONNECTIONS_LIMIT = 32;

/**
 * Listens for the browser that comes back after a sign-in (U7): on 127.0.0.1 alone, GET of `/callback` under the
 * exact Host, once. Everything else is answered 400, 404, 405 or 431 and changes nothing.
 */
export function createRedirectReceiver(): RedirectReceiver {
  return {
    open: async ({ serverId, port = 0, signal }) => {
      signal.throwIfAborted();
      const server = createServer({
        maxHeaderSize: HEAD_LIMIT_BYTES,
        headersTimeout: REQUEST_MS,
        requestTimeout: REQUEST_MS,
        keepAliveTimeout: 1,
      });
      server.maxConnections = CONNECTIONS_LIMIT;
      const listening = await listen(server, { port, serverId });
      if (!listening.ok) return listening;
      return accept(openRedirect(server, listening.value, signal));
    },
  };
}

function openRedirect(server: Server, port: number, signal: AbortSignal): OpenRedirect {
  const host = `${LOOPBACK}:${port}`;
  const settle: { resolve: (url: string) => void; reject: (reason: unknown) => void } = {
    resolve: () => undefined,
    reject: () => undefined,
  };
  const received = new Promise<string>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  // Whoever opened it may have stopped waiting already.
  received.catch(() => undefined);
  let waiting: ServerResponse | undefined;
  let closed: Promise<void> | undefined;

  server.on("request", (request, response) => {
    const status = statusOfHead(request, host);
    if (status !== 0) return turnAway(response, status);
    if (waiting !== undefined || closed !== undefined) return turnAway(response, 404);
    // Answered by `close`, once it is known how the sign-in ended.
    waiting = response;
    settle.resolve(`http://${host}${request.url ?? ""}`);
  });

  const close = (outcome?: RedirectOutcome): Promise<void> => {
    closed ??= (async () => {
      signal.removeEventListener("abort", onAbort);
      const stopped = new Promise<void>((done) => server.close(() => done()));
      if (waiting !== undefined) await answer(waiting, outcome);
      server.closeAllConnections();
      await stopped;
    })();
    return closed;
  };
  const onAbort = (): void => {
    settle.reject(signal.reason);
    void close();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return { redirectUri: `http://${host}${CALLBACK_PATH}`, received, close };
}

function listen(
  server: Server,
  { port, serverId }: { readonly port: number; readonly serverId: string },
): Promise<Outcome<number, AuthRefusal>> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      // EACCES: a port that only the system may listen on is as taken as one that somebody has.
      const taken = error.code === "EADDRINUSE" || error.code === "EACCES";
      if (taken) resolve(refuse({ kind: "auth", reason: "callback-port-taken", serverId }));
      else reject(new HostFault("unexpected", { cause: error }));
    });
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new HostFault("unexpected"));
      else resolve(accept(address.port));
    });
  });
}

function turnAway(response: ServerResponse, status: number): void {
  const allow = status === 405 ? { allow: "GET" } : {};
  response.writeHead(status, { ...PAGE_HEADERS, ...allow, connection: "close", "content-length": "0" }).end();
}

/** Resolves when the page was handed over, or the browser is gone. */
function answer(response: ServerResponse, outcome: RedirectOutcome | undefined): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    response.once("finish", resolve);
    if (response.destroyed) resolve();
    const status = outcome === "refused" ? 400 : 200;
    response.writeHead(status, { ...PAGE_HEADERS, connection: "close" }).end(redirectPage(outcome));
  });
}
