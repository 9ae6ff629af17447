import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/client";

import { isJsonObject } from "../../domain/json-value.ts";
import type { WireMessage } from "../../domain/http/message.ts";
import { createReopenBudget } from "../../domain/http/reopen.ts";
import type { EgressResponse } from "../../ports/egress.ts";
import { CarrierError } from "./carrier.ts";
import { takeAnswer } from "./http-answer.ts";
import { createHttpCall, type HttpCall } from "./http-call.ts";
import { sessionError, statusError, type HttpLink } from "./http-link.ts";
import { isSessionId } from "./http-wire.ts";

/** What a renewed session's handshake answered: the peer compares identities and lists again (H3c, C5). */
export type RenewedSession = Readonly<Record<string, unknown>>;

export interface HttpSessionOptions {
  /** Sends one message without waiting for an answer's content; rejects with a {@link CarrierError}. */
  post(message: JSONRPCMessage, signal: AbortSignal): Promise<EgressResponse>;
  forward(message: WireMessage): void;
  /** The agreed version; a renewed session has to keep it. */
  version(): string | undefined;
  onRenewed(result: RenewedSession): void;
  /** The session cannot be had again: the carrier ends. */
  onLost(error: CarrierError): void;
  /** Keeps the handshake's call until its work is done, and aborts it when the carrier ends. */
  track(call: HttpCall, work: Promise<void>): void;
  readonly signal: AbortSignal;
}

/** The legacy era's session: its id, and one renewal at a time for all who need it (H3c). */
export interface HttpSession {
  readonly id: string | undefined;
  /** Remembers the handshake that is being sent, and drops the id of an earlier one. */
  begin(initialize: JSONRPCRequest): void;
  /** Takes the id from the response to the handshake. */
  accept(response: EgressResponse): void;
  /** A request was answered: a later 404 is news, and worth another renewal. */
  worked(): void;
  /** Settles when no renewal is under way, and answers whether one was. Never rejects. */
  ready(): Promise<boolean>;
  /** Makes a new session unless `expired` was already replaced. Answers whether there is one. Never rejects. */
  renew(expired: string): Promise<boolean>;
  /** Forgets the id and answers it, to be ended on the server. */
  release(): string | undefined;
}

export function createHttpSession(link: HttpLink, options: HttpSessionOptions): HttpSession {
  let id: string | undefined;
  let initialize: JSONRPCRequest | undefined;
  let renewal: Promise<boolean> | undefined;
  let renewals = 0;
  let proven = true;
  /**
   * As for streams (H3b). A renewal has lists read again by itself, and one list that is answered proves the session: a
   * server that answers some and forgets at others would have us go round without anybody using it.
   */
  const budget = createReopenBudget();

  const accept = (response: EgressResponse): void => {
    const given = response.header("mcp-session-id");
    if (given !== undefined && !isSessionId(given)) {
      response.discard();
      throw sessionError(link, "invalid-response", { stage: "connect" });
    }
    id = given;
  };

  const renewOnce = async (handshake: JSONRPCRequest): Promise<boolean> => {
    renewals += 1;
    // A string id: the SDK numbers its own requests, so the two never meet.
    const message = { ...handshake, id: `initialize-${renewals}` };
    try {
      const result = await shakeHands(link, { ...options, message, accept });
      proven = false;
      options.onRenewed(result);
      return true;
    } catch (error) {
      // Whatever failed, the caller learns that its session is gone; no second attempt is made. That it takes
      // a sign-in to come back is worth telling, though.
      id = undefined;
      const needsSignIn = error instanceof CarrierError && error.failure.refusal.kind === "auth";
      options.onLost(needsSignIn ? error : sessionError(link, "session-expired", { stage: "connect" }));
      return false;
    } finally {
      renewal = undefined;
    }
  };

  return {
    get id() {
      return id;
    },
    begin(message) {
      initialize = message;
      id = undefined;
      proven = true;
    },
    accept,
    worked() {
      proven = true;
    },
    async ready() {
      if (renewal === undefined) return false;
      await renewal;
      return true;
    },
    async renew(expired) {
      if (renewal !== undefined) return renewal;
      if (options.signal.aborted) return false;
      if (id !== expired) return id !== undefined;
      id = undefined;
      const nowMs = link.clock.monotonicMs();
      if (initialize === undefined || !proven || budget.waitMs(nowMs) > 0) {
        // Gone before it answered anything, or again and again: a loop, not an expiry.
        options.onLost(sessionError(link, "session-expired", { stage: "connect" }));
        return false;
      }
      budget.spend(nowMs);
      renewal = renewOnce(initialize);
      return renewal;
    },
    release() {
      const last = id;
      id = undefined;
      return last;
    },
  };
}

/** The handshake of the legacy lifecycle, from `initialize` to the accepted `notifications/initialized`. */
async function shakeHands(
  link: HttpLink,
  options: HttpSessionOptions & {
    readonly message: JSONRPCRequest;
    readonly accept: (response: EgressResponse) => void;
  },
): Promise<RenewedSession> {
  const { message } = options;
  let answer: WireMessage | undefined;
  const call = createHttpCall({
    id: message.id,
    method: message.method,
    stage: "connect",
    onAnswer: (received) => {
      answer = received;
      return undefined;
    },
    onForward: (received) => options.forward(received),
  });
  const work = async (): Promise<void> => {
    const response = await options.post(message, call.signal);
    if (response.status === 200) options.accept(response);
    await takeAnswer(link, call, response);
  };
  options.track(call, work());
  const deadline = new AbortController();
  link.clock.wait(link.limits.renewalMs, deadline).then(
    () => call.abort(sessionError(link, "timeout", { stage: "connect" })),
    () => undefined,
  );
  try {
    await call.settled;
    const result = agreedResult(answer, options.version());
    if (result === undefined) throw sessionError(link, "version-unsupported", { stage: "connect" });
    const accepted = await options.post(
      { jsonrpc: "2.0", method: "notifications/initialized" },
      options.signal,
    );
    accepted.discard();
    if (accepted.status >= 300) throw statusError(link, accepted, "connect");
    return result;
  } finally {
    deadline.abort();
  }
}

/** The new handshake's result, when it agrees on the version that the connection already speaks. */
function agreedResult(
  answer: WireMessage | undefined,
  version: string | undefined,
): RenewedSession | undefined {
  const result = answer?.["result"];
  return isJsonObject(result) && result["protocolVersion"] === version ? result : undefined;
}
