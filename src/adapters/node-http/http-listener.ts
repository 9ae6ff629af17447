import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { HostFault } from "../../domain/fault.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { HttpGate } from "../../ports/http-gate.ts";
import { AdmittedCalls } from "./admitted-calls.ts";
import { HttpConversation } from "./http-conversation.ts";
import type { HttpLimits } from "./http-limits.ts";
import type { WebHandler } from "./web-handler.ts";

export interface HttpListenerOptions {
  /** A literal address. */
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly limits: HttpLimits;
  /** Closed with the listener, and at once where there comes to be none. */
  readonly handler: WebHandler;
  /** Called once it is known where the listener is, before the first request. `url` is what the handler is told. */
  readonly gateAt: (port: number) => { readonly gate: HttpGate; readonly url: string };
}

export interface HttpListener {
  readonly port: number;
  /** Ends connections and calls, then the handler. Idempotent. */
  close(): Promise<void>;
}

/** Why there is no listener. */
export type ListenProblem = "port-taken" | "address-unavailable";

/** How often Node looks for requests that took too long: the most that a deadline is late. */
const DEADLINE_CHECK_MS = 250;

/**
 * Listens for MCP over HTTP. Every request passes the gate by its head alone; what is turned away costs neither a read
 * of its body nor a call. Refuses with `port-taken` or `address-unavailable`.
 */
export async function listenHttp(
  options: HttpListenerOptions,
): Promise<Outcome<HttpListener, ListenProblem>> {
  const { host, port, limits, handler, gateAt } = options;
  const server = createServer({
    maxHeaderSize: limits.headLimitBytes,
    headersTimeout: limits.headTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(DEADLINE_CHECK_MS, limits.headTimeoutMs),
    // The gate judges a missing Host like any wrong one.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connectionsLimit;
  // 0: all of them. Node would leave out those behind the 1,000th, and the gate would not see a second Origin there.
  server.maxHeadersCount = 0;
  const listening = await listen(server, { host, port });
  if (!listening.ok) {
    await handler.close();
    return listening;
  }
  const { gate, url } = gateAt(listening.value);
  const calls = new AdmittedCalls(handler, { limits, url });
  const conversation = new HttpConversation(gate, { calls, dropLimitBytes: limits.bodyLimitBytes });
  attach(server, conversation);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      const stopped = new Promise<void>((done) => server.close(() => done()));
      // Each call hears of it as of a client that has left.
      server.closeAllConnections();
      await Promise.all([stopped, handler.close()]);
    })();
    return closed;
  };
  return accept({ port: listening.value, close });
}

function attach(server: Server, conversation: HttpConversation): void {
  const answer =
    (expects: "nothing" | "continue" | "other") =>
    (request: IncomingMessage, response: ServerResponse): void => {
      void conversation.answer(request, response, { expects });
    };
  server.on("request", answer("nothing"));
  server.on("checkContinue", answer("continue"));
  server.on("checkExpectation", answer("other"));
  server.on(
    "connect",
    (request: IncomingMessage, socket: Duplex) => void conversation.refuseTunnel(request, socket),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) =>
    conversation.refuseSocket(socket, error.code),
  );
  server.on("drop", (data) => conversation.noteDropped(data?.remoteAddress));
}

function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Outcome<number, ListenProblem>> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      switch (error.code) {
        // EACCES: a port that only the system may listen on is as taken as one that somebody has.
        case "EADDRINUSE":
        case "EACCES":
          return resolve(refuse("port-taken"));
        case "EADDRNOTAVAIL":
        case "EAFNOSUPPORT":
          return resolve(refuse("address-unavailable"));
        default:
          return reject(new HostFault("unexpected", { cause: error }));
      }
    };
    server.once("error", onError);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", onError);
      // A connection that the system could not give (no descriptors left) is no reason to end the process.
      server.on("error", () => undefined);
      const address = server.address();
      if (address === null || typeof address === "string") reject(new HostFault("unexpected"));
      else resolve(accept(address.port));
    });
  });
}
