import type { RequestId } from "@modelcontextprotocol/client";

import type { Clock } from "../../ports/clock.ts";
import { CarrierError } from "./carrier.ts";
import type { QuestionReply, RequestRecord } from "./sdk-messages.ts";

/** A request of the server, in the older era. */
export interface ServerRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  /** On whose response stream it came. Left out where the carrier has one stream for everything. */
  readonly duringRequest: RequestId | undefined;
}

export interface ServerQuestions {
  /** Takes what belongs to a running call; `undefined`: nobody's, the official client says that it knows no such method. */
  take(request: ServerRequest): Promise<QuestionReply | undefined> | undefined;
  /** The server does not want to know any more. */
  withdraw(id: unknown): void;
  /** Nobody waits for this call any more; its tool may go on all the same, and ask. */
  left(id: RequestId): void;
  /** Its answer cannot come any more: the same, unless `error` says that it never began. */
  lost(id: RequestId, error: unknown): void;
  /** An answer that nobody waits for: its tool has ended. */
  answered(id: RequestId): void;
}

const ELICITATION = "elicitation/create";
/**
 * How long a call that was left may still ask. Most servers go on with what is cancelled, and never answer it then, so
 * there is no other end; as long as a call may take in all by default (C7b).
 */
export const LEFT_CALL_ASKS_MS = 600_000;

/**
 * Finds whose question it is (C7). The protocol does not say it: over HTTP the stream does, where it is the response to
 * a call. On a stream for everything only the one call that runs can have raised it; with two, neither is asked,
 * because the answer of one caller must never go to another's tool. A call that was left or lost counts as one that runs.
 */
export function createServerQuestions(
  outstanding: ReadonlyMap<RequestId, RequestRecord | undefined>,
  { clock }: { readonly clock: Clock },
): ServerQuestions {
  const open = new Map<RequestId, AbortController>();
  /** Until when each may ask, in the order in which they were left. */
  const left = new Map<RequestId, number>();
  const leftCalls = (): number => {
    const nowMs = clock.monotonicMs();
    for (const [id, untilMs] of left) if (untilMs <= nowMs) left.delete(id);
    return left.size;
  };

  const recordFor = ({
    method,
    duringRequest,
  }: ServerRequest): RequestRecord["onQuestion"] | "several" | undefined => {
    if (duringRequest !== undefined) return outstanding.get(duringRequest)?.onQuestion;
    const calls = [...outstanding.values()].flatMap((record) => record?.onQuestion ?? []);
    const [only] = calls;
    if (only === undefined || calls.length + leftCalls() === 1) return only;
    return method === ELICITATION ? "several" : undefined;
  };

  const leave = (id: RequestId): void => {
    leftCalls(); // Those whose time is over make room.
    left.set(id, clock.monotonicMs() + LEFT_CALL_ASKS_MS);
  };

  return {
    take(request) {
      const { id, method, params } = request;
      const taker = recordFor(request);
      if (taker === undefined) return undefined;
      if (taker === "several") return Promise.resolve({ result: { action: "cancel" } });
      // An id that is being answered already names that question: a second answer would be taken for the first's.
      if (open.has(id)) return Promise.resolve(undefined);
      const withdrawn = new AbortController();
      const reply = taker(method, params, withdrawn.signal);
      if (reply === undefined) return undefined;
      open.set(id, withdrawn);
      return reply.finally(() => open.delete(id));
    },
    withdraw(id) {
      // Ids are the server's own: whatever it names, only its own questions are here.
      for (const [asked, withdrawn] of open) if (asked === id) withdrawn.abort("withdrawn");
    },
    left: leave,
    lost: (id, error) => {
      if (!neverBegan(error)) leave(id);
    },
    answered: (id) => void left.delete(id),
  };
}

/** From here on a status is of a server, or of a proxy before one, that may have begun (RFC 9110 section 15.6). */
const SERVER_ERRORS = 500;

/** Whether a call was turned away, or did not get as far as the server. Whatever is in doubt may still run. */
function neverBegan(error: unknown): boolean {
  if (!(error instanceof CarrierError)) return false;
  const { refusal } = error.failure;
  switch (refusal.kind) {
    case "auth":
      return true;
    case "egress":
      return refusal.reason !== "timeout" && refusal.reason !== "response-too-large";
    case "network":
      return (
        refusal.reason === "connection-refused" ||
        refusal.reason === "unreachable" ||
        refusal.reason === "tls"
      );
    case "session":
      if (refusal.reason === "http-status") return (refusal.code ?? SERVER_ERRORS) < SERVER_ERRORS;
      return refusal.reason === "auth-required" || refusal.reason === "session-expired";
    default:
      return false;
  }
}
