import type { IncomingMessage, ServerResponse } from "node:http";

import { CallerCount, halfOf, isSubscription, SUBSCRIPTIONS_LIMIT } from "../../domain/gate/shares.ts";
import { BODY_TOO_LARGE, BUSY, CALLER_BUSY, type TurnedAway } from "../../domain/gate/turned-away.ts";
import type { Admitted } from "../../ports/http-gate.ts";
import type { HttpLimits } from "./http-limits.ts";
import { readBody } from "./request-body.ts";
import type { WebHandler } from "./web-handler.ts";
import { parseBody, type ParsedBody, webRequest } from "./web-request.ts";
import { writeWebResponse } from "./web-response.ts";

/** JSON-RPC's word for a fault of the server, and none of ours. */
const INTERNAL_ERROR = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}';
const INTERNAL_ERROR_HEADERS = {
  "content-type": "application/json",
  "content-length": String(INTERNAL_ERROR.length),
};

export interface AdmittedCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly admitted: Admitted;
  readonly signal: AbortSignal;
  /** The client waits to be told that its body is welcome. */
  readonly awaitsContinue: boolean;
}

/** Answers admitted requests, so many at once. Each settles when its response is out, or its client gone. */
export class AdmittedCalls {
  readonly #handler: WebHandler;
  readonly #limits: HttpLimits;
  readonly #url: string;
  readonly #requests: CallerCount = new CallerCount();
  readonly #subscriptions: CallerCount = new CallerCount();
  #running = 0;

  constructor(handler: WebHandler, { limits, url }: { readonly limits: HttpLimits; readonly url: string }) {
    this.#handler = handler;
    this.#limits = limits;
    this.#url = url;
  }

  /** Answers why the call was turned away after all; nothing was written then. */
  async serve(call: AdmittedCall): Promise<TurnedAway | undefined> {
    const { concurrentRequestsLimit } = this.#limits;
    if (this.#running >= concurrentRequestsLimit) return BUSY;
    const { caller, isOneOfMany = false } = call.admitted;
    const share = isOneOfMany ? halfOf(concurrentRequestsLimit) : concurrentRequestsLimit;
    if (!this.#requests.take(caller, share)) return CALLER_BUSY;
    this.#running += 1;
    try {
      return await this.#read(call);
    } finally {
      this.#running -= 1;
      this.#requests.leave(caller);
    }
  }

  async #read(call: AdmittedCall): Promise<TurnedAway | undefined> {
    const { request, response, admitted, awaitsContinue } = call;
    const { bodyLimitBytes } = this.#limits;
    if (awaitsContinue && Number(request.headers["content-length"] ?? 0) <= bodyLimitBytes)
      response.writeContinue();
    const body = await readBody(request, bodyLimitBytes);
    if (body === "too-large") return BODY_TOO_LARGE;
    if (body === "gone") return undefined;
    const parsed = parseBody(body);
    const { caller, isOneOfMany = false } = admitted;
    if (!isOneOfMany || !("json" in parsed) || !isSubscription(parsed.json)) {
      await this.#answer(call, parsed);
      return undefined;
    }
    if (!this.#subscriptions.take(caller, halfOf(SUBSCRIPTIONS_LIMIT))) return CALLER_BUSY;
    try {
      await this.#answer(call, parsed);
      return undefined;
    } finally {
      this.#subscriptions.leave(caller);
    }
  }

  async #answer({ request, response, admitted, signal }: AdmittedCall, parsed: ParsedBody): Promise<void> {
    try {
      const { caller, expired } = admitted;
      const web = await this.#handler.fetch(webRequest(request, { url: this.#url, body: parsed }), {
        caller,
        signal,
        isBehind: () => response.writableNeedDrain,
        ...("json" in parsed && { parsedBody: parsed.json }),
      });
      await writeWebResponse(response, web, { signal, expired });
      await sent(response);
    } catch {
      // Its words may be the session's, or a secret of it.
      if (response.headersSent) response.destroy();
      else response.writeHead(500, INTERNAL_ERROR_HEADERS).end(INTERNAL_ERROR);
    }
  }
}

/** A place is free again when the answer has left, not when it was written. */
function sent(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.writableFinished || response.destroyed) resolve();
    else response.once("finish", resolve).once("close", resolve);
  });
}
