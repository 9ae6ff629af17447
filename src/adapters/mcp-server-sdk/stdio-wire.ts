import { isJSONRPCRequest, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";

import { isJsonObject, type JsonObject } from "../../domain/json-value.ts";
import type { StdioInput } from "./stdio-input.ts";
import type { StdioServeLimits } from "./stdio-limits.ts";
import type { StdioOutput } from "./stdio-output.ts";

/** A byte order mark stays in the text, where JSON refuses it. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const NO_REQUEST = { code: -32_600, message: "Invalid request" };
const TOO_MANY = { code: -32_000, message: "Too many requests are waiting for their answers" };

/**
 * The connection as the SDK sees it: messages in, messages out. A request whose id is still in use is dropped, as its
 * answer could not be told from the other one's, and so is what is no message at all: only frames go out.
 */
export function createStdioWire(options: {
  readonly input: StdioInput;
  readonly output: StdioOutput;
  readonly limits: StdioServeLimits;
}): Transport {
  const { input, output, limits } = options;
  const unanswered = new Set<unknown>();
  let isClosed = false;

  const take = (frame: Uint8Array): void => {
    const message = readMessage(frame);
    if (message === undefined || isClosed) return;
    const { id, method, params } = message;
    if (method !== undefined && id !== undefined) {
      if (unanswered.has(id)) return;
      // The SDK passes over what it does not take for a request, and the client would wait.
      if (!isJSONRPCRequest(message)) {
        void send({ jsonrpc: "2.0", id, error: NO_REQUEST });
        return;
      }
      if (unanswered.size >= limits.requests) {
        void send({ jsonrpc: "2.0", id, error: TOO_MANY });
        return;
      }
      unanswered.add(id);
    }
    // The SDK does not answer what was cancelled.
    if (method === "notifications/cancelled" && isJsonObject(params)) unanswered.delete(params["requestId"]);
    // `as`: `readMessage` looked at the envelope; the SDK looks at the rest itself.
    wire.onmessage?.(message as unknown as JSONRPCMessage);
  };

  const send = async (message: JsonObject): Promise<void> => {
    if (isClosed) return;
    const { id, method } = message;
    if (method === undefined) unanswered.delete(id);
    // Nobody reads: what is only a hint is not kept for them.
    if (method === "notifications/progress" && output.waitingBytes > limits.waitingBytes) return;
    await output.write(JSON.stringify(message));
  };

  const wire: Transport = {
    start: () => {
      input.open(take);
      return Promise.resolve();
    },
    send: (message) => send({ ...message }),
    close: () => {
      if (!isClosed) {
        isClosed = true;
        output.close();
        wire.onclose?.();
      }
      return Promise.resolve();
    },
  };
  return wire;
}

/** A JSON-RPC 2.0 message, or `undefined`. Arrays are none: batches are not served. */
function readMessage(frame: Uint8Array): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(frame));
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params } = value;
  if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) return undefined;
  if (method === undefined) return id === undefined ? undefined : value;
  if (typeof method !== "string" || (params !== undefined && !isJsonObject(params))) return undefined;
  // The SDK leaves a request with any other key unanswered, and its client waiting.
  return {
    jsonrpc: "2.0",
    ...(id !== undefined && { id }),
    method,
    ...(params !== undefined && { params }),
  };
}
