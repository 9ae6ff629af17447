import { createSession } from "../../src/composition/flows/session.ts";
import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import type { ConnectionFailure, OpenConnection } from "../../src/composition/flows/supervise-options.ts";
import { accept, refuse, type Outcome } from "../../src/domain/outcome.ts";
import type { JsonObject } from "../../src/domain/json-value.ts";
import type { PeerFailure, PeerIdentity } from "../../src/ports/mcp-peer.ts";
import type { Random } from "../../src/ports/random.ts";
import { FakePeer } from "./fake-peer.ts";
import { fakeSessionOptions } from "./fake-sessions.ts";

export const DOWN: PeerFailure = { refusal: { kind: "network", reason: "connection-refused" } };
export const DENIED: ConnectionFailure = {
  refusal: { kind: "activation", reason: "pending", serverId: "a" },
};

/** One session that was handed over, and the server behind it. */
export interface FakeServer {
  readonly session: McpSession;
  readonly peer: FakePeer;
}

/** One call of `open`, to be answered by the test. */
export interface Opening {
  readonly serverId: string;
  readonly signal: AbortSignal;
  readonly succeed: (identity?: Partial<PeerIdentity>) => FakeServer;
  readonly fail: (failure?: ConnectionFailure) => void;
  readonly fault: (error: unknown) => void;
}

/** Plays whoever opens connections, and counts what is there at a time. */
export class FakeOpener {
  readonly openings: Opening[] = [];
  /** Servers whose connecting or connection is not over: by id, how many. */
  readonly open: Map<string, number> = new Map();
  /** How long closing one takes. */
  linger: () => Promise<void> = () => Promise.resolve();
  /** The most that any server had at a time. */
  most = 0;
  readonly #answer: () => Promise<Outcome<JsonObject, PeerFailure>>;
  #generation = 0;

  /** `answer` plays the servers: what a request is answered with. */
  constructor(answer: () => Promise<Outcome<JsonObject, PeerFailure>> = () => Promise.resolve(accept({}))) {
    this.#answer = answer;
  }

  readonly opens: OpenConnection = (serverId, { signal }) => {
    this.#count(serverId, 1);
    return new Promise<Outcome<McpSession, ConnectionFailure>>((resolve, reject) => {
      this.openings.push({
        serverId,
        signal,
        succeed: (identity) => {
          const peer = new FakePeer(() => this.#answer(), identity);
          const newGeneration = (): string => `g${(this.#generation += 1)}`;
          const session = createSession(peer, fakeSessionOptions({ serverId, newGeneration }));
          const close = peer.close.bind(peer);
          let gone: Promise<void> | undefined;
          // A child is there until it was closed, whatever ended the talk with it.
          peer.close = () => {
            gone ??= close()
              .then(() => this.linger())
              .then(() => this.#count(serverId, -1));
            return gone;
          };
          resolve(accept(session));
          return { session, peer };
        },
        fail: (failure = DOWN) => {
          this.#count(serverId, -1);
          resolve(refuse(failure));
        },
        fault: (error) => {
          this.#count(serverId, -1);
          reject(error instanceof Error ? error : new Error("fault"));
        },
      });
    });
  };

  /** The newest call of `open`. */
  get last(): Opening {
    const last = this.openings.at(-1);
    if (last === undefined) throw new Error("nothing was opened");
    return last;
  }

  #count(serverId: string, by: number): void {
    const now = (this.open.get(serverId) ?? 0) + by;
    this.open.set(serverId, now);
    this.most = Math.max(this.most, now);
  }
}

/** Chance that a test chooses: half of every window unless told. */
export function fixedRandom(chance = 0.5): Random {
  const first = Math.floor(chance * 256);
  return { bytes: (count) => new Uint8Array(count).fill(0).fill(first, 0, 1) };
}
