import { isOlderEraEvidence, type Incoming } from "../../domain/http/message.ts";
import type { EgressResponse } from "../../ports/egress.ts";
import type { HttpCall } from "./http-call.ts";
import { incomingError, readIncoming } from "./http-incoming.ts";
import { answerLimitBytes, bodyError, sessionError, statusError, type HttpLink } from "./http-link.ts";
import { takeStream } from "./http-stream.ts";
import { mediaType } from "./http-wire.ts";

const METHOD_NOT_FOUND = -32_601;

/**
 * Reads the response to a call's own POST until the call is answered. Rejects with a `CarrierError` as soon as
 * the answer cannot come any more (H3b); for a stream it goes on, bounded, after the answer.
 */
export async function takeAnswer(link: HttpLink, call: HttpCall, response: EgressResponse): Promise<void> {
  const { status } = response;
  const type = mediaType(response.header("content-type"));
  if (status === 401 || status === 403) {
    response.discard();
    throw sessionError(link, "auth-required", { stage: call.stage, code: status });
  }
  if (status >= 300) return takeErrorBody(link, call, response);
  if (type === "text/event-stream" && status === 200) return takeStream(link, call, response);
  if (type === "application/json" && status === 200) return takeJson(link, call, response);
  // 202 and 204 say that no answer follows, and another type is none (Sending Messages to the Server, 5).
  response.discard();
  throw sessionError(link, "invalid-response", { stage: call.stage, code: status });
}

async function takeJson(link: HttpLink, call: HttpCall, response: EgressResponse): Promise<void> {
  const text = await readText(link, call, { response, limitBytes: answerLimitBytes(link, call) });
  const incoming = readIncoming(text, call.id);
  // A body is exactly one answer: batches left the protocol with 2025-06-18 and are refused.
  if (incoming.kind !== "answer") throw incomingError(link, call, incoming);
  call.answer(incoming.message);
}

/**
 * A 4xx may carry the JSON-RPC error that answers the request (2026-07-28 sends -32601, -32602 and
 * -32020…-32022 so). The text of anything else is dropped.
 */
async function takeErrorBody(link: HttpLink, call: HttpCall, response: EgressResponse): Promise<void> {
  const { status } = response;
  const failure = statusError(link, response, call.stage);
  const isClientError = status >= 400 && status < 500;
  if (isClientError && mediaType(response.header("content-type")) === "application/json") {
    const limitBytes = link.limits.errorBodyBytes;
    const incoming = await readText(link, call, { response, limitBytes }).then(
      (text) => readIncoming(text, call.id),
      (): Incoming => ({ kind: "invalid" }),
    );
    if (incoming.kind === "answer" && "error" in incoming.message) {
      call.answer(incoming.message);
      return;
    }
  }
  response.discard();
  if (!isOlderEraEvidence(call.method, status)) throw failure;
  // The official client chooses the era by a JSON-RPC verdict or by its own transport's error class, so the
  // status is said in the first form: no such method.
  const error = {
    code: METHOD_NOT_FOUND,
    message: `server/discover was answered with HTTP status ${status}`,
  };
  call.answer({ jsonrpc: "2.0", id: call.id, error });
}

async function readText(
  link: HttpLink,
  call: HttpCall,
  body: { readonly response: EgressResponse; readonly limitBytes: number },
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of body.response.body) {
      bytes += chunk.length;
      if (bytes > body.limitBytes) throw sessionError(link, "response-too-large", { stage: call.stage });
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    body.response.discard();
    if (error instanceof TypeError) throw sessionError(link, "invalid-response", { stage: call.stage });
    throw bodyError(link, error, call);
  }
}
