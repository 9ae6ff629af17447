import type { JSONRPCMessage, TransportSendOptions } from "@modelcontextprotocol/client";

import { CarrierError, type CarriedMessageInfo, type Carrier } from "../../src/adapters/mcp-sdk/carrier.ts";
import type { PeerFailure } from "../../src/ports/mcp-peer.ts";

export interface SentMessage {
  readonly id: string | number | undefined;
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** As it would be on the wire. */
  readonly text: string;
}

export interface FakeCarrierOptions {
  readonly kind?: "http" | "stdio";
  /** As the HTTP carrier: one exchange a request, ended through `requestSignal`. */
  readonly perRequest?: boolean;
  /** Never lets `start()` or a `close()` end. */
  readonly hangs?: "start" | "initialized";
}

/**
 * A carrier whose server is a function: it gets every message and answers through the carrier, or does
 * not. Keeps the rules of `Carrier`: `send()` of a request stays pending until its answer was handed over.
 */
export class FakeCarrier implements Carrier {
  readonly kind: "http" | "stdio";
  readonly hasPerRequestStream: boolean;
  readonly sent: SentMessage[] = [];
  /** Ids whose exchange was aborted through `requestSignal`. */
  readonly aborted: (string | number)[] = [];
  closeFailure: PeerFailure | undefined;
  closes = 0;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Carrier["onmessage"];
  onsessionrenewed?: NonNullable<Carrier["onsessionrenewed"]>;
  readonly #serve: (message: SentMessage, carrier: FakeCarrier) => void;
  readonly #hangs: FakeCarrierOptions["hangs"];
  readonly #waiting = new Map<string | number, { resolve: () => void; reject: (error: unknown) => void }>();
  #closed = false;

  constructor(serve: (message: SentMessage, carrier: FakeCarrier) => void, options: FakeCarrierOptions = {}) {
    this.#serve = serve;
    this.#hangs = options.hangs;
    this.kind = options.kind ?? "http";
    this.hasPerRequestStream = options.perRequest ?? false;
  }

  async start(): Promise<void> {
    if (this.#hangs === "start") await new Promise<void>(() => undefined);
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const text = JSON.stringify(message);
    const { id, method, params } = JSON.parse(text) as SentMessage;
    const sent = { id, method, params: params ?? {}, headers: options?.headers, text };
    this.sent.push(sent);
    if (this.#hangs === "initialized" && method === "notifications/initialized") {
      return new Promise(() => undefined);
    }
    const pending =
      id === undefined || method === undefined
        ? Promise.resolve()
        : new Promise<void>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    options?.requestSignal?.addEventListener("abort", () => {
      this.aborted.push(id ?? "none");
      if (id !== undefined) this.fail(id, { refusal: cancelledBy });
    });
    queueMicrotask(() => this.#serve(sent, this));
    return pending;
  }

  /** Hands any value to the client as if it had come from the server. */
  deliver(message: unknown, info?: CarriedMessageInfo): void {
    const { id, method } = message as { id?: string | number; method?: string };
    this.onmessage?.(message as JSONRPCMessage, info);
    if (id === undefined || method !== undefined) return;
    this.#waiting.get(id)?.resolve();
    this.#waiting.delete(id);
  }

  result(id: string | number | undefined, result: unknown): void {
    this.deliver({ jsonrpc: "2.0", id, result });
  }

  error(id: string | number | undefined, code: number, message = "", data?: unknown): void {
    this.deliver({ jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  /** Makes one request fail as a carrier does once its answer cannot come any more. */
  fail(id: string | number, failure: PeerFailure): void {
    this.#waiting.get(id)?.reject(new CarrierError(failure));
    this.#waiting.delete(id);
  }

  /** Ends the connection from the other side. */
  lose(failure: PeerFailure): void {
    this.closeFailure = failure;
    this.#end(failure);
  }

  close(): Promise<void> {
    this.closes += 1;
    this.#end({ refusal: cancelledBy });
    return Promise.resolve();
  }

  #end(failure: PeerFailure): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const id of this.#waiting.keys()) this.fail(id, failure);
    this.onclose?.();
  }
}

const cancelledBy = { kind: "session", reason: "closed", serverId: "fake", stage: "connect" } as const;

/** A server of the older era: answers the handshake, and gives every other message to `serve`. */
export function legacyServer(
  serve: (message: SentMessage, carrier: FakeCarrier) => void,
  initialize: Readonly<Record<string, unknown>> = {},
): (message: SentMessage, carrier: FakeCarrier) => void {
  return (message, carrier) => {
    if (message.method === "initialize") {
      carrier.result(message.id, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "fake", version: "1.2.3" },
        ...initialize,
      });
    } else if (message.method === "server/discover") {
      carrier.error(message.id, -32_601, "Method not found");
    } else if (message.method !== "notifications/initialized") serve(message, carrier);
  };
}

/** A server of 2026-07-28 alone. */
export function modernServer(
  serve: (message: SentMessage, carrier: FakeCarrier) => void,
  discover: Readonly<Record<string, unknown>> = {},
): (message: SentMessage, carrier: FakeCarrier) => void {
  return (message, carrier) => {
    if (message.method === "server/discover") {
      carrier.result(message.id, {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        ttlMs: 60_000,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "fake", version: "1.2.3" } },
        ...discover,
      });
    } else if (message.method === "initialize") carrier.error(message.id, -32_601, "Method not found");
    else serve(message, carrier);
  };
}
