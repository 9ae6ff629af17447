import { accept, type Outcome } from "../../src/domain/outcome.ts";
import type { ListKind } from "../../src/domain/catalog/list-kind.ts";
import type {
  McpPeer,
  PeerFailure,
  PeerIdentity,
  PeerRequestOptions,
  SubscribeOptions,
  SubscriptionEnd,
} from "../../src/ports/mcp-peer.ts";

export interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: PeerRequestOptions;
}

/** One subscription that a test plays the server of. */
export interface FakeSubscription extends SubscribeOptions {
  readonly kinds: readonly ListKind[];
  readonly end: (how: SubscriptionEnd) => void;
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
  carrier: McpPeer["carrier"] = "http";
  readonly asked: Asked[] = [];
  readonly closed: Promise<PeerFailure>;
  readonly subscriptions: FakeSubscription[] = [];
  push: McpPeer["push"] = "open";
  closes = 0;
  ended: PeerFailure | undefined;
  readonly #serve: (asked: Asked) => Answer | Promise<Answer> | Readonly<Record<string, unknown>>;
  readonly #listeners: ((method: string, params: unknown) => void)[] = [];
  readonly #renewed: (() => void)[] = [];
  readonly #pushed: ((push: McpPeer["push"]) => void)[] = [];
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

  subscribe(kinds: readonly ListKind[], options: SubscribeOptions): Promise<SubscriptionEnd> {
    if (this.identity.era === "legacy") return Promise.resolve("refused");
    return new Promise((end) => {
      this.subscriptions.push({ ...options, kinds, end });
      options.signal.addEventListener("abort", () => end("ended"), { once: true });
    });
  }

  onPush(listener: (push: McpPeer["push"]) => void): void {
    this.#pushed.push(listener);
  }

  setPush(push: McpPeer["push"]): void {
    this.push = push;
    for (const listener of this.#pushed) listener(push);
  }

  onRenewed(listener: () => void): void {
    this.#renewed.push(listener);
  }

  renew(identity: Partial<PeerIdentity>): void {
    this.identity = { ...this.identity, ...identity };
    for (const listener of this.#renewed) listener();
  }

  /** Ends the connection as a server or a network would. */
  end(failure: PeerFailure): void {
    this.ended ??= failure;
    this.#settle(this.ended);
  }

  async close(): Promise<void> {
    this.closes += 1;
    this.end({ refusal: { kind: "session", reason: "closed", serverId: "s", stage: "connect" } });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function isOutcome(answer: Answer | Readonly<Record<string, unknown>>): answer is Answer {
  return typeof answer["ok"] === "boolean";
}
