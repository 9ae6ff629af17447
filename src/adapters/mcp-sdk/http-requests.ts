import type { JSONRPCMessage } from "@modelcontextprotocol/client";

import type { HeaderPair } from "../../domain/http/headers.ts";
import { traceHeaders } from "../../domain/http/trace.ts";
import type { EgressResponse } from "../../ports/egress.ts";
import { authorizedExchange } from "./http-authorization.ts";
import type { HttpCall } from "./http-call.ts";
import { sessionError, type HttpLink } from "./http-link.ts";
import { claimedVersion, isModernVersion, protocolHeaders } from "./http-wire.ts";

const ACCEPT_ANSWER = "application/json, text/event-stream";
const ACCEPT_STREAM = "text/event-stream";

/** The three requests that a carrier makes, with the headers that the protocol asks for on each. */
export interface HttpRequests {
  /** Whether a message belongs to 2026-07-28: by its own claim, else by what the connection agreed on (H6). */
  isModern(message: JSONRPCMessage): boolean;
  /** Sends one message. Rejects with a `CarrierError`. */
  post(
    message: JSONRPCMessage,
    options: { readonly signal: AbortSignal; readonly headers?: readonly HeaderPair[] },
  ): Promise<EgressResponse>;
  /** What a call's trace context adds to the request that is made for it (H5). */
  traceHeaders(call: HttpCall): readonly HeaderPair[];
  /** Headers of a GET that opens the server's stream, or resumes one after an event. */
  streamHeaders(lastEventId: string | undefined): readonly HeaderPair[];
  /** Ends the server's session (Session Management, 5). Best effort: 405 and silence are fine. Never rejects. */
  endSession(sessionId: string): Promise<void>;
}

export function createHttpRequests(
  link: HttpLink,
  state: { readonly sessionId: () => string | undefined; readonly version: () => string | undefined },
): HttpRequests {
  const isModern = (message: JSONRPCMessage): boolean =>
    isModernVersion(claimedVersion(message) ?? state.version());

  const streamHeaders = (lastEventId: string | undefined): HeaderPair[] => {
    const headers: HeaderPair[] = [...link.headers, ["accept", ACCEPT_STREAM]];
    const version = state.version();
    const sessionId = state.sessionId();
    if (version !== undefined) headers.push(["mcp-protocol-version", version]);
    if (sessionId !== undefined) headers.push(["mcp-session-id", sessionId]);
    if (lastEventId !== undefined) headers.push(["last-event-id", lastEventId]);
    return headers;
  };

  return {
    isModern,
    streamHeaders,
    traceHeaders: ({ trace, method }) =>
      traceHeaders(trace, { method, origin: link.target.origin, origins: link.traceOrigins }),
    post(message, options) {
      const method = "method" in message ? message.method : undefined;
      const sessionId = method === "initialize" || isModern(message) ? undefined : state.sessionId();
      const headers: HeaderPair[] = [
        ...link.headers,
        ["content-type", "application/json"],
        ["accept", ACCEPT_ANSWER],
        ...protocolHeaders(message, state.version()),
        ...(options.headers ?? []),
      ];
      if (sessionId !== undefined) headers.push(["mcp-session-id", sessionId]);
      // Where a tool's answer is one JSON body, its headers come no sooner than the answer itself.
      const headersTimeoutMs = method === "tools/call" ? link.toolHeadersTimeoutMs : undefined;
      const request = {
        method: "POST" as const,
        headers,
        body: JSON.stringify(message),
        ...(headersTimeoutMs !== undefined && { headersTimeoutMs }),
      };
      return authorizedExchange(link, request, options.signal);
    },
    async endSession(sessionId) {
      const over = new AbortController();
      const headers: HeaderPair[] = [...streamHeaders(undefined), ["mcp-session-id", sessionId]];
      const ended = authorizedExchange(link, { method: "DELETE", headers }, over.signal).then((response) =>
        response.discard(),
      );
      await Promise.race([ended, link.clock.wait(link.limits.closeMs, over)]).catch(() => undefined);
      // Ends whichever is left; both were given their handlers by the race.
      over.abort(sessionError(link, "timeout", { stage: "connect" }));
    },
  };
}
