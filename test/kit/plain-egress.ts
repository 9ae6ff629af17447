import { request as send, type IncomingMessage } from "node:http";

import type { EgressFailure } from "../../src/domain/egress/refusal.ts";
import type { AdmittedTarget } from "../../src/domain/egress/target.ts";
import { accept, refuse, type Outcome } from "../../src/domain/outcome.ts";
import { EgressError, type Egress, type EgressRequest, type EgressResponse } from "../../src/ports/egress.ts";

/** An egress for loopback on node:http alone, with no policy of its own: what stands above it is under test. */
export class PlainEgress implements Egress {
  /** Every request that was asked for, in order. */
  readonly asked: { readonly target: AdmittedTarget; readonly request: EgressRequest }[] = [];

  async fetch(
    target: AdmittedTarget,
    request: EgressRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Outcome<EgressResponse, EgressFailure>> {
    this.asked.push({ target, request });
    signal.throwIfAborted();
    const answer = await new Promise<IncomingMessage | undefined>((resolve, reject) => {
      const headers = Object.fromEntries(request.headers);
      const outgoing = send(target.href, { method: request.method, headers });
      const stop = (): void => {
        outgoing.destroy();
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      outgoing.on("error", () => resolve(undefined));
      outgoing.on("response", (message) => {
        message.on("close", () => signal.removeEventListener("abort", stop));
        resolve(message);
      });
      outgoing.end(request.body);
    });
    if (answer === undefined) return refuse({ kind: "network", reason: "connection-reset" });
    return accept(asResponse(answer));
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

function asResponse(message: IncomingMessage): EgressResponse {
  return {
    status: message.statusCode ?? 0,
    header: (name) => {
      const value = message.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    headerValues: (name) => message.headersDistinct[name] ?? [],
    body: readBody(message),
    discard: () => message.destroy(),
  };
}

async function* readBody(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of message) yield chunk as Uint8Array;
  } catch {
    throw new EgressError({ kind: "network", reason: "connection-reset" });
  }
}
