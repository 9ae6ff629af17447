import type { JSONRPCRequest, RequestId } from "@modelcontextprotocol/client";

import type { JsonObject } from "../../domain/json-value.ts";

/** Characters of an error message that go on; it is cut to less where it is shown. */
const ERROR_TEXT_LIMIT = 2_048;
const INTERNAL_ERROR = -32_603;

/** Carries a {@link RequestRecord} inside a request's parameters: spreading keeps it, JSON leaves it out. */
export const RECORD: unique symbol = Symbol("request record");

/** Who is told what came for one request. */
export interface RequestRecord {
  /** The id that the client gave it, right before it is sent. */
  readonly onSending?: (id: RequestId) => void;
  /** See `PeerRequestOptions`. */
  readonly receiveLimitBytes?: number | undefined;
  readonly onResult: (raw: unknown) => void;
  readonly onProgress: (params: JsonObject) => void;
  /**
   * Takes what the server asks meanwhile, in the older era; answers what is replied, or that nothing is. `undefined`:
   * not this request's to answer.
   */
  readonly onQuestion?: (
    method: string,
    params: unknown,
    withdrawn: AbortSignal,
  ) => Promise<QuestionReply | undefined> | undefined;
}

/** What goes back for a request of the server. */
export type QuestionReply =
  | { readonly result: { readonly [key: string]: unknown } }
  | { readonly error: { readonly code: number; readonly message: string } };

/**
 * A result that fits every schema of the official client, so that it reads none of ours. Its 2026-07-28
 * codec validates whole results even where a caller passes its own schema, and one malformed tool, or one
 * content block of an unknown type, would cost the whole answer (faults G10, I5).
 */
export const STAND_IN = {
  resultType: "complete",
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  content: [],
  messages: [],
  completion: { values: [] },
  ttlMs: 0,
  cacheScope: "private",
} as const;

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

export function readRecord(message: JSONRPCRequest): RequestRecord | undefined {
  // `as`: the client's type for parameters knows no symbols; only this folder puts one there.
  return (message.params as { readonly [RECORD]?: RequestRecord } | undefined)?.[RECORD];
}

export function readError(error: JsonObject): {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
} {
  const { code, message, data } = error;
  return {
    code: Number.isSafeInteger(code) ? Number(code) : INTERNAL_ERROR,
    message: typeof message === "string" ? message.slice(0, ERROR_TEXT_LIMIT) : "",
    ...(data !== undefined && { data }),
  };
}
