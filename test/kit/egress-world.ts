import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";
import type { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";

import { createUndiciEgress, type UndiciEgressOptions } from "../../src/adapters/http-undici/egress.ts";
import type { EgressFailure, EgressRefusal } from "../../src/domain/egress/refusal.ts";
import { admitTarget, type AdmittedTarget } from "../../src/domain/egress/target.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Egress, EgressRequest, EgressResponse } from "../../src/ports/egress.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeResolver } from "./fake-resolver.ts";

const TLS_FOLDER = new URL("../fixtures/egress-tls/", import.meta.url);
/** A self-signed certificate for allowed.test, public.test, localhost and 127.0.0.1. */
export const TEST_CERTIFICATE: string = readFileSync(new URL("cert.pem", TLS_FOLDER), "utf8");
/** For processes that are told of it by `NODE_EXTRA_CA_CERTS`. */
export const TEST_CERTIFICATE_PATH: string = fileURLToPath(new URL("cert.pem", TLS_FOLDER));
/** Its key. */
export const TEST_KEY: string = readFileSync(new URL("key.pem", TLS_FOLDER), "utf8");

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on 127.0.0.1 that remembers who came. */
export class TestServer {
  readonly #server: Server;
  /** Method, path and headers of each request, in order. */
  readonly hits: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
  }[] = [];
  readonly sockets: Set<Socket> = new Set();
  connections = 0;
  #watchers: (() => void)[] = [];

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket
        .on("error", () => {})
        .once("close", () => {
          this.sockets.delete(socket);
          this.changed();
        });
      this.changed();
    });
  }

  get port(): number {
    // Bound to an address, never to a path.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Hears the name that each TLS client asked for; `false` for none. */
  onSecure(listener: (servername: unknown) => void): void {
    this.#server.on("secureConnection", (socket: TLSSocket) =>
      listener("servername" in socket ? socket.servername : undefined),
    );
  }

  /** Stops listening; open sockets go. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Waits, without a timer, until what it sees fulfils the condition. */
  async until(condition: (server: this) => boolean): Promise<void> {
    if (condition(this)) return;
    await new Promise<void>((resolve) => {
      this.#watchers.push(() => {
        if (condition(this)) resolve();
      });
    });
  }

  async listen(t: TestContext): Promise<this> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    t.after(() => this.stop());
    return this;
  }
}

function remembering(handler: Handler, server: () => TestServer): Handler {
  return (request, response) => {
    server().hits.push({
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
    });
    server().changed();
    handler(request, response);
  };
}

export function answer(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Handler {
  return (request, response) => {
    request.resume();
    response.writeHead(200, headers).end(body);
  };
}

/** Takes the request and stays silent. */
export const silent: Handler = (request) => {
  request.resume();
};

/** Announced to clients, so that no idle socket closes by itself while a test looks at it. */
const KEEP_ALIVE = { keepAliveTimeout: 600_000 };

export function startHttp(t: TestContext, handler: Handler): Promise<TestServer> {
  const server: TestServer = new TestServer(
    createHttpServer(
      KEEP_ALIVE,
      remembering(handler, () => server),
    ),
  );
  return server.listen(t);
}

export function startHttps(t: TestContext, handler: Handler): Promise<TestServer> {
  const server: TestServer = new TestServer(
    createHttpsServer(
      { cert: TEST_CERTIFICATE, key: TEST_KEY, ...KEEP_ALIVE },
      remembering(handler, () => server),
    ),
  );
  return server.listen(t);
}

/** A bare TCP server; `onSocket` says what it does. */
export function startTcp(t: TestContext, onSocket: (socket: Socket) => void): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    // Without a reader a socket never notices that its peer left.
    socket.resume();
    onSocket(socket);
  });
  return new TestServer(server).listen(t);
}

export interface EgressWorld {
  readonly egress: Egress;
  readonly clock: FakeClock;
  readonly resolver: FakeResolver;
  readonly admit: (url: string) => AdmittedTarget;
  readonly send: (
    url: string,
    request?: Partial<EgressRequest>,
    signal?: AbortSignal,
  ) => Promise<Outcome<EgressResponse, EgressRefusal | EgressFailure>>;
}

/** An undici egress with a fake clock and resolver, closed with the test. */
export function egressWorld(
  t: TestContext,
  options: Partial<UndiciEgressOptions> & {
    readonly names?: Readonly<Record<string, readonly string[]>>;
  } = {},
): EgressWorld {
  const clock = new FakeClock();
  const resolver = new FakeResolver(options.names);
  const policy = options.policy ?? { allowDestinations: [] };
  const egress = createUndiciEgress({
    resolver,
    policy,
    clock,
    extraAuthorities: [TEST_CERTIFICATE],
    ...options,
  });
  t.after(() => egress.close());
  const admit = (url: string): AdmittedTarget => {
    const outcome = admitTarget(url, policy);
    assert.ok(outcome.ok, url);
    return outcome.value;
  };
  return {
    egress,
    clock,
    resolver,
    admit,
    send: (url, request = {}, signal = new AbortController().signal) =>
      egress.fetch(
        admit(url),
        { method: "GET", headers: [], responseLimitBytes: 1_048_576, ...request },
        { signal },
      ),
  };
}

/** Reads a response to its end, as text. */
export async function textOf(
  outcome: Outcome<EgressResponse, EgressRefusal | EgressFailure>,
): Promise<string> {
  assert.ok(outcome.ok, JSON.stringify(outcome));
  const chunks: Uint8Array[] = [];
  for await (const chunk of outcome.value.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The refusal of an outcome that has one. */
export function refusalOf(
  outcome: Outcome<unknown, EgressRefusal | EgressFailure>,
): EgressRefusal | EgressFailure {
  assert.ok(!outcome.ok, "was not refused");
  return outcome.refusal;
}
