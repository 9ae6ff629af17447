import type { JSONRPCMessage, MessageExtraInfo, RequestId } from "@modelcontextprotocol/client";

import { type StdioRefusal, stdioRefusal } from "../../domain/launch/refusal.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import type { ProcessExit, RunningProcess } from "../../ports/process-runner.ts";
import { type Carrier, CarrierError } from "./carrier.ts";
import { FrameSplitter } from "./stdio-frames.ts";
import type { StdioLimits } from "./stdio-limits.ts";
import { type Incoming, readMessage } from "./stdio-message.ts";
import { createUninvited, type Uninvited } from "./stdio-uninvited.ts";
import type { StderrReader, StderrReport } from "./stdio-stderr.ts";

/** What a connection did besides its messages. Numbers only: nothing of the server's text. */
export interface StdioReport {
  readonly stderr: StderrReport;
  /** Lines on stdout that were not JSON-RPC. */
  readonly junkLines: number;
  /** Notifications and requests of the server that were over the rate. */
  readonly droppedMessages: number;
  /** Answers to ids that nobody waits for. */
  readonly unknownAnswers: number;
}

export interface StdioCarrier extends Carrier {
  readonly kind: "stdio";
  /** `null` before the start. The SDK tells stdio from HTTP by this member and {@link StdioCarrier.stderr}. */
  readonly pid: number | null;
  /** Always `null`: stderr is drained here. */
  readonly stderr: null;
  report(): StdioReport;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface StdioLink {
  /** Checks once more and spawns (X3). Called once. */
  readonly launch: (signal: AbortSignal) => Promise<Outcome<RunningProcess, StdioRefusal>>;
  readonly clock: Clock;
  readonly limits: StdioLimits;
  /** What cancelling a request does (X6). */
  readonly cancel: "close" | "notify";
  readonly stderr: StderrReader;
}

interface Call {
  readonly method: string;
  readonly resolve: () => void;
  readonly reject: (error: CarrierError) => void;
}

/** How long a broken pipe waits for the exit that usually explains it. Milliseconds. */
const EXIT_GRACE_MS = 250;

/** One child, one connection. See {@link Carrier} for the rules, and X5 and X6 for the bounds. */
class ChildCarrier implements StdioCarrier {
  readonly kind = "stdio";
  readonly stderr = null;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly #link: StdioLink;
  readonly #frames: FrameSplitter;
  readonly #uninvited: Uninvited;
  readonly #calls = new Map<RequestId, Call>();
  /** Sends that wait for the pipe, not for an answer. */
  readonly #writes = new Set<(error: CarrierError) => void>();
  readonly #ending = new AbortController();
  #hasStarted = false;
  #process: RunningProcess | undefined;
  #failure: PeerFailure | undefined;
  #closed: Promise<void> | undefined;
  #isCloseTold = false;
  #waitingAnswers = 0;
  #junkLines = 0;
  #unknownAnswers = 0;

