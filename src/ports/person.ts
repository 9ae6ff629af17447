/** What a person said. `nobody`: there is no terminal to ask at, and nothing was shown or waited for (M6). */
export type Consent = "yes" | "no" | "nobody";

/** One line that a person typed. `ended`: there will be none. `nobody`: as in {@link Consent}. */
export type TypedLine = { readonly typed: string } | "ended" | "nobody";

/** For asking the one person at hand. What is shown is shown as it is: who asks has made it fit to be shown. */
export interface Person {
  /**
   * Asks a question that only a plain yes answers with `yes`; an empty line, anything else and the end of the
   * input are a `no`. Rejects only with `signal.reason`.
   */
  confirm(question: string, options: { readonly signal: AbortSignal }): Promise<Consent>;
  /**
   * Asks for one line, which may be empty. One that is longer than the port takes counts as the end of the input.
   * Rejects only with `signal.reason`.
   */
  line(prompt: string, options: { readonly signal: AbortSignal }): Promise<TypedLine>;
}
