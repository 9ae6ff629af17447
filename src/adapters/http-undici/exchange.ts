import type { Dispatcher } from "undici";

import type { EgressFailure } from "../../domain/egress/refusal.ts";
import { EgressError } from "../../ports/egress.ts";
import { translateError } from "./errors.ts";
import { CLOSED } from "./life.ts";

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Bytes that may wait for a reader before the socket is paused. Large results read in few steps. */
const HIGH_WATER_BYTES = 262_144;

/**
 * One request and its response on one connection: what undici reports, as a head and a pull-only stream of
 * raw chunks. Only {@link head} and {@link next} fail; nothing is ever thrown at undici.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Resolves with the response's head, or with the failure that came before it. */
  readonly head: Promise<ResponseHead | EgressFailure>;

  readonly #onOver: (reusable: boolean) => void;
  #settleHead: (head: ResponseHead | EgressFailure) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #complete = false;
  #over = false;
  #broken: { readonly reason: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** `onOver` is called once, when the connection is no longer needed, and told whether it may serve others. */
  constructor(onOver: (reusable: boolean) => void) {
    this.#onOver = onOver;
    this.head = new Promise((resolve) => {
      this.#settleHead = resolve;
    });
  }

  /** Whether the request began to leave. Until then nothing of it can have had an effect. */
  get started(): boolean {
    return this.#controller !== undefined;
  }

  /** The next raw chunk, `undefined` at the end; rejects with why the stream was cut. One reader at a time. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#waitingBytes -= chunk.byteLength;
        if (this.#waitingBytes === 0) this.#controller?.resume();
        return chunk;
      }
      if (this.#broken !== undefined) throw this.#broken.reason;
      if (this.#complete) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends it at once: unread chunks are dropped, the socket goes, readers get `reason`. Idempotent. */
  cut(reason: unknown): void {
    this.#chunks = [];
    this.#break(reason);
  }

  /** Says that nobody will read on. A response that is complete on the wire leaves its socket usable. */
  release(): void {
    if (this.#complete) this.#finish(true);
    else this.cut(CLOSED);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHead["headers"]): void {
    // Informational responses (1xx) come before the real one.
    if (status >= 200) this.#settleHead({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#broken !== undefined) return;
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.byteLength;
    if (this.#waitingBytes > HIGH_WATER_BYTES) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    if (this.#broken !== undefined) return;
    this.#complete = true;
    // Nothing to read: whoever asked for this may never look at the body.
    if (this.#chunks.length === 0) this.#finish(true);
    this.#wake?.();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    const failure = translateError(error);
    this.#break(new EgressError(failure));
    this.#settleHead(failure);
  }

  #break(reason: unknown): void {
    this.#broken ??= { reason };
    this.#finish(false);
    this.#wake?.();
  }

  #finish(reusable: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#onOver(reusable);
  }
}
