import { failureAnswer } from "../../domain/serve/envelope.ts";
import type { InvocationOptions } from "../../ports/agent-session.ts";
import type { ServedAnswer, ServedCall } from "../../ports/served-agent.ts";

/**
 * One invocation and the requests of its client, one after another: the call itself, and a request for each round
 * that it is asked in. Between two of them nobody waits, and what comes next is kept.
 */
export interface Conversation {
  readonly caller: string;
  /** The tool and the digest of its arguments: a state belongs to one call alone. */
  readonly call: string;
  /** Ends the invocation. */
  readonly ending: AbortController;
  /** Binds a request to the invocation until it is answered; its abort ends the invocation. */
  readonly attend: (request: ServedCall) => Promise<ServedAnswer>;
  /** Answers the request that waits, or the next one. */
  readonly deliver: (answer: ServedAnswer) => void;
  /** To the request that waits; there is no other to tell. */
  readonly progress: NonNullable<InvocationOptions["onProgress"]>;
}

export function createConversation({ caller, call }: Pick<Conversation, "caller" | "call">): Conversation {
  const ending = new AbortController();
  let kept: ServedAnswer | undefined;
  let waiting: { readonly request: ServedCall; readonly answer: (answer: ServedAnswer) => void } | undefined;

  const attend = (request: ServedCall): Promise<ServedAnswer> =>
    new Promise((resolve) => {
      const { signal } = request;
      const answer = (given: ServedAnswer): void => {
        signal.removeEventListener("abort", stop);
        waiting = undefined;
        resolve(given);
      };
      const stop = (): void => {
        ending.abort();
        answer({ kind: "answer", answer: failureAnswer("cancelled") });
      };
      waiting = { request, answer };
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      else if (kept !== undefined) answer(kept);
    });

  return {
    caller,
    call,
    ending,
    attend,
    deliver: (answer) => {
      if (waiting === undefined) kept = answer;
      else waiting.answer(answer);
    },
    progress: (progress) => waiting?.request.onProgress?.(progress),
  };
}
