import type { HttpListener, ListenProblem } from "../../adapters/node-http/http-listener.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { McpServeError } from "../../domain/serve/serve-error.ts";

type Open = (signal: AbortSignal) => Promise<Outcome<HttpListener, ListenProblem>>;

/** The one listener of a host: opened at most once, and over when it was stopped. */
export class HttpLife {
  readonly #open: Open;
  readonly #ending: AbortController = new AbortController();
  #opening: ReturnType<Open> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(open: Open) {
    this.#open = open;
  }

  /**
   * Resolves when it listens. Rejects with an `McpServeError`, with a `TypeError` (`already-started`) the second time,
   * and with whatever opening it threw.
   */
  async start(): Promise<HttpListener> {
    if (this.#opening !== undefined) {
      throw Object.assign(new TypeError("an MCP HTTP host starts once"), { code: "already-started" });
    }
    if (this.#stopping !== undefined) throw new McpServeError("stopped");
    this.#opening = this.#open(this.#ending.signal);
    // `stop` closes what comes to be, and it may end the opening by throwing out of it.
    const opened = await this.#opening.catch((error: unknown) => {
      throw this.#ending.signal.aborted ? new McpServeError("stopped") : error;
    });
    if (this.#ending.signal.aborted) throw new McpServeError("stopped");
    if (!opened.ok) throw new McpServeError(opened.refusal);
    return opened.value;
  }

  /** Idempotent. Resolves when nothing listens any more, and every call has ended. */
  stop(): Promise<void> {
    this.#stopping ??= this.#close();
    return this.#stopping;
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    // Why it did not come to listen is told to whoever started it.
    const opened = await this.#opening?.catch(() => undefined);
    if (opened?.ok === true) await opened.value.close();
  }
}
