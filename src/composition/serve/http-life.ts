import type { HttpListener } from "../../adapters/node-http/http-listener.ts";
import type { ListenRefusal } from "../../domain/gate/listen-refusal.ts";
import { refuse, type Outcome } from "../../domain/outcome.ts";
import { McpListenError } from "./http-listen-error.ts";

/** The one listener of a host: opened at most once, and over when it was stopped. */
export class HttpLife {
  readonly #open: () => Promise<Outcome<HttpListener, ListenRefusal>>;
  #opening: Promise<Outcome<HttpListener, ListenRefusal>> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(open: () => Promise<Outcome<HttpListener, ListenRefusal>>) {
    this.#open = open;
  }

  /**
   * Resolves when it listens. Rejects with a `McpListenError`, with a `TypeError` (`already-started`) the second time,
   * and with whatever opening it threw.
   */
  async start(): Promise<HttpListener> {
    if (this.#opening !== undefined) {
      throw Object.assign(new TypeError("an MCP HTTP host starts once"), { code: "already-started" });
    }
    this.#opening = this.#stopping === undefined ? this.#open() : Promise.resolve(STOPPED);
    const opened = await this.#opening;
    if (!opened.ok) throw new McpListenError(opened.refusal);
    // `stop` closes what has come to be meanwhile.
    if (this.#stopping !== undefined) throw new McpListenError(STOPPED.refusal);
    return opened.value;
  }

  /** Idempotent. Resolves when nothing listens any more, and every call has ended. */
  stop(): Promise<void> {
    this.#stopping ??= this.#close();
    return this.#stopping;
  }

  async #close(): Promise<void> {
    // Why it did not come to listen is told to whoever started it.
    const opened = await this.#opening?.catch(() => STOPPED);
    if (opened?.ok === true) await opened.value.close();
  }
}

const STOPPED = refuse<ListenRefusal>({ kind: "listen", reason: "stopped" });
