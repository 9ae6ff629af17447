import type { JSONRPCMessage } from "@modelcontextprotocol/client";

import { CarrierError } from "../../src/adapters/mcp-sdk/carrier.ts";
import type { StdioCarrier } from "../../src/adapters/mcp-sdk/stdio-carrier.ts";
import type { PeerFailure } from "../../src/ports/mcp-peer.ts";

export interface Talk {
  /** Sends one request and answers with what came for it; rejects with what ended it. */
  readonly ask: (method: string, params?: Record<string, unknown>) => Promise<JSONRPCMessage>;
  /** The same, for the result's fields. */
  readonly result: (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Every message in the order it came. */
  readonly messages: JSONRPCMessage[];
  /** Every error that `onerror` was given. */
  readonly errors: Error[];
  /** Resolves when `onclose` fired. */
  readonly closed: Promise<void>;
  /** How often `onclose` fired. */
  readonly closes: () => number;
}

/** Speaks JSON-RPC over a carrier without the SDK. */
export function talkOver(carrier: StdioCarrier): Talk {
  const messages: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  let closes = 0;
  let lastId = 0;
  const closed = new Promise<void>((resolve) => {
    Object.assign(carrier, {
      onmessage: (message: JSONRPCMessage) => messages.push(message),
      onerror: (error: Error) => errors.push(error),
      onclose: () => {
        closes += 1;
        resolve();
      },
    });
  });
  const ask = async (method: string, params: Record<string, unknown> = {}): Promise<JSONRPCMessage> => {
    const id = ++lastId;
    await carrier.send({ jsonrpc: "2.0", id, method, params });
    const answer = messages.find((message) => "id" in message && message.id === id && !("method" in message));
    if (answer === undefined) throw new Error("send resolved before its answer was delivered");
    return answer;
  };
  return {
    ask,
    messages,
    errors,
    closed,
    closes: () => closes,
    result: async (method, params) => {
      const answer = await ask(method, params);
      if (!("result" in answer)) throw new Error("not a result");
      return answer.result;
    },
  };
}

/** What a send was refused with. Fails when it was not, or with anything but a `CarrierError`. */
export async function failureOf(work: Promise<unknown>): Promise<PeerFailure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CarrierError) return error.failure;
    throw error;
  }
  throw new Error("it was not refused");
}
