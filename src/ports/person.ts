/** What a person said. `nobody`: there is no terminal to ask at, and nothing was shown or waited for (M6). */
export type Consent = "yes" | "no" | "nobody";

/** For asking the one person at hand. */
export interface Person {
  /**
   * Asks a question that only a plain yes answers with `yes`; an empty line, anything else and the end of the
   * input are a `no`. The question is shown as it is: who asks has made it fit to be shown.
   * Rejects only with `signal.reason`.
   */
  confirm(question: string, options: { readonly signal: AbortSignal }): Promise<Consent>;
}
