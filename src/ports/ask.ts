import type { ElicitationForm, FormAnswer } from "../domain/elicitation/form.ts";

/** A form that a server raised during one call. */
export interface AskPrompt {
  /** The configured name of the server that asks, never a name of its own choosing. */
  readonly serverId: string;
  readonly form: ElicitationForm;
}

/**
 * For putting a server's form to whoever made the call (C7). Given with a call, and asked for that call alone. The
 * signal ends with the call: the prompt has to be withdrawn then. An answer that does not fit the form fails the call,
 * and so does a rejection; neither reaches the server as an answer.
 */
export type Ask = (prompt: AskPrompt, options: { readonly signal: AbortSignal }) => Promise<FormAnswer>;
