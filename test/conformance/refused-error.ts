import { describeRefusal, type Refusal } from "../../src/composition/index.ts";

/** What ended a run: our own refusal, in our own words. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`${refusal.kind}/${refusal.reason}: ${describeRefusal(refusal)}`);
    this.name = "RefusedError";
    this.refusal = refusal;
  }
}
