import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

import { type StdioRefusal, stdioRefusal } from "../../domain/launch/refusal.ts";
import { CarrierError } from "./carrier.ts";

interface Call {
  readonly method: string;
  readonly receiveLimitBytes: number;
  readonly resolve: () => void;
  readonly reject: (error: CarrierError) => void;
}

export interface OutboxOptions {
  /** Resolves when the pipe took the bytes, rejects once the pipe is gone; may stay pending until then. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** The pipe is gone. Called for each write that it took along; the sends stay pending until `end`. */
  readonly onBroken: () => void;
}

/**
 * What goes to the child, and who waits for it: a request until it was answered, everything else until the
 * pipe took it, both at the latest until `end`.
 */
export class StdioOutbox {
  readonly #options: OutboxOptions;
  readonly #calls = new Map<RequestId, Call>();
  readonly #writes = new Set<(error: CarrierError) => void>();
  #waitingAnswers = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Our answers to the server's own requests that it has not read yet. */
  get waitingAnswers(): number {
    return this.#waitingAnswers;
  }

  /** The method of a request that is not answered yet. */
  methodOf(id: RequestId): string | undefined {
    return this.#calls.get(id)?.method;
  }

  /** What `CarrierSendOptions` said for this request, or the most for any that is not answered yet; 0 for nothing. */
  answerLimitBytes(id?: RequestId): number {
    if (id !== undefined) return this.#calls.get(id)?.receiveLimitBytes ?? 0;
    let most = 0;
    for (const { receiveLimitBytes } of this.#calls.values()) most = Math.max(most, receiveLimitBytes);
    return most;
  }

  request(
    message: JSONRPCMessage & { readonly id: RequestId; readonly method: string },
    { receiveLimitBytes = 0 }: { readonly receiveLimitBytes?: number } = {},
  ): Promise<void> {
    const { id, method } = message;
    if (this.#calls.has(id)) return Promise.reject(new TypeError("a request id is used once at a time"));
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { method, receiveLimitBytes, resolve, reject });
      // It only rejects for a message that cannot be written, or together with all calls in `end`.
      this.write(message).catch(({ failure }: CarrierError) => this.abandon(id, new CarrierError(failure)));
    });
  }

  async answer(message: JSONRPCMessage): Promise<void> {
    this.#waitingAnswers += 1;
    try {
      await this.write(message);
    } finally {
      this.#waitingAnswers -= 1;
    }
  }

  write(message: JSONRPCMessage): Promise<void> {
    const bytes = encode(message);
    if (bytes === undefined)
      return Promise.reject(refused(stdioRefusal("invalid-input", "not-serialisable")));
    return new Promise((resolve, reject) => {
      this.#writes.add(reject);
      this.#options.write(bytes).then(
        () => {
          this.#writes.delete(reject);
          resolve();
        },
        () => this.#options.onBroken(),
      );
    });
  }

  /** Lets the sender of an answered request go. */
  settle(id: RequestId): void {
    this.#calls.get(id)?.resolve();
    this.#calls.delete(id);
  }

  /** Gives up waiting for one answer. */
  abandon(id: RequestId, error: CarrierError): void {
    this.#calls.get(id)?.reject(error);
    this.#calls.delete(id);
  }

  /** Rejects everything that still waits. */
  end(error: CarrierError): void {
    for (const call of this.#calls.values()) call.reject(error);
    for (const reject of this.#writes) reject(error);
    this.#calls.clear();
    this.#writes.clear();
  }
}

export function refused(refusal: StdioRefusal): CarrierError {
  return new CarrierError({ refusal });
}

const ENCODER = new TextEncoder();

/** One line; `undefined` for what JSON cannot say, such as a cycle or a big integer. */
function encode(message: JSONRPCMessage): Uint8Array | undefined {
  try {
    return ENCODER.encode(`${JSON.stringify(message)}\n`);
  } catch {
    return undefined;
  }
}
