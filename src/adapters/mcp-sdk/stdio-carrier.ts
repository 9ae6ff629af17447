import type { JSONRPCMessage, JSONRPCNotification, MessageExtraInfo } from "@modelcontextprotocol/client";

import { type StdioRefusal, stdioRefusal } from "../../domain/launch/refusal.ts";
import { type Outcome, refuse } from "../../domain/outcome.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import type { ProcessExit, RunningProcess } from "../../ports/process-runner.ts";
import { type Carrier, CarrierError, type CarrierSendOptions } from "./carrier.ts";
import type { ServerWords } from "./server-words.ts";
import { StdioInbox } from "./stdio-inbox.ts";
import type { StdioLink, StdioReport } from "./stdio-link.ts";
import { StdioOutbox, refused } from "./stdio-outbox.ts";

export interface StdioCarrier extends Carrier {
  readonly kind: "stdio";
  /** `null` before the start. The SDK tells stdio from HTTP by this member and {@link StdioCarrier.stderr}. */
  readonly pid: number | null;
  /** Always `null`: stderr is drained here. */
  readonly stderr: null;
  report(): StdioReport;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long a broken pipe waits for the exit that usually explains it. Milliseconds. */
const EXIT_GRACE_MS = 250;

/** The peer puts in whose answer it was and at which stage: a carrier knows neither. */
const BROKEN_ANSWER: PeerFailure = {
  refusal: { kind: "session", reason: "invalid-response", serverId: "", stage: "call" },
};

/**
 * One child, one connection. See {@link Carrier} for the rules, and X5 and X6 for the bounds. One thing: what the parts share
 * is the child's life, and each way to its end has to see all of it.
 */
class ChildCarrier implements StdioCarrier {
  readonly kind = "stdio";
  readonly stderr = null;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  readonly #link: StdioLink;
  readonly #inbox: StdioInbox;
  readonly #ending = new AbortController();
  #hasStarted = false;
  #spawning: Promise<Outcome<RunningProcess, StdioRefusal>> | undefined;
  #process: RunningProcess | undefined;
  #outbox: StdioOutbox | undefined;
  #failure: PeerFailure | undefined;
  #finished: Promise<void> | undefined;
  #isCloseTold = false;

