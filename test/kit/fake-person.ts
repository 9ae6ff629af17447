import type { Consent, Person, TypedLine } from "../../src/ports/person.ts";

/** A person who types these lines, one for each question, and then ends the input. `nobody`: there is no terminal. */
export class FakePerson implements Person {
  /** Everything that was asked, in order. */
  readonly asked: string[] = [];
  readonly #lines: string[] | undefined;

  constructor(lines: readonly string[] | "nobody") {
    this.#lines = lines === "nobody" ? undefined : [...lines];
  }

  async confirm(question: string, options: { readonly signal: AbortSignal }): Promise<Consent> {
    const answer = await this.line(question, options);
    if (answer === "nobody") return answer;
    return answer !== "ended" && /^\s*y(?:es)?\s*$/i.test(answer.typed) ? "yes" : "no";
  }

  async line(prompt: string, { signal }: { readonly signal: AbortSignal }): Promise<TypedLine> {
    signal.throwIfAborted();
    if (this.#lines === undefined) return "nobody";
    this.asked.push(prompt);
    const typed = this.#lines.shift();
    return typed === undefined ? "ended" : { typed };
  }
}
