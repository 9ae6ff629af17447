import type { EgressFailure, EgressRefusal } from "../../src/domain/egress/refusal.ts";
import type { AdmittedTarget } from "../../src/domain/egress/target.ts";
import { accept, refuse, type Outcome } from "../../src/domain/outcome.ts";
import { EgressError, type Egress, type EgressRequest, type EgressResponse } from "../../src/ports/egress.ts";

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Decoded body, in the chunks it arrives in. */
  readonly chunks?: readonly (string | Uint8Array)[];
}

type Answer = ScriptedAnswer | EgressRefusal | EgressFailure;

export interface SentRequest {
  readonly target: AdmittedTarget;
  readonly request: EgressRequest;
}

/** An egress without a network: a test says what each request is answered with. */
export class FakeEgress implements Egress {
  readonly sent: SentRequest[] = [];
  /** Responses whose body was neither read to the end, left nor discarded. */
  open = 0;
  #closed = false;
  readonly #answer: (sent: SentRequest) => Answer | Promise<Answer>;

  constructor(answer: (sent: SentRequest) => Answer | Promise<Answer>) {
    this.#answer = answer;
  }

  async fetch(
    target: AdmittedTarget,
    request: EgressRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Outcome<EgressResponse, EgressRefusal | EgressFailure>> {
    signal.throwIfAborted();
    if (this.#closed) return refuse({ kind: "egress", reason: "closed" });
    this.sent.push({ target, request });
    const answer = await this.#answer({ target, request });
    signal.throwIfAborted();
    return "kind" in answer ? refuse(answer) : accept(this.#respond(answer, { request, signal }));
  }

  #respond(
    { status, headers = {}, chunks = [] }: ScriptedAnswer,
    { request, signal }: { readonly request: EgressRequest; readonly signal: AbortSignal },
  ): EgressResponse {
    this.open += 1;
    let over = false;
    const discard = (): void => {
      if (!over) this.open -= 1;
      over = true;
    };
    const limit = request.responseLimitBytes;
    const isClosed = (): boolean => this.#closed;
    const body = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      let bytes = 0;
      try {
        for (const chunk of chunks) {
          signal.throwIfAborted();
          if (isClosed()) throw new EgressError({ kind: "egress", reason: "closed" });
          const piece = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
          bytes += piece.byteLength;
          if (limit !== null && bytes > limit) {
            throw new EgressError({ kind: "egress", reason: "response-too-large" });
          }
          yield piece;
        }
      } finally {
        discard();
      }
    };
    const headerValues = (name: string): readonly string[] => [headers[name] ?? []].flat();
    return { status, header: (name) => headerValues(name)[0], headerValues, body: body(), discard };
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
