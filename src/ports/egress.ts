import type { EgressFailure, EgressRefusal } from "../domain/egress/refusal.ts";
import type { AdmittedTarget } from "../domain/egress/target.ts";
import type { Outcome } from "../domain/outcome.ts";

export interface EgressRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Names are lower case. Only what is listed here is sent, besides what HTTP itself needs. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /** Deadline from sending to response headers. Absent: the egress' own default (30 s). */
  readonly headersTimeoutMs?: number;
  /** Bytes of decoded body after which the stream fails with `response-too-large`; `null`: the caller counts. */
  readonly responseLimitBytes: number | null;
}

export interface EgressResponse {
  readonly status: number;
  /** First value of a header, name in lower case. */
  header(name: string): string | undefined;
  /** Every value of a header, in order, name in lower case; one that came twice has two. */
  headerValues(name: string): readonly string[];
  /**
   * The decoded body. Reading rejects with an {@link EgressError} on a bound, a cut or a closed egress, and
   * with `signal.reason` on an abort; leaving the iteration early, or `discard()`, releases the socket. It can
   * be iterated once. A body that is neither read nor discarded holds its socket until the egress closes.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Drops the body unread and releases the socket. Idempotent. */
  discard(): void;
}

/** For every byte that leaves over a network. The only way out (E1). */
export interface Egress {
  /**
   * One exchange: resolve, check every address, pin, connect, send. Redirects are refused (E7): every 3xx
   * but 304. A target that `admitTarget` did not make is refused with `endpoint-mismatch`.
   *
   * Rejects only with `signal.reason`, or with a TypeError for a header that callers have to check before:
   * a malformed one, or one of the connection and its framing (`host`, `content-length`, `proxy-*` ...).
   */
  fetch(
    target: AdmittedTarget,
    request: EgressRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<EgressResponse, EgressRefusal | EgressFailure>>;
  /** Aborts everything under way, releases every socket. Idempotent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What iterating a response body throws: carries the refusal, and nothing of a library. */
export class EgressError extends Error {
  readonly refusal: EgressRefusal | EgressFailure;

  constructor(refusal: EgressRefusal | EgressFailure) {
    super(`${refusal.kind}/${refusal.reason}`);
    this.name = "EgressError";
    this.refusal = refusal;
  }
}
