import { endsConnection, type ElicitationReason } from "../../domain/elicitation/refusal.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import { refuse, type Outcome } from "../../domain/outcome.ts";
import { declareFor, stripReservedMeta } from "../../domain/session/meta.ts";
import type { WaitEnd } from "../../domain/session/refusal.ts";
import type { McpPeer, PeerFailure, PeerRequestOptions } from "../../ports/mcp-peer.ts";
import { createCallQuestions, type CallQuestions } from "./call-questions.ts";
import { session, translateError } from "./errors.ts";
import { askedWrongly, createAttempts, type Wire } from "./peer-attempts.ts";
import { waitForDeadline } from "./peer-deadlines.ts";

/** All that a server learns of why a request was cancelled (C8). */
const NEUTRAL_REASON = "cancelled";

export interface Connection extends Wire {
  /** Whether this client declared that forms can be put (C6). */
  readonly elicitation: boolean;
  /** What it declared besides. */
  readonly otherCapabilities: JsonObject;
  /** Why the connection ended, once it has. */
  readonly closeFailure: () => PeerFailure | undefined;
  readonly closedByUs: () => boolean;
  /** Settles when the connection ended. */
  readonly closed: Promise<void>;
  /** Ends the connection for a reason of ours. */
  readonly end: (failure: PeerFailure) => void;
}

/** Makes the function that sends one request and waits, on our own clocks, for its raw result. */
export function createRequest(connection: Connection): McpPeer["request"] {
  const { clock, serverId } = connection;
  const asking = new Set<CallQuestions>();
  // Between two rounds nothing of a call is under way that would tell it.
  void connection.closed.then(() => {
    for (const questions of asking) questions.end();
  });
  return async (method, params, options) => {
    options.signal.throwIfAborted();
    const at = { serverId, stage: options.stage };
    if (connection.closedByUs()) return refuse(session("closed", at));
    const control = new AbortController();
    let ended: WaitEnd | undefined;
    const questions = questionsOf(connection, options);
    const end = (how: WaitEnd): void => {
      ended ??= how;
      questions?.end();
      control.abort(NEUTRAL_REASON);
    };
    const onAbort = (): void => end("abort");
    options.signal.addEventListener("abort", onAbort, { once: true });
    if (questions !== undefined) asking.add(questions);
    const attempts = createAttempts(connection, options, { signal: control.signal, questions });
    // It rejects only through the abort in `finally` below.
    waitForDeadline(options, { clock, lastSignMs: attempts.lastSignMs, signal: control.signal }).then(
      end,
      () => {},
    );
    try {
      return await attempts.run(method, paramsFor(connection, options, params));
    } catch (error) {
      const failure = questions?.failure();
      if (failure !== undefined) return refuse(askedWrongly(failure, connection));
      return failedWith(error, ended, { connection, options });
    } finally {
      options.signal.removeEventListener("abort", onAbort);
      if (questions !== undefined) asking.delete(questions);
      questions?.end();
      control.abort(NEUTRAL_REASON);
    }
  };
}

/** Only a tool call can be asked something, and only where that was declared (C6, C7). */
function questionsOf(connection: Connection, options: PeerRequestOptions): CallQuestions | undefined {
  if (!connection.elicitation || options.stage !== "call") return undefined;
  return createCallQuestions({
    clock: connection.clock,
    elicit: options.elicit,
    onFailure: (reason: ElicitationReason) => {
      if (endsConnection(reason)) connection.end(askedWrongly(reason, connection));
    },
  });
}

function paramsFor(connection: Connection, options: PeerRequestOptions, params: JsonObject): JsonObject {
  const own = stripReservedMeta(params);
  const declared = connection.era === "modern" && connection.elicitation;
  return declared && (options.elicit === undefined || options.stage !== "call")
    ? declareFor(own, connection.otherCapabilities)
    : own;
}

function failedWith(
  error: unknown,
  ended: WaitEnd | undefined,
  { connection, options }: { readonly connection: Connection; readonly options: PeerRequestOptions },
): Outcome<never, PeerFailure> {
  const at = { serverId: connection.serverId, stage: options.stage };
  if (ended !== undefined) return answerEnded(ended, connection, options);
  // Whatever a carrier calls it, what ended this was our closing; a tool may have acted all the same.
  if (connection.closedByUs())
    return options.stage === "call"
      ? answerEnded("close", connection, options)
      : refuse(session("closed", at));
  const { words } = connection;
  return refuse(translateError(error, { ...at, words, closeFailure: connection.closeFailure() }));
}

/** The request was sent: a tool may have acted, so its outcome is unknown; a list or a read did nothing (C8). */
function answerEnded(
  ended: WaitEnd,
  { serverId }: Connection,
  options: PeerRequestOptions,
): Outcome<never, PeerFailure> {
  const { stage, timeoutMs, maxTotalMs, signal } = options;
  if (stage !== "call" && ended === "abort") throw signal.reason;
  const limitMs = { abort: undefined, close: undefined, timeout: timeoutMs, "total-timeout": maxTotalMs }[
    ended
  ];
  return refuse({
    refusal: {
      kind: "session",
      reason: stage === "call" ? "outcome-unknown" : "timeout",
      serverId,
      stage,
      ended,
      ...(limitMs !== undefined && { limitMs }),
    },
  });
}
