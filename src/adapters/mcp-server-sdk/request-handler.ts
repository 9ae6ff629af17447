import { createMcpHandler, isJsonContentType, readRequestBody } from "@modelcontextprotocol/server";

import { isIdentity } from "../../domain/gate/body-codings.ts";
import { SUBSCRIPTIONS_LIMIT } from "../../domain/gate/shares.ts";
import type { ServedAgent } from "../../ports/served-agent.ts";
import { createSdkServer, type ServerIdentity } from "./sdk-server.ts";

export interface RequestHandlerOptions {
  readonly identity: ServerIdentity;
  readonly agent: ServedAgent;
  readonly askClient: boolean;
  /** In bytes, of a body that is not parsed yet. */
  readonly bodyLimitBytes: number;
}

export interface RequestContext {
  /** Whose request it is, in a name that the gate gave; never out of the request itself. */
  readonly caller: string;
  /** Ends this request's invocation, and no other. */
  readonly signal: AbortSignal;
  /** Whether the client does not keep up with reading; progress is dropped meanwhile. Left out: nobody can say. */
  readonly isBehind?: () => boolean;
  /** The JSON of the body, where it was read already. */
  readonly parsedBody?: unknown;
}

export interface McpRequestHandler {
  readonly fetch: (request: Request, context: RequestContext) => Promise<Response>;
  /** Ends what runs and settles what waits. Idempotent; a request that comes later is turned away. */
  readonly close: () => Promise<void>;
}

/**
 * Answers MCP over HTTP without a session: one server instance a request, both eras from one place, no stream besides
 * an answer's own (R3b, R8). Authentication, Host and Origin are the business of whoever calls it.
 */
export function createRequestHandler(options: RequestHandlerOptions): McpRequestHandler {
  const { agent } = options;
  let isClosed = false;
  const handler = createMcpHandler(
    ({ era, authInfo }) =>
      createSdkServer({
        ...options,
        caller: authInfo?.clientId ?? "",
        // Only a subscription of 2026-07-28 brings changes over HTTP, and none of the earlier revisions has one here.
        hasWayBack: false,
        isBehind: readIsBehind(authInfo?.extra),
        tellsChanges: era === "modern",
      }),
    { legacy: "stateless", maxSubscriptions: SUBSCRIPTIONS_LIMIT },
  );
  const stopTelling = agent.onToolsChanged?.(coalesced(() => handler.notify.toolsChanged()));

  return {
    fetch: async (request, { caller, signal, parsedBody, isBehind }) => {
      if (isClosed) return jsonRpcError(503, { code: -32_000, message: "The server has stopped" });
      if (request.method !== "POST") return jsonRpcError(405, NO_STREAM);
      if (!isJsonContentType(request.headers.get("content-type"))) return jsonRpcError(415, NOT_JSON_TYPE);
      if (!isIdentity(request.headers.get("content-encoding") ?? "")) return jsonRpcError(415, COMPRESSED);
      const body = parsedBody === undefined ? await readBody(request, options) : { parsedBody };
      if (body instanceof Response) return body;
      // A batch would be a hundred calls in the place of one that the gate let in.
      if (Array.isArray(body.parsedBody)) return jsonRpcError(400, NO_BATCH);
      const ending = AbortSignal.any([request.signal, signal]);
      return handler.fetch(bodyless(request, ending), {
        parsedBody: body.parsedBody,
        // The SDK's way to hand something on to an instance: a name, and no token.
        authInfo: { token: "", clientId: caller, scopes: [], extra: { isBehind } },
      });
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      stopTelling?.();
      agent.close(); // Answers whoever waits, in both eras.
      await handler.close();
    },
  };
}

/** Out of what the SDK hands on, which it types as anything. */
function readIsBehind(extra: Readonly<Record<string, unknown>> | undefined): () => boolean {
  const isBehind = extra?.["isBehind"];
  return () => typeof isBehind === "function" && isBehind() === true;
}

const NO_STREAM = { code: -32_000, message: "Method not allowed: there are no streams but those of answers" };
const NOT_JSON_TYPE = {
  code: -32_000,
  message: "Unsupported media type: the body has to be application/json",
};
const COMPRESSED = { code: -32_000, message: "Unsupported content coding: the body has to be sent as it is" };
const NO_BATCH = { code: -32_600, message: "Invalid request: batches are not served" };
const NOT_JSON = { code: -32_700, message: "Parse error: the body is not JSON" };
const TOO_LARGE = { code: -32_000, message: "The body is too large" };

async function readBody(
  request: Request,
  { bodyLimitBytes }: RequestHandlerOptions,
): Promise<Response | { readonly parsedBody: unknown }> {
  try {
    const body = await readRequestBody(request, bodyLimitBytes);
    return body.tooLarge ? jsonRpcError(413, TOO_LARGE) : { parsedBody: JSON.parse(body.text) };
  } catch {
    return jsonRpcError(400, NOT_JSON);
  }
}

/** The head of a request whose body was read, ended by more than its own client. */
function bodyless({ url, headers }: Request, signal: AbortSignal): Request {
  return new Request(url, { method: "POST", headers, signal });
}

function jsonRpcError(status: number, error: { readonly code: number; readonly message: string }): Response {
  return Response.json(
    { jsonrpc: "2.0", error, id: null },
    { status, ...(status === 405 && { headers: { Allow: "POST" } }) },
  );
}

/** Many changes in one go are one notification. */
function coalesced(tell: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      tell();
    });
  };
}
