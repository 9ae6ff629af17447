import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/client";

/** One JSON-RPC message of the server, told apart by what it needs. */
export type Incoming =
  | { readonly kind: "answer" | "request"; readonly id: RequestId; readonly message: JSONRPCMessage }
  /** Meant for a request, and not what an answer has to be. */
  | { readonly kind: "broken-answer"; readonly id: RequestId }
  | { readonly kind: "notification"; readonly message: JSONRPCMessage };

/** A byte order mark stays in the text, where JSON refuses it. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads one frame. `undefined`: not UTF-8, not JSON, or not one JSON-RPC 2.0 message. Only the shape of the
 * envelope is checked; what is inside stays untrusted.
 */
export function readMessage(frame: Uint8Array): Incoming | undefined {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(frame));
  } catch {
    return undefined;
  }
  return isObject(value) && value["jsonrpc"] === "2.0" ? classify(value) : undefined;
}

function classify(value: Readonly<Record<string, unknown>>): Incoming | undefined {
  const { id, method, params } = value;
  // `as`: `classify` is the check that makes it one; the SDK's own costs a schema run for each message.
  const message = value as JSONRPCMessage;
  if (method === undefined) {
    if (!isRequestId(id)) return undefined;
    return isAnswer(value) ? { kind: "answer", id, message } : { kind: "broken-answer", id };
  }
  if (typeof method !== "string" || (params !== undefined && !isObject(params))) return undefined;
  if (id === undefined) return { kind: "notification", message };
  return isRequestId(id) ? { kind: "request", id, message } : undefined;
}

/** Exactly one of a result, which MCP makes an object, and an error with a code and a message. */
function isAnswer({ result, error }: Readonly<Record<string, unknown>>): boolean {
  if (error === undefined) return isObject(result);
  return (
    result === undefined &&
    isObject(error) &&
    Number.isInteger(error["code"]) &&
    typeof error["message"] === "string"
  );
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isInteger(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
