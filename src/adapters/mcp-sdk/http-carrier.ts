import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  Transport,
} from "@modelcontextprotocol/client";

import type { HeaderPair } from "../../domain/http/headers.ts";
import { isRepeatable, stageOf, type WireMessage } from "../../domain/http/message.ts";
import { parseTraceContext, type TraceContext } from "../../domain/http/trace.ts";
import type { BearerChallenge } from "../../domain/oauth/challenge.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import { CarrierError, type CarriedMessageInfo, type Carrier, type CarrierSendOptions } from "./carrier.ts";
import { takeAnswer } from "./http-answer.ts";
import { contained, createHttpCall, type HttpCall } from "./http-call.ts";
import { sessionError, statusError, type HttpLink } from "./http-link.ts";
import { createHttpPush, type HttpPush, type PushState } from "./http-push.ts";
import { createHttpRequests, type HttpRequests } from "./http-requests.ts";
import { createHttpSession, type HttpSession, type RenewedSession } from "./http-session.ts";
import { callHeaders, isModernVersion } from "./http-wire.ts";
import { createTokenBucket, saysListChanged, type TokenBucket } from "./message-rate.ts";
import type { ServerWords } from "./server-words.ts";

export interface HttpCarrier extends Carrier {
  readonly kind: "http";
  /** Whether the server can say something unasked. Always `none` in 2026-07-28. */
  readonly push: PushState;
  /** Called at each change of {@link HttpCarrier.push}. */
  onpush?: (state: PushState) => void;
}

/**
 * One connection to one admitted target. One thing: the transport that the SDK sees, which only divides the work
 * among the parts that ask, listen, renew and push, and keeps what they share. A class because its link holds secrets, which only `#private` fields
 * keep out of what prints it.
 */
class StreamableHttpCarrier implements HttpCarrier {
  readonly kind = "http";
  readonly hasPerRequestStream = true;
  declare onclose?: Transport["onclose"];
  declare onerror?: Transport["onerror"];
  declare onmessage?: Carrier["onmessage"];
  declare onpush?: (state: PushState) => void;
  declare onsessionrenewed?: NonNullable<Carrier["onsessionrenewed"]>;

  readonly #link: HttpLink;
  readonly #requests: HttpRequests;
  readonly #session: HttpSession;
  readonly #push: HttpPush;
  readonly #calls = new Map<string | number, HttpCall>();
  /** Calls whose exchange is still open, those that only drain included. */
  readonly #open = new Set<HttpCall>();
  readonly #closing = new AbortController();
  readonly #unasked: TokenBucket;
  #version: string | undefined;
  #failure: PeerFailure | undefined;
  #closed: Promise<void> | undefined;

