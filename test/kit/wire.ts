import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** One answer as it came, cut where its head says that it ends. */
export interface WireAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const TAIL_BYTES = 64;

/** A client that sends bytes as they are: no library's idea of a request is in between. */
export class Wire {
  readonly #socket: Socket;
  /** Resolves when the connection is gone, however it went. */
  readonly closed: Promise<void>;
  #received: Buffer = Buffer.alloc(0);
  #keepsAll = true;
  #closed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.#closed = true;
        this.#wake();
        resolve();
      });
    });
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const all = Buffer.concat([this.#received, chunk]);
      this.#received = this.#keepsAll ? all : all.subarray(-TAIL_BYTES);
      this.#wake();
    });
  }

  static async open(t: Pick<TestContext, "after">, port: number): Promise<Wire> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    t.after(() => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve).once("error", reject);
    });
    return new Wire(socket);
  }

  /** As bytes: text is sent as Latin-1, which is what heads are. */
  send(bytes: string | Uint8Array): void {
    this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Says that nothing more will come. */
  end(): void {
    this.#socket.end();
  }

  /** Ends the connection without a farewell: the other end reads an error. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Stops taking bytes off the socket, as a client does that does not read. */
  pause(): void {
    this.#socket.pause();
  }

  /** Goes on, and keeps only the end of what comes: for answers that are longer than a test wants to hold. */
  resumeForTail(): void {
    this.#keepsAll = false;
    this.#socket.resume();
  }

  /** All that came so far, and is in no answer yet. */
  get received(): string {
    return this.#received.toString("latin1");
  }

  /** Waits until what came holds `text`, or the connection is gone. */
  async until(text: string): Promise<string> {
    await this.#wait(() => this.received.includes(text));
    return this.received;
  }

  /** Waits for `text` and lets go of all up to its end. */
  async skip(text: string): Promise<void> {
    await this.until(text);
    this.#received = this.#received.subarray(this.received.indexOf(text) + text.length);
  }

  /** The next answer. `undefined`: the connection went before there was a whole one. */
  async answer({ toHead = false }: { readonly toHead?: boolean } = {}): Promise<WireAnswer | undefined> {
    await this.#wait(() => this.received.includes("\r\n\r\n"));
    const headEnd = this.received.indexOf("\r\n\r\n");
    if (headEnd === -1) return undefined;
    const head = this.received.slice(0, headEnd);
    const length = toHead ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    await this.#wait(() => this.#received.length >= end);
    if (this.#received.length < end) return undefined;
    const body = this.#received.subarray(headEnd + 4, end).toString("utf8");
    this.#received = this.#received.subarray(end);
    return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), head, body };
  }

  async #wait(there: () => boolean): Promise<void> {
    while (!there() && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
