import { checkAnswer } from "../../domain/elicitation/check-answer.ts";
import type { ElicitationForm, FormAnswer } from "../../domain/elicitation/form.ts";
import { toBase64Url } from "../../domain/oauth/bytes-text.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import { askedForm, type AskForm } from "./serve-ask.ts";
import type { Conversation } from "./serve-conversation.ts";

/** R10. */
export const STATE_LIFE_MS: number = 30 * 60_000;
/** 256 bits: nobody finds another's call by guessing. */
const STATE_BYTES = 32;
/** How often one prompt is put again because its answer did not fit. Our choice. */
const TRIES = 3;

const CANCEL: FormAnswer = { action: "cancel" };

interface Waiting {
  readonly conversation: Conversation;
  readonly settle: (said: unknown) => void;
}

export interface Rounds {
  askFormOf(conversation: Conversation): AskForm;
  /** Goes on with the conversation that a state stands for, which works once. */
  take(
    state: string,
    from: { readonly caller: string; readonly call: string },
  ): { readonly conversation: Conversation; readonly say: (said: unknown) => void } | undefined;
  /** States that wait for their client. */
  readonly waiting: number;
  close(): void;
}

/**
 * Asks by input-required rounds: the invocation waits, and its client finds it again by a state (R10). Half of the
 * invocations that may run wait at most, a quarter for one caller: the rest stay free for calls. Our choice.
 */
export function createRounds({
  clock,
  random,
  invocationsLimit,
}: {
  readonly clock: Clock;
  readonly random: Random;
  readonly invocationsLimit: number;
}): Rounds {
  const limits = { all: Math.ceil(invocationsLimit / 2), aCaller: Math.ceil(invocationsLimit / 4) };
  const states = new Map<string, Waiting>();
  const closing = new AbortController();

  const isFull = (caller: string): boolean => {
    if (states.size >= limits.all) return true;
    const own = [...states.values()].filter(({ conversation }) => conversation.caller === caller);
    return own.length >= limits.aCaller;
  };

  const put = (conversation: Conversation, form: ElicitationForm): Promise<unknown> => {
    if (closing.signal.aborted || isFull(conversation.caller)) return Promise.resolve(CANCEL);
    return new Promise((resolve) => {
      const state = toBase64Url(random.bytes(STATE_BYTES));
      const timer = new AbortController();
      const settle = (said: unknown): void => {
        states.delete(state);
        timer.abort();
        resolve(said);
      };
      states.set(state, { conversation, settle });
      clock.wait(STATE_LIFE_MS, { signal: AbortSignal.any([timer.signal, closing.signal]) }).then(
        () => {
          settle(CANCEL);
          conversation.ending.abort(); // Nobody came back for it.
        },
        () => settle(CANCEL), // Settled already, or closed.
      );
      conversation.deliver({ kind: "input-required", state, form: askedForm(form) });
    });
  };

  return {
    askFormOf: (conversation) => async (form) => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const checked = checkAnswer(form, await put(conversation, form));
        if (checked.ok) return checked.value;
      }
      return CANCEL;
    },
    take: (state, { caller, call }) => {
      const waiting = states.get(state);
      if (waiting === undefined) return undefined;
      const { conversation, settle } = waiting;
      // Somebody else's stays where it is: its own client still comes.
      return conversation.caller === caller && conversation.call === call
        ? { conversation, say: settle }
        : undefined;
    },
    get waiting() {
      return states.size;
    },
    close: () => closing.abort(),
  };
}