  constructor(link: HttpLink) {
    this.#link = link;
    this.#unasked = createTokenBucket(link.limits.unasked, link.clock);
    this.#requests = createHttpRequests(link, {
      sessionId: () => this.#session.id,
      version: () => this.#version,
    });
    this.#session = createHttpSession(link, {
      post: (message, signal) => this.#requests.post(message, { signal }),
      forward: (message) => this.#deliver(message),
      track: (call, work) => this.#track(call, work),
      version: () => this.#version,
      onRenewed: (result) => this.#renewed(result),
      onLost: (error) => this.#end(error),
      signal: this.#closing.signal,
    });
    this.#push = createHttpPush(link, {
      headers: (lastEventId) => this.#requests.streamHeaders(lastEventId),
      forward: (message) => this.#deliver(message),
      onState: (state) => contained(() => this.onpush?.(state)),
      onExpired: (sessionId) => void this.#session.renew(sessionId),
    });
  }

  get push(): PushState {
    return this.#push.state;
  }

  get closeFailure(): PeerFailure | undefined {
    return this.#failure;
  }

  get words(): ServerWords {
    return this.#link.authentication.words;
  }

  get challenge(): BearerChallenge | undefined {
    return this.#link.authentication.challenge;
  }

  /** Sends nothing: the first request is the first contact. */
  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async send(message: JSONRPCMessage, options: CarrierSendOptions = {}): Promise<void> {
    if (this.#closing.signal.aborted) throw this.#error("closed", message);
    if ("method" in message && "id" in message) return this.#request(message, options);
    if ("method" in message && message.method === "notifications/cancelled") return this.#cancel(message);
    await this.#notify(message);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  // Requests

  #request(message: JSONRPCRequest, options: CarrierSendOptions): Promise<void> {
    const given = callHeaders(options.headers);
    const cancelled = this.#error("cancelled", message);
    if (options.requestSignal?.aborted === true) return Promise.reject(cancelled);
    const trace = parseTraceContext(given.traceparent, given.tracestate);
    const call = this.#createCall(message, { trace, receiveLimitBytes: options.receiveLimitBytes });
    this.#calls.set(message.id, call);
    const stop = (): void => call.abort(cancelled);
    options.requestSignal?.addEventListener("abort", stop, { once: true });
    this.#track(call, this.#run(message, call, given.parameters));
    return call.settled.finally(() => {
      if (this.#calls.get(message.id) === call) this.#calls.delete(message.id);
      options.requestSignal?.removeEventListener("abort", stop);
    });
  }

  #createCall(
    message: JSONRPCRequest,
    own: {
      readonly trace: TraceContext | undefined;
      readonly receiveLimitBytes: number | undefined;
    },
  ): HttpCall {
    const { id, method } = message;
    return createHttpCall({
      id,
      method,
      stage: stageOf(method),
      ...own,
      onAnswer: (answer) => {
        if (method !== "initialize") this.#session.worked();
        return this.#deliver(answer) ? undefined : this.#error("invalid-response", message);
      },
      onForward: (received) => this.#deliver(received, { duringRequest: id }),
      resumeHeaders: this.#requests.isModern(message)
        ? undefined
        : (lastEventId) => this.#requests.streamHeaders(lastEventId),
    });
  }

  /** Keeps a call within reach of `close()` for as long as its exchange is open. */
  #track(call: HttpCall, work: Promise<void>): void {
    this.#open.add(call);
    void work.catch((error: CarrierError) => call.abort(error)).finally(() => this.#open.delete(call));
  }

  /** Sends a request and reads until it is answered; once more after a renewed session, if it only reads. */
  async #run(message: JSONRPCRequest, call: HttpCall, parameters: readonly HeaderPair[]): Promise<void> {
    const isHandshake = message.method === "initialize";
    if (isHandshake) this.#session.begin(message);
    const trace = this.#requests.traceHeaders(call);
    for (let attempt = 0; ; attempt += 1) {
      const isAnew = await this.#session.ready();
      call.signal.throwIfAborted();
      // A call was made by what the session listed that is gone; the new one is listed first (H3c).
      if (isAnew && !isRepeatable(message.method)) throw this.#error("session-expired", message);
      const sessionId = isHandshake || this.#requests.isModern(message) ? undefined : this.#session.id;
      const headers = [...parameters, ...trace];
      const response = await this.#requests.post(message, { signal: call.signal, headers });
      if (response.status !== 404 || sessionId === undefined) {
        if (isHandshake && response.status === 200) this.#session.accept(response);
        return takeAnswer(this.#link, call, response);
      }
      response.discard();
      const renewed = await this.#session.renew(sessionId);
      // What may have had effects is not sent again (H3c).
      if (!renewed || attempt > 0 || !isRepeatable(message.method))
        throw this.#error("session-expired", message);
    }
  }

  /**
   * Ends one request's own exchange (C8). The legacy era is told on the wire too, without the reason's text;
   * in 2026-07-28 the closed stream is the cancellation.
   */
  async #cancel(message: JSONRPCNotification): Promise<void> {
    const requestId = message.params?.["requestId"];
    if (typeof requestId !== "string" && typeof requestId !== "number") return;
    const call = this.#calls.get(requestId);
    if (call === undefined) return;
    call.abort(sessionError(this.#link, "cancelled", call));
    if (this.#requests.isModern(message)) return;
    const told = { jsonrpc: "2.0" as const, method: message.method, params: { requestId } };
    await this.#notify(told, this.#requests.traceHeaders(call));
  }

  /** A notification, or the answer to a request of the server: 2xx is all that is expected back. */
  async #notify(message: JSONRPCMessage, headers: readonly HeaderPair[] = []): Promise<void> {
    await this.#session.ready();
    const sessionId = this.#requests.isModern(message) ? undefined : this.#session.id;
    const response = await this.#requests.post(message, { signal: this.#closing.signal, headers });
    const { status } = response;
    response.discard();
    if (status === 404 && sessionId !== undefined) {
      // A new session has no use for what was said to the old one, and made its own `initialized`.
      if (await this.#session.renew(sessionId)) return;
      throw this.#error("session-expired", message);
    }
    if (status === 401 || status === 403) throw this.#error("auth-required", message, status);
    if (status >= 300)
      throw statusError(this.#link, response, stageOf("method" in message ? message.method : ""));
    if ("method" in message && message.method === "notifications/initialized") this.#openPush();
  }

  // The server's own stream, and its session

  #openPush(): void {
    if (!isModernVersion(this.#version) && !this.#closing.signal.aborted) this.#push.open(this.#session.id);
  }

  #renewed(result: RenewedSession): void {
    this.#openPush();
    contained(() => this.onsessionrenewed?.(result));
  }

  // Delivery and the end

  /** Hands a message to the SDK. Answers whether it was taken. */
  #deliver(message: WireMessage, info?: CarriedMessageInfo): boolean {
    if (this.#closing.signal.aborted) return false;
    // Each request of a server costs a POST of ours: what comes over the rate is dropped, answers never are.
    if ("method" in message && !this.#unasked.take(1) && !saysListChanged(message)) return true;
    // What it means is the receiver's to judge: members of messages are untrusted all the way up.
    return contained(() => this.onmessage?.(message as unknown as JSONRPCMessage, info));
  }

  async #close(): Promise<void> {
    this.#end(undefined);
    const sessionId = this.#session.release();
    if (sessionId !== undefined && this.#failure === undefined) await this.#requests.endSession(sessionId);
  }

  #end(error: CarrierError | undefined): void {
    if (this.#closing.signal.aborted) return;
    const reason = error ?? sessionError(this.#link, "closed", { stage: "connect" });
    this.#failure = error?.failure;
    this.#closing.abort(reason);
    this.#push.close(reason);
    const ended = error === undefined ? "closed" : "session-expired";
    for (const call of this.#open) call.abort(sessionError(this.#link, ended, call));
    contained(() => this.onclose?.());
  }

  #error(reason: Parameters<typeof sessionError>[1], message: JSONRPCMessage, code?: number): CarrierError {
    const stage = stageOf("method" in message ? message.method : "");
    return sessionError(this.#link, reason, code === undefined ? { stage } : { stage, code });
  }
}

export function createHttpCarrier(link: HttpLink): HttpCarrier {
  return new StreamableHttpCarrier(link);
}
