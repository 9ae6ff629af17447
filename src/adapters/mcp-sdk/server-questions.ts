import type { RequestId } from "@modelcontextprotocol/client";

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
}

const ELICITATION = "elicitation/create";

/**
 * Finds whose question it is (C7). The protocol does not say it: over HTTP the stream does, where it is the response to
 * a call. On a stream for everything only the one call that runs can have raised it; with two, neither is asked,
 * because the answer of one caller must never go to another's tool.
 */
export function createServerQuestions(
  outstanding: ReadonlyMap<RequestId, RequestRecord | undefined>,
): ServerQuestions {
  const open = new Map<RequestId, AbortController>();

  const recordFor = ({
    method,
    duringRequest,
  }: ServerRequest): RequestRecord["onQuestion"] | "several" | undefined => {
    if (duringRequest !== undefined) return outstanding.get(duringRequest)?.onQuestion;
    const calls = [...outstanding.values()].flatMap((record) => record?.onQuestion ?? []);
    if (calls.length < 2) return calls[0];
    return method === ELICITATION ? "several" : undefined;
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
  };
}