  constructor(link: StdioLink) {
    this.#link = link;
    this.#frames = new FrameSplitter(link.limits.frameBytes);
    this.#uninvited = createUninvited(link.limits, link.clock);
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get closeFailure(): PeerFailure | undefined {
    return this.#failure;
  }

  report(): StdioReport {
    return {
      stderr: this.#link.stderr.report(),
      junkLines: this.#junkLines,
      droppedMessages: this.#uninvited.dropped(),
      unknownAnswers: this.#unknownAnswers,
    };
  }

  async start(): Promise<void> {
    if (this.#hasStarted) throw new TypeError("a carrier starts once");
    this.#hasStarted = true;
    if (this.#isEnding) throw this.#endError();
    const launched = await this.#launch();
    if (!launched.ok) {
      this.#fail(launched.refusal);
      throw this.#endError();
    }
    const running = launched.value;
    this.#process = running;
    if (this.#isEnding) {
      await running.stop();
      throw this.#endError();
    }
    running.onStderr((chunk) => this.#link.stderr.push(chunk));
    running.onStdout((chunk) => this.#receive(chunk));
    void this.#watch(running);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isEnding) return Promise.reject(this.#endError());
    const running = this.#process;
    if (running === undefined) return Promise.reject(carrierError(stdioRefusal("send", "not-started")));
    if (!("method" in message)) return this.#sendAnswer(running, message);
    if ("id" in message) return this.#sendRequest(running, message);
    if (message.method === "notifications/cancelled") return this.#cancel(running, message);
    return this.#write(running, message);
  }

  close(): Promise<void> {
    this.#end(undefined);
    this.#closed ??= this.#finish();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // Sending

  #sendRequest(
    running: RunningProcess,
    message: JSONRPCMessage & { readonly id: RequestId; readonly method: string },
  ): Promise<void> {
    const { id, method } = message;
    if (this.#calls.has(id)) return Promise.reject(new TypeError("a request id is used once at a time"));
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { method, resolve, reject });
      this.#write(running, message).catch((error: CarrierError) => {
        // A broken pipe ends the carrier, which rejects every call; a message that cannot be written does not.
        if (this.#calls.delete(id)) reject(error);
      });
    });
  }

  async #sendAnswer(running: RunningProcess, message: JSONRPCMessage): Promise<void> {
    this.#waitingAnswers += 1;
    try {
      await this.#write(running, message);
    } finally {
      this.#waitingAnswers -= 1;
    }
  }

  /** X6: by default the child is closed, since nothing else is certain to stop it. No reason text leaves. */
  async #cancel(running: RunningProcess, message: JSONRPCMessage): Promise<void> {
    const params = "params" in message ? message.params : undefined;
    const id = params?.["requestId"];
    const call = isId(id) ? this.#calls.get(id) : undefined;
    // Answered meanwhile: there is nothing left to cancel.
    if (!isId(id) || call === undefined) return;
    const refusal = stdioRefusal("cancelled", "by-request");
    // The protocol ends a subscription this way; nothing was asked to be done, so nothing is left undone.
    if (this.#link.cancel === "close" && call.method !== "subscriptions/listen") {
      this.#fail(refusal);
      return;
    }
    this.#calls.delete(id);
    call.reject(carrierError(refusal));
    const meta = params?.["_meta"];
    await this.#write(running, {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, ...(isMeta(meta) && { _meta: meta }) },
    });
  }

  /** Resolves when the pipe took it; rejects when it cannot any more, at the latest when the carrier ends. */
  #write(running: RunningProcess, message: JSONRPCMessage): Promise<void> {
    const bytes = encode(message);
    if (bytes === undefined) {
      return Promise.reject(carrierError(stdioRefusal("invalid-input", "not-serialisable")));
    }
    return new Promise((resolve, reject) => {
      this.#writes.add(reject);
      running.write(bytes).then(
        () => {
          this.#writes.delete(reject);
          resolve();
        },
        () => this.#pipeBroke(running),
      );
    });
  }

  /** A child that ends closes its pipe first: the exit is the better reason, so it gets a moment to show. */
  async #pipeBroke(running: RunningProcess): Promise<void> {
    const timer = new AbortController();
    const waited = this.#link.clock.wait(EXIT_GRACE_MS, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([running.drained, waited]);
    timer.abort();
    // After the exit's own handler, which is told of it in this same turn.
    setImmediate(() => this.#fail(stdioRefusal("send", "pipe-broken")));
  }

  // Receiving

  #receive(chunk: Uint8Array): void {
    if (this.#isEnding) return;
    const result = this.#frames.push(chunk, (frame) => this.#take(frame));
    if (result === "too-long") this.#fail(stdioRefusal("receive-limit", "frame"));
  }

  #take(frame: Uint8Array): void {
    // An earlier frame of the same chunk may have ended the connection.
    if (this.#isEnding) return;
    const incoming = readMessage(frame);
    if (incoming === undefined) this.#takeJunk();
    else if (incoming.kind === "answer") this.#takeAnswer(incoming.id, incoming.message, frame.length);
    else this.#takeUninvited(incoming, frame.length);
  }

  #takeJunk(): void {
    this.#junkLines += 1;
    if (this.#junkLines > this.#link.limits.junkLines) {
      this.#fail(stdioRefusal("receive-invalid", "junk-lines"));
    }
  }

  #takeAnswer(id: RequestId, message: JSONRPCMessage, bytes: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) {
      this.#unknownAnswers += 1;
      this.#isAdmitted(bytes);
      return;
    }
    this.#calls.delete(id);
    this.#deliver(message);
    call.resolve();
  }

  #takeUninvited(incoming: Incoming, bytes: number): void {
    if (!this.#isAdmitted(bytes)) return;
    // A server that asks and does not read the answers would fill our memory with them.
    const isUnread = incoming.kind === "request" && this.#waitingAnswers >= this.#link.limits.waitingAnswers;
    if (isUnread) this.#uninvited.drop();
    else this.#deliver(incoming.message);
  }

  #isAdmitted(bytes: number): boolean {
    const verdict = this.#uninvited.weigh(bytes);
    if (verdict === "flood") this.#fail(stdioRefusal("receive-limit", "flood"));
    return verdict === "pass";
  }

  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      // The client's own fault: it must not end the reading, nor surface as an uncaught exception.
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    try {
      this.onerror?.(error instanceof Error ? error : new Error("a message handler failed"));
    } catch {
      // Nobody is left to be told.
    }
  }

  // Ending

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  async #launch(): Promise<Outcome<RunningProcess, StdioRefusal>> {
    try {
      return await this.#link.launch(this.#ending.signal);
    } catch (error) {
      if (this.#isEnding) return { ok: false, refusal: stdioRefusal("cancelled", "by-close") };
      this.#fail(stdioRefusal("start", "other-fault"));
      throw error;
    }
  }

  async #watch(running: RunningProcess): Promise<void> {
    const exit = await running.drained;
    this.#link.stderr.end();
    this.#fail(exitRefusal(exit));
  }

  /** Ends it because of `refusal`: everything in flight is told at once, the child is closed behind. */
  #fail(refusal: StdioRefusal): void {
    if (this.#isEnding) return;
    this.#end(refusal);
    this.#closed ??= this.#finish();
    // After the rejections have run their course, so that each call is told why and not just that it closed.
    setImmediate(() => this.#tellClose());
  }

  #end(refusal: StdioRefusal | undefined): void {
    if (this.#isEnding) return;
    if (refusal !== undefined) this.#failure = { refusal };
    this.#ending.abort();
    const error = this.#endError();
    for (const call of this.#calls.values()) call.reject(error);
    for (const reject of this.#writes) reject(error);
    this.#calls.clear();
    this.#writes.clear();
  }

  async #finish(): Promise<void> {
    const stopped = await this.#process?.stop();
    if (stopped?.clean === false) this.#failure ??= { refusal: stdioRefusal("cleanup", "survivors") };
    await nextTurn();
    this.#tellClose();
  }

  #tellClose(): void {
    if (this.#isCloseTold) return;
    this.#isCloseTold = true;
    try {
      this.onclose?.();
    } catch (error) {
      this.#report(error);
    }
  }

  #endError(): CarrierError {
    return new CarrierError(this.#failure ?? { refusal: stdioRefusal("cancelled", "by-close") });
  }
}

export function createStdioCarrier(link: StdioLink): StdioCarrier {
  return new ChildCarrier(link);
}

/** Until every rejection of this turn has run its course. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function carrierError(refusal: StdioRefusal): CarrierError {
  return new CarrierError({ refusal });
}

function exitRefusal({ code }: ProcessExit): StdioRefusal {
  return code === null
    ? stdioRefusal("early-exit", "signalled")
    : stdioRefusal("early-exit", "exited", { exitCode: code });
}

/** One line; `undefined` for what JSON cannot say, such as a cycle or a big integer. */
function encode(message: JSONRPCMessage): Uint8Array | undefined {
  try {
    return Buffer.from(`${JSON.stringify(message)}\n`);
  } catch {
    return undefined;
  }
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

function isMeta(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
