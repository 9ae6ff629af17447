import type { ConnectionState } from "../../domain/supervision/transition.ts";
import { orAbandon } from "./abandon.ts";
import { createSupervisedConnection } from "./supervise-connection.ts";
import type { ConnectAnswer } from "./supervise-answers.ts";
import type { SupervisedConnection } from "./supervise-connection.ts";
import { supervisorSettings } from "./supervise-options.ts";
import type { SupervisorOptions, SupervisorSettings } from "./supervise-options.ts";
import { createPlaces } from "./supervise-places.ts";
import type { Places } from "./supervise-places.ts";

export type ConnectionListener = (serverId: string, state: ConnectionState) => void;

/**
 * Keeps the connections to many servers, at most one each (V1–V7): connects what is used, shares it, tries again what
 * failed in a way that passes, closes what is idle, and ends everything in the end. It never sends a request of its own
 * and repeats none: a call that a lost connection cut has failed, and its caller is told.
 */
export class McpConnectionSupervisor {
  readonly #settings: SupervisorSettings;
  readonly #places: Places;
  readonly #connections = new Map<string, SupervisedConnection>();
  readonly #listeners = new Set<ConnectionListener>();
  /** The first is being told. */
  readonly #untold: Parameters<ConnectionListener>[] = [];
  #ended: Promise<void> | undefined;

  /** @throws TypeError for a number that is none of those the options allow */
  constructor(options: SupervisorOptions) {
    this.#settings = supervisorSettings(options);
    this.#places = createPlaces(this.#settings.concurrency, this.#settings.clock);
  }

  /**
   * Answers the live session of a server, or connects. Callers during a connect share it (V3); one that aborts leaves
   * alone, with its signal's reason, and the connect goes on. One who comes while a retry waits for its time starts the
   * attempt now. The answer is that of one attempt: a failure is told at once, and not after all retries. After the
   * shutdown it is `session/closed`. Rejects with what `open` threw.
   *
   * The session is the same object as long as the connection lives, and ends with it: ask again for each use.
   */
  connect(serverId: string, { signal }: { readonly signal?: AbortSignal } = {}): ConnectAnswer {
    const connection = this.#connectionOf(serverId);
    if (signal?.aborted !== true) {
      const ready = connection.ready();
      if (ready !== undefined) return ready;
    }
    return this.#join(connection, signal);
  }

  async #join(connection: SupervisedConnection, signal: AbortSignal | undefined): ConnectAnswer {
    signal?.throwIfAborted();
    return orAbandon(connection.want(), signal);
  }

  /** How the connection to one server stands. */
  state(serverId: string): ConnectionState {
    if (this.#ended !== undefined) return { status: "closed" };
    return this.#connections.get(serverId)?.state ?? { status: "idle" };
  }

  /** How every server stands that was ever asked for. */
  states(): ReadonlyMap<string, ConnectionState> {
    return new Map([...this.#connections].map(([serverId, { state }]) => [serverId, state]));
  }

  /** Adds a listener for every change of a state, called right after it; what it throws is ignored. Answers how to remove it. */
  onChange(listener: ConnectionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Lets go of a server: its connection is closed, its attempt or retry given up, and whoever waits is answered with
   * `session/closed`. The next use connects again. Settles once it is gone, within 10 s.
   */
  async release(serverId: string): Promise<void> {
    await this.#connections.get(serverId)?.end("released");
  }

  /**
   * Ends everything, once and for all (V6): timers, attempts, connections and what is in flight on them; whoever waits
   * is answered with `session/closed`, and a session that comes late is closed. Settles within 10 s. Idempotent.
   */
  shutdown(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  async #end(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.end("shutdown")));
    this.#listeners.clear();
  }

  #connectionOf(serverId: string): SupervisedConnection {
    const known = this.#connections.get(serverId);
    if (known !== undefined) return known;
    const connection = createSupervisedConnection({
      serverId,
      settings: this.#settings,
      places: this.#places,
      onState: (state) => this.#tell(serverId, state),
    });
    // After the shutdown there is nothing to keep, and nothing that it could start.
    if (this.#ended !== undefined) void connection.end("shutdown");
    else this.#connections.set(serverId, connection);
    return connection;
  }

  /** In the order of the changes: one that a listener makes comes after the one that it is being told. */
  #tell(serverId: string, state: ConnectionState): void {
    this.#untold.push([serverId, state]);
    if (this.#untold.length > 1) return;
    for (let next = this.#untold[0]; next !== undefined; next = this.#untold[0]) {
      for (const listener of this.#listeners) {
        try {
          listener(...next);
        } catch {
          // A listener's own fault must not stop what it is told about.
        }
      }
      this.#untold.shift();
    }
  }
}
