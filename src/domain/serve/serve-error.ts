import type { ServedCatalogRefusal } from "./refusal.ts";

/** Why a session is not served (any more) before it was. Closed set. */
export type ServeErrorCode =
  /** `refusal` says what is wrong with the session's tools. */
  | "catalog"
  | "start-timeout"
  | "stopped"
  | "input-ended"
  | "frame-limit"
  | "output-failed"
  /** Of a listener. A port that only the system may listen on counts as taken. */
  | "port-taken"
  | "address-unavailable";

/** Thrown where serving a session cannot begin. Never a word of the session's or a client's. */
export class McpServeError extends Error {
  readonly code: ServeErrorCode;
  readonly refusal: ServedCatalogRefusal | undefined;

  constructor(code: ServeErrorCode, refusal?: ServedCatalogRefusal) {
    super(refusal === undefined ? code : `${refusal.kind}/${refusal.reason}`);
    this.name = "McpServeError";
    this.code = code;
    this.refusal = refusal;
  }
}
