import type { ListenRefusal } from "../../domain/gate/listen-refusal.ts";

/** Thrown where a host does not come to listen. */
export class McpListenError extends Error {
  readonly refusal: ListenRefusal;

  constructor(refusal: ListenRefusal) {
    super(`${refusal.kind}/${refusal.reason}`);
    this.name = "McpListenError";
    this.refusal = refusal;
  }
}
