import { decodeForm } from "../../domain/elicitation/decode-form.ts";
import type { ElicitationForm, FormAnswer } from "../../domain/elicitation/form.ts";
import { answerRound, decodeInputRound, ROUND_LIMIT } from "../../domain/elicitation/input-round.ts";
import type { ElicitationReason } from "../../domain/elicitation/refusal.ts";
import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { JsonObject } from "../../domain/json-value.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Elicit } from "../../ports/mcp-peer.ts";
import type { QuestionReply } from "./sdk-messages.ts";

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
/** Before a call is tried again that asked for nothing but that; the official client waits as long. */
const PACE_MS = 250;
const CANCEL: QuestionReply = { result: { action: "cancel" } };

/** What a server asks in the middle of one tool call, in either era: counted, one at a time, ended with the call (C7). */
export interface CallQuestions {
  /**
   * Older era: takes a request of the server that belongs to this call, and answers what is replied, or that nothing
   * is. `undefined`: it is none that a call can be asked.
   */
  take(
    method: string,
    params: unknown,
    withdrawn: AbortSignal,
  ): Promise<QuestionReply | undefined> | undefined;
  /** 2026-07-28: puts one whole round, and answers what the next attempt says besides. */
  answer(result: JsonObject): Promise<Outcome<JsonObject, ElicitationReason>>;
  /** What the call fails with, whatever its answer is. */
  failure(): ElicitationReason | undefined;
  /** When the server's time began to count again: while somebody thinks it does not count at all (C7b). */
  lastSignMs(): number;
  /** The call is over: withdraws every prompt. */
  end(): void;
}

export interface CallQuestionsOptions {
  readonly clock: Clock;
  /** Left out: whatever is asked, nobody is there. */
  readonly elicit: Elicit | undefined;
  /** Called when the failure is told, before anything is replied. */
  readonly onFailure: (reason: ElicitationReason) => void;
}

type Put = Outcome<FormAnswer, ElicitationReason> | "withdrawn";

export function createCallQuestions({ clock, elicit, onFailure }: CallQuestionsOptions): CallQuestions {
  const over = new AbortController();
  let rounds = 0;
  let failure: ElicitationReason | undefined;
  let thinking = 0;
  let signMs = -Infinity;
  let previous: Promise<unknown> = Promise.resolve();

  const fail = (reason: ElicitationReason): void => {
    if (failure !== undefined) return;
    failure = reason;
    onFailure(reason);
  };
  const refused = (reason: ElicitationReason): Outcome<never, ElicitationReason> => {
    fail(reason);
    return refuse(reason);
  };
  const failSilently = (reason: ElicitationReason): Promise<undefined> => {
    fail(reason);
    return Promise.resolve(undefined);
  };

  /** Puts one form and waits for the answer, or for the end of what it belongs to. */
  const put = async (form: ElicitationForm, withdrawn?: AbortSignal): Promise<Put> => {
    const signal = withdrawn === undefined ? over.signal : AbortSignal.any([over.signal, withdrawn]);
    if (elicit === undefined || signal.aborted) return "withdrawn";
    thinking += 1;
    try {
      return await Promise.race([elicit(form, { signal }), abortOf(signal)]);
    } finally {
      thinking -= 1;
      signMs = clock.monotonicMs();
    }
  };

  const reply = async (form: ElicitationForm, withdrawn: AbortSignal): Promise<QuestionReply | undefined> => {
    const answer = failure === undefined ? await put(form, withdrawn) : "withdrawn";
    if (answer === "withdrawn") return withdrawn.aborted ? undefined : CANCEL;
    if (answer.ok) return { result: { ...answer.value } };
    fail(answer.refusal);
    return errorReply(INTERNAL_ERROR);
  };

  return {
    take(method, params, withdrawn) {
      if (method === "elicitation/create") {
        if (elicit === undefined) return Promise.resolve(CANCEL);
        rounds += 1;
        if (rounds > ROUND_LIMIT) return failSilently("too-many-rounds");
        const form = decodeForm(params);
        if (!form.ok) {
          fail(form.refusal);
          return Promise.resolve(errorReply(INVALID_PARAMS));
        }
        const replied = previous.then(() => reply(form.value, withdrawn));
        previous = replied.catch(() => undefined);
        return replied;
      }
      if (elicit === undefined) return undefined;
      if (method === "sampling/createMessage") return failSilently("sampling-asked");
      return method === "roots/list" ? failSilently("roots-asked") : undefined;
    },
    async answer(result) {
      rounds += 1;
      if (rounds > ROUND_LIMIT) return refused("too-many-rounds");
      const round = decodeInputRound(result);
      if (!round.ok) return refused(round.refusal);
      const answers: { readonly key: string; readonly answer: FormAnswer }[] = [];
      for (const { key, form } of round.value.entries) {
        const answer = await put(form);
        if (answer === "withdrawn") return accept({});
        if (!answer.ok) return refused(answer.refusal);
        answers.push({ key, answer: answer.value });
      }
      if (answers.length === 0) await clock.wait(PACE_MS, over).catch(() => undefined);
      signMs = clock.monotonicMs();
      return accept(answerRound(round.value, answers));
    },
    failure: () => failure,
    lastSignMs: () => (thinking > 0 ? clock.monotonicMs() : signMs),
    end: () => over.abort("ended"),
  };
}

/** Fixed words: what went wrong on this side is none of a server's business. */
function errorReply(code: number): QuestionReply {
  return { error: { code, message: "the form was not answered" } };
}

function abortOf(signal: AbortSignal): Promise<"withdrawn"> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve("withdrawn"), { once: true });
  });
}
