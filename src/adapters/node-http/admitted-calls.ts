import type { IncomingMessage, ServerResponse } from "node:http";

import { BODY_TOO_LARGE, BUSY, type TurnedAway } from "../../domain/gate/turned-away.ts";
import type { HttpLimits } from "./http-limits.ts";
import { readBody } from "./request-body.ts";
import type { WebHandler } from "./web-handler.ts";
import { parseBody, webRequest } from "./web-request.ts";
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
  readonly caller: string;
  readonly signal: AbortSignal;
  /** The client waits to be told that its body is welcome. */
  readonly awaitsContinue: boolean;
}

/** Answers admitted requests, so many at once. Each settles when its response is out, or its client gone. */
export class AdmittedCalls {
  readonly #handler: WebHandler;
  readonly #limits: HttpLimits;
  readonly #url: string;
  #running = 0;

  constructor(handler: WebHandler, { limits, url }: { readonly limits: HttpLimits; readonly url: string }) {
    this.#handler = handler;
    this.#limits = limits;
    this.#url = url;
  }

  /** Answers why the call was turned away after all; nothing was written then. */
  async serve(call: AdmittedCall): Promise<TurnedAway | undefined> {
    if (this.#running >= this.#limits.concurrentRequestsLimit) return BUSY;
    this.#running += 1;
    try {
      return await this.#answer(call);
    } finally {
      this.#running -= 1;
    }
  }

  async #answer({
    request,
    response,
    caller,
    signal,
    awaitsContinue,
  }: AdmittedCall): Promise<TurnedAway | undefined> {
    const { bodyLimitBytes } = this.#limits;
    if (awaitsContinue && Number(request.headers["content-length"] ?? 0) <= bodyLimitBytes)
      response.writeContinue();
    const body = await readBody(request, bodyLimitBytes);
    if (body === "too-large") return BODY_TOO_LARGE;
    if (body === "gone") return undefined;
    try {
      const parsed = parseBody(body);
      const web = await this.#handler.fetch(webRequest(request, { url: this.#url, body: parsed }), {
        caller,
        signal,
        isBehind: () => response.writableNeedDrain,
        ...("json" in parsed && { parsedBody: parsed.json }),
      });
      await writeWebResponse(response, web, { signal });
      await sent(response);
    } catch {
      // Its words may be the session's, or a secret of it.
      if (response.headersSent) response.destroy();
      else response.writeHead(500, INTERNAL_ERROR_HEADERS).end(INTERNAL_ERROR);
    }
    return undefined;
  }
}

/** A place is free again when the answer has left, not when it was written. */
function sent(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.writableFinished || response.destroyed) resolve();
    else response.once("finish", resolve).once("close", resolve);
  });
}
