import type { HeaderPair } from "../../domain/http/headers.ts";
import type { WireMessage } from "../../domain/http/message.ts";
import type { TraceContext } from "../../domain/http/trace.ts";
import type { SessionStage } from "../../domain/session/refusal.ts";
import type { CarrierError } from "./carrier.ts";

/** One request under way: settles once, and owns the exchanges made for it. */
export interface HttpCall {
  readonly id: string | number;
  readonly method: string;
  readonly stage: SessionStage;
  readonly trace: TraceContext | undefined;
  /** See `CarrierSendOptions`; `undefined`: the carrier's own cap. */
  readonly receiveLimitBytes: number | undefined;
  /** Aborted when the call is given up, and when what follows its answer is cut. */
  readonly signal: AbortSignal;
  /** Settles with the answer's delivery, or rejects with a {@link CarrierError}. */
  readonly settled: Promise<void>;
  /** Hands the answer over and settles. */
  answer(message: WireMessage): void;
  /** Hands over what the server says meanwhile; nothing once the call has settled. */
  forward(message: WireMessage): void;
  /** Rejects and drops everything under way. */
  abort(error: CarrierError): void;
  /** Headers of a GET that resumes this call's stream; `undefined` where nothing is resumed (2026-07-28). */
  readonly resumeHeaders: ((lastEventId: string) => readonly HeaderPair[]) | undefined;
}

export function createHttpCall(options: {
  readonly id: string | number;
  readonly method: string;
  readonly stage: SessionStage;
  readonly trace?: TraceContext | undefined;
  readonly receiveLimitBytes?: number | undefined;
  readonly resumeHeaders?: HttpCall["resumeHeaders"];
  /** Delivers; answers the error that the call fails with where that did not work out. */
  readonly onAnswer: (message: WireMessage) => CarrierError | undefined;
  readonly onForward: (message: WireMessage) => void;
}): HttpCall {
  const controller = new AbortController();
  const outcome: { settle: ((error: CarrierError | undefined) => void) | undefined } = { settle: undefined };
  const settled = new Promise<void>((resolve, reject) => {
    outcome.settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  /** The first end counts; from then on nothing is handed over. */
  const settle = (error: CarrierError | undefined): void => {
    outcome.settle?.(error);
    outcome.settle = undefined;
  };
  return {
    id: options.id,
    method: options.method,
    stage: options.stage,
    trace: options.trace,
    receiveLimitBytes: options.receiveLimitBytes,
    resumeHeaders: options.resumeHeaders,
    signal: controller.signal,
    settled,
    answer(message) {
      if (outcome.settle !== undefined) settle(options.onAnswer(message));
    },
    forward(message) {
      if (outcome.settle !== undefined) options.onForward(message);
    },
    abort(error) {
      settle(error);
      controller.abort(error);
    },
  };
}

/** Runs a listener that is not ours. What it throws stays here: it may hold anything, and the stream goes on. */
export function contained(listener: () => void): boolean {
  try {
    listener();
    return true;
  } catch {
    return false;
  }
}
