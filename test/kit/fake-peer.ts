import { accept, type Outcome } from "../../src/domain/outcome.ts";
import type { McpPeer, PeerFailure, PeerIdentity, PeerRequestOptions } from "../../src/ports/mcp-peer.ts";

export interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: PeerRequestOptions;
}

type Answer = Outcome<Readonly<Record<string, unknown>>, PeerFailure>;

export const FAKE_IDENTITY: PeerIdentity = {
  era: "legacy",
  protocolVersion: "2025-11-25",
  serverInfo: { name: "fake", version: "1.2.3" },
  capabilities: new Map([["tools", {}]]),
  instructions: undefined,
  freshness: undefined,
};

/** A peer whose server is a function. It rejects with the reason of an aborted signal, as the port says. */
export class FakePeer implements McpPeer {
  identity: PeerIdentity;
  readonly asked: Asked[] = [];
  readonly closed: Promise<PeerFailure>;
  closes = 0;
  readonly #serve: (asked: Asked) => Answer | Promise<Answer> | Readonly<Record<string, unknown>>;
  readonly #listeners: ((method: string, params: unknown) => void)[] = [];
  readonly #renewed: (() => void)[] = [];
  #settle: (failure: PeerFailure) => void = () => undefined;

  constructor(
    serve: (asked: Asked) => Answer | Promise<Answer> | Readonly<Record<string, unknown>>,
    identity: Partial<PeerIdentity> = {},
  ) {
    this.#serve = serve;
    this.identity = { ...FAKE_IDENTITY, ...identity };
    this.closed = new Promise((resolve) => (this.#settle = resolve));
  }

  async request(method: string, params: Asked["params"], options: PeerRequestOptions): Promise<Answer> {
    options.signal.throwIfAborted();
    const asked = { method, params, options };
    this.asked.push(asked);
    const aborted = new Promise<never>((_resolve, reject) => {
      options.signal.addEventListener("abort", () => reject(options.signal.reason), { once: true });
    });
    const answer = await Promise.race([this.#serve(asked), aborted]);
    return isOutcome(answer) ? answer : accept(answer);
  }

  onNotification(listener: (method: string, params: unknown) => void): void {
    this.#listeners.push(listener);
  }

  notify(method: string, params: unknown): void {
    for (const listener of this.#listeners) listener(method, params);
  }

  onRenewed(listener: () => void): void {
    this.#renewed.push(listener);
  }

  renew(identity: Partial<PeerIdentity>): void {
    this.identity = { ...this.identity, ...identity };
    for (const listener of this.#renewed) listener();
  }

  async close(): Promise<void> {
    this.closes += 1;
    this.#settle({ refusal: { kind: "session", reason: "closed", serverId: "s", stage: "connect" } });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function isOutcome(answer: Answer | Readonly<Record<string, unknown>>): answer is Answer {
  return typeof answer["ok"] === "boolean";
}
