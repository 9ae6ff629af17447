import { checkAnswer } from "../../domain/elicitation/check-answer.ts";
import type { FormAnswer } from "../../domain/elicitation/form.ts";
import { refuse } from "../../domain/outcome.ts";
import type { Ask } from "../../ports/ask.ts";
import type { Elicit } from "../../ports/mcp-peer.ts";

/**
 * Makes what puts a server's forms to whoever made one call, under the configured name of the server (C7). An answer
 * goes back only where it fits its form.
 */
export function putFormsTo(ask: Ask, serverId: string): Elicit {
  return async (form, { signal }) => {
    let answer: FormAnswer;
    try {
      answer = await ask({ serverId, form }, { signal });
    } catch {
      // The host's own fault, or its way to follow the signal. What it threw may hold what a person typed.
      return refuse("ask-failed");
    }
    const checked = checkAnswer(form, answer);
    return checked.ok ? checked : refuse("answer-mismatch");
  };
}
