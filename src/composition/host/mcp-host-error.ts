import type { HomeRefusal, StoreRefusal } from "../../domain/activation/store-refusal.ts";

/** Thrown where a host cannot come to be: it has no safe home, or a store that cannot be trusted. */
export class McpHostError extends Error {
  readonly refusal: HomeRefusal | StoreRefusal;

  /** `sentence`: what went wrong and what helps, out of our own table. Default: the refusal's kind and reason. */
  constructor(refusal: HomeRefusal | StoreRefusal, sentence?: string) {
    super(sentence ?? `${refusal.kind}/${refusal.reason}`);
    this.name = "McpHostError";
    this.refusal = refusal;
  }
}
