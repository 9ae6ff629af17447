import { checkAnswer } from "../../domain/elicitation/check-answer.ts";
import type { ElicitationForm, FormAnswer } from "../../domain/elicitation/form.ts";
import { formSchema } from "../../domain/elicitation/form-schema.ts";
import type { AgentAnswer, AgentPrompt } from "../../domain/serve/agent.ts";
import { promptAnswer, promptForm } from "../../domain/serve/prompt-form.ts";
import type { AskedForm } from "../../ports/served-agent.ts";

/** Our choice, as many as a client goes through for one call (the SDK's client: 10 rounds). */
export const PROMPTS_A_CALL = 10;

const CANCELLED: AgentAnswer = { kind: "cancelled" };

export type AskForm = (
  form: ElicitationForm,
  options: { readonly signal: AbortSignal },
) => Promise<FormAnswer>;

/**
 * Makes the `ask` of one invocation (R10): one prompt at a time, at most {@link PROMPTS_A_CALL}. What is masked, or no
 * form at all, and a prompt that nobody answers are cancelled. Ends with the invocation.
 */
export function createAsk(
  askForm: AskForm,
  { signal: ending }: { readonly signal: AbortSignal },
): (prompt: AgentPrompt, options: { readonly signal: AbortSignal }) => Promise<AgentAnswer> {
  let before: Promise<unknown> = Promise.resolve();
  let asked = 0;
  const askNow = async (prompt: AgentPrompt, signal: AbortSignal): Promise<AgentAnswer> => {
    const form = promptForm(prompt);
    if (form === undefined || signal.aborted || asked >= PROMPTS_A_CALL) return CANCELLED;
    asked += 1;
    const answer = await askForm(form, { signal });
    // Late is no answer: the call that it was for is over.
    return signal.aborted ? CANCELLED : promptAnswer(prompt, answer);
  };
  return (prompt, options) => {
    const signal = AbortSignal.any([ending, options.signal]);
    const answer = before.then(() => askNow(prompt, signal)).catch(() => CANCELLED);
    before = answer;
    return untilAborted(answer, signal);
  };
}

/** A prompt that is withdrawn is cancelled at once, whoever still thinks about it. */
function untilAborted(answer: Promise<AgentAnswer>, signal: AbortSignal): Promise<AgentAnswer> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(CANCELLED);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    void answer.then((value) => {
      signal.removeEventListener("abort", stop);
      resolve(value);
    });
  });
}

export function askedForm(form: ElicitationForm): AskedForm {
  return { message: form.message, requestedSchema: formSchema(form) };
}

/** Asks through something that answers unchecked; what does not fit the form is no answer. */
export function checkedAsk(
  ask: (form: AskedForm, options: { readonly signal: AbortSignal }) => Promise<unknown>,
): AskForm {
  return async (form, options) => {
    const checked = checkAnswer(form, await ask(askedForm(form), options));
    return checked.ok ? checked.value : { action: "cancel" };
  };
}
