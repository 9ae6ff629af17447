import { admitTarget, type AdmittedTarget, type EgressPolicy } from "../../domain/egress/target.ts";
import type { Egress, EgressRequest, EgressResponse } from "../../ports/egress.ts";
import { egressFailure, ExchangeError } from "./errors.ts";

/** Of every answer. Metadata and token answers of real servers stay below a tenth of it. */
export const RESPONSE_LIMIT_BYTES = 262_144;

export interface ExchangeContext {
  readonly egress: Egress;
  readonly policy: EgressPolicy;
  readonly signal: AbortSignal;
}

/** One answer, read to its end within the limit. */
export interface Answer {
  readonly status: number;
  readonly isJson: boolean;
  readonly text: string;
}

/** Admits a URL that somebody named, or throws an {@link ExchangeError}: nothing unchecked is contacted. */
export function admitUrl(url: string, { policy }: ExchangeContext): AdmittedTarget {
  const target = admitTarget(url, policy);
  if (!target.ok) throw new ExchangeError(egressFailure(target.refusal));
  return target.value;
}

/** Sends one request through the one egress. Throws an {@link ExchangeError}, or `signal.reason`. */
export async function send(
  url: string,
  request: Omit<EgressRequest, "responseLimitBytes">,
  context: ExchangeContext,
): Promise<EgressResponse> {
  const target = admitUrl(url, context);
  const answer = await context.egress.fetch(
    target,
    { ...request, responseLimitBytes: RESPONSE_LIMIT_BYTES },
    { signal: context.signal },
  );
  if (!answer.ok) throw new ExchangeError(egressFailure(answer.refusal));
  // An egress of the host's own may hand a redirect over: it is not followed here either.
  if (answer.value.status >= 300 && answer.value.status < 400) {
    answer.value.discard();
    throw new ExchangeError({
      kind: "authorization-server",
      reason: "invalid",
      status: answer.value.status,
    });
  }
  return answer.value;
}

/** Reads a whole body, which the egress bounds. Rejects with an `EgressError`, or `signal.reason`. */
export async function readAnswer(response: EgressResponse): Promise<Answer> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > RESPONSE_LIMIT_BYTES) {
      throw new ExchangeError({ kind: "authorization-server", reason: "invalid" });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  text += decoder.decode();
  const type = response.header("content-type") ?? "";
  return { status: response.status, isJson: /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type), text };
}

/** Parses JSON; `undefined` is no JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