  constructor(link: StdioLink) {
    this.#link = link;
    this.#inbox = new StdioInbox(
      {
        isOpen: () => !this.#isEnding,
        isAwaited: (id) => this.#outbox?.methodOf(id) !== undefined,
        answerLimitBytes: (id) => this.#outbox?.answerLimitBytes(id) ?? 0,
        canAnswer: () => (this.#outbox?.waitingAnswers ?? 0) < link.limits.waitingAnswers,
        onAnswer: (id, message) => {
          this.#deliver(message);
          this.#outbox?.settle(id);
        },
        onBrokenAnswer: (id) => this.#outbox?.abandon(id, new CarrierError(BROKEN_ANSWER)),
        onUninvited: (message) => this.#deliver(message),
        onLimit: (refusal) => this.#fail(refusal),
      },
      link,
    );
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get closeFailure(): PeerFailure | undefined {
    return this.#failure;
  }

  get words(): ServerWords {
    return this.#link.words;
  }

  report(): StdioReport {
    return { stderr: this.#link.stderr.report(), ...this.#inbox.counts() };
  }

  async start(): Promise<void> {
    if (this.#hasStarted) throw new TypeError("a carrier starts once");
    this.#hasStarted = true;
    const checked = await this.#attempt(() => this.#link.recheck());
    if (!checked.ok) this.#fail(checked.refusal);
    if (this.#isEnding) throw this.#endError();
    // In a turn of its own, so that a close from now on finds it and waits for what it started.
    this.#spawning = Promise.resolve().then(() => this.#attempt(() => this.#link.spawn(this.#ending.signal)));
    const spawned = await this.#spawning;
    if (!spawned.ok) this.#fail(spawned.refusal);
    else if (!this.#isEnding) this.#attach(spawned.value);
    if (this.#isEnding) throw this.#endError();
  }

  send(message: JSONRPCMessage, options?: CarrierSendOptions): Promise<void> {
    if (this.#isEnding) return Promise.reject(this.#endError());
    const outbox = this.#outbox;
    if (outbox === undefined) return Promise.reject(refused(stdioRefusal("send", "not-started")));
    if (!("method" in message)) return outbox.answer(message);
    if ("id" in message) return outbox.request(message, options);
    if (message.method === "notifications/cancelled") return this.#cancel(outbox, message);
    return outbox.write(message);
  }

  close(): Promise<void> {
    this.#end(undefined);
    this.#finished ??= this.#finish();
    return this.#finished;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #attempt<Value>(
    step: () => Promise<Outcome<Value, StdioRefusal>>,
  ): Promise<Outcome<Value, StdioRefusal>> {
    try {
      return await step();
    } catch (error) {
      if (this.#isEnding) return refuse(stdioRefusal("cancelled", "by-close"));
      // A fault of the host's own authority, say: its words are for the host, not for whoever connects.
      this.#tellError(error);
      return refuse(stdioRefusal("start", "other-fault"));
    }
  }

  #attach(running: RunningProcess): void {
    this.#process = running;
    this.#outbox = new StdioOutbox({
      write: (bytes) => running.write(bytes),
      onBroken: () => void this.#pipeBroke(running),
    });
    running.onStderr((chunk) => this.#link.stderr.push(chunk));
    running.onStdout((chunk) => this.#inbox.receive(chunk));
    void this.#watch(running);
  }

  /** X6: by default the child is closed, since nothing else is certain to stop it. No reason text leaves. */
  async #cancel(outbox: StdioOutbox, { method, params }: JSONRPCNotification): Promise<void> {
    const id = params?.["requestId"];
    if (typeof id !== "string" && typeof id !== "number") return;
    const cancelled = outbox.methodOf(id);
    // Answered meanwhile: there is nothing left to cancel.
    if (cancelled === undefined) return;
    const refusal = stdioRefusal("cancelled", "by-request");
    // The protocol ends a subscription this way; nothing was asked to be done, so nothing is left undone.
    if (this.#link.cancel === "close" && cancelled !== "subscriptions/listen") {
      this.#fail(refusal);
      return;
    }
    outbox.abandon(id, refused(refusal));
    await outbox.write({ jsonrpc: "2.0", method, params: { ...params, reason: undefined } });
  }

  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      // The client's own fault: it must not end the reading, nor surface as an uncaught exception.
      this.#tellError(error);
    }
  }

  #tellError(error: unknown): void {
    try {
      this.onerror?.(error instanceof Error ? error : new Error("a handler failed"));
    } catch {
      // Nobody is left to be told.
    }
  }

  // Ending

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  async #watch(running: RunningProcess): Promise<void> {
    const exit = await running.drained;
    this.#link.stderr.end();
    this.#fail(exitRefusal(exit));
  }

  /** A child that ends closes its pipe first: the exit is the better reason, so it gets a moment to show. */
  async #pipeBroke(running: RunningProcess): Promise<void> {
    const timer = new AbortController();
    const waited = this.#link.clock.wait(EXIT_GRACE_MS, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([running.drained, waited]);
    timer.abort();
    await nextTurn();
    this.#fail(stdioRefusal("send", "pipe-broken"));
  }

  /** Ends it because of `refusal`: everything in flight is told at once, the child is closed behind. */
  #fail(refusal: StdioRefusal): void {
    if (this.#isEnding) return;
    this.#end(refusal);
    this.#finished ??= this.#finish();
    // After the rejections have run their course, so that each call is told why and not just that it closed.
    void nextTurn().then(() => this.#tellClose());
  }

  #end(refusal: StdioRefusal | undefined): void {
    if (this.#isEnding) return;
    if (refusal !== undefined) this.#failure = { refusal };
    this.#ending.abort();
    this.#outbox?.end(this.#endError());
  }

  async #finish(): Promise<void> {
    const spawned = await this.#spawning;
    const stopped = spawned?.ok === true ? await spawned.value.stop() : undefined;
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
      this.#tellError(error);
    }
  }

  #endError(): CarrierError {
    return new CarrierError(this.#failure ?? { refusal: stdioRefusal("cancelled", "by-close") });
  }
}

export function createStdioCarrier(link: StdioLink): StdioCarrier {
  return new ChildCarrier(link);
}

function exitRefusal({ code }: ProcessExit): StdioRefusal {
  return code === null
    ? stdioRefusal("early-exit", "signalled")
    : stdioRefusal("early-exit", "exited", { exitCode: code });
}

/** Until every rejection of this turn has run its course. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
