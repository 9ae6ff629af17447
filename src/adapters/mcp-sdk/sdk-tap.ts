import { isJSONRPCResultResponse } from "@modelcontextprotocol/client";
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";

import { isJsonObject, type JsonObject } from "../../domain/json-value.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CarriedMessageInfo, Carrier, CarrierSendOptions } from "./carrier.ts";
import {
  isRequestId,
  readError,
  readRecord,
  STAND_IN,
  type QuestionReply,
  type RequestRecord,
} from "./sdk-messages.ts";
import { createServerQuestions } from "./server-questions.ts";

export interface SdkTap {
  /** What the official client talks to instead of the carrier. */
  readonly transport: Transport;
  /** The raw answer to the last `initialize` or `server/discover`. */
  readonly handshake: () => JsonObject | undefined;
  readonly onNotification: (listener: (method: string, params: unknown) => void) => void;
  /** Settles when the carrier closed, whoever closed it. */
  readonly closed: Promise<void>;
  /** Settles when the carrier closed and neither the client nor we had asked it to. */
  readonly lost: Promise<void>;
}

/**
 * Answers to a server's own requests that may be outstanding; more requests are dropped. In 2026-07-28 the
 * client answers none at all.
 */
const WAITING_REPLY_LIMIT = 32;
const METHOD_NOT_FOUND = -32_601;

/**
 * Stands between the official client and a carrier. The client negotiates, numbers, sends, cancels and
 * answers; results, progress and notifications are taken here, raw. Only answers to ids that are
 * outstanding pass: the client would print any other whole into an error.
 *
 * `probeTimeoutMs`: how long a silent `server/discover` over stdio may take before it counts as the answer
 * of an older server; leave out where the other era must not follow.
 */
export function createSdkTap(
  carrier: Carrier,
  options: { readonly clock: Clock; readonly probeTimeoutMs: number | undefined },
): SdkTap {
  const outstanding = new Map<RequestId, RequestRecord | undefined>();
  const questions = createServerQuestions(outstanding, options);
  const listeners: ((method: string, params: unknown) => void)[] = [];
  const probing = new AbortController();
  const closing = latch();
  const losing = latch();
  let handshake: JsonObject | undefined;
  let waitingReplies = 0;
  let open = true;
  let asked = false;

  const transport: Transport = {
    start: () => carrier.start(),
    send: (message, sendOptions) => {
      if (!("method" in message)) return sendReply(message, sendOptions);
      if ("id" in message) return sendRequest(message, sendOptions);
      // Nobody waits any more for what is being cancelled.
      if (message.method === "notifications/cancelled") leave(message.params?.["requestId"]);
      return carrier.send(message, sendOptions);
    },
    close: async () => {
      asked = true;
      try {
        await carrier.close();
      } catch {
        // Against its rules; but the client closes without waiting, and nobody would handle the rejection.
      }
      fireClose();
    },
    get hasPerRequestStream() {
      return carrier.hasPerRequestStream === true;
    },
    setProtocolVersion: (version) => carrier.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => carrier.setSupportedProtocolVersions?.(versions),
  };

  async function sendRequest(message: JSONRPCRequest, sendOptions?: TransportSendOptions): Promise<void> {
    const { id, method } = message;
    const record = readRecord(message);
    outstanding.set(id, record);
    record?.onSending?.(id);
    if (method === "server/discover" && carrier.kind === "stdio") void answerSilentProbe(id);
    try {
      await carrier.send(message, withLimit(sendOptions, record));
    } catch (error) {
      // Of one that was cancelled before it is known already.
      if (outstanding.has(id) && record?.onQuestion !== undefined) questions.lost(id, error);
      throw error;
    } finally {
      outstanding.delete(id);
    }
  }

  async function sendReply(message: JSONRPCMessage, sendOptions?: TransportSendOptions): Promise<void> {
    try {
      await carrier.send(message, sendOptions);
    } finally {
      waitingReplies -= 1;
    }
  }

  function forget(id: unknown): boolean {
    return isRequestId(id) && outstanding.delete(id);
  }

  function leave(id: unknown): void {
    const record = isRequestId(id) ? outstanding.get(id) : undefined;
    if (forget(id) && isRequestId(id) && record?.onQuestion !== undefined) questions.left(id);
  }

  async function answerSilentProbe(id: RequestId): Promise<void> {
    if (options.probeTimeoutMs === undefined) return;
    try {
      await options.clock.wait(options.probeTimeoutMs, { signal: probing.signal });
    } catch {
      return; // Answered or closed: the only things that abort this wait.
    }
    if (!forget(id)) return;
    transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: METHOD_NOT_FOUND, message: "" } });
  }

  function takeMessage(message: unknown, { duringRequest }: CarriedMessageInfo = {}): void {
    if (!isJsonObject(message) || !open) return;
    const { id, method, params } = message;
    if (typeof method !== "string") takeAnswer(message);
    else if (id === undefined) takeNotification(method, params);
    else if (isRequestId(id) && waitingReplies < WAITING_REPLY_LIMIT) {
      waitingReplies += 1;
      const reply = questions.take({ id, method, params, duringRequest });
      if (reply !== undefined) void sendOwnReply(id, reply);
      else transport.onmessage?.({ jsonrpc: "2.0", id, method, ...(isJsonObject(params) && { params }) });
    }
  }

  async function sendOwnReply(id: RequestId, reply: Promise<QuestionReply | undefined>): Promise<void> {
    try {
      const body = await reply;
      if (body !== undefined && open) await carrier.send({ jsonrpc: "2.0", id, ...body });
    } catch {
      // It could not be sent: whoever asked is gone, or the call it belongs to is told by its own exchange.
    } finally {
      waitingReplies -= 1;
    }
  }

  function takeAnswer(message: JsonObject): void {
    const { id, error, result } = message;
    if (!isRequestId(id)) return;
    const record = outstanding.get(id);
    if (!forget(id)) {
      questions.answered(id);
      return;
    }
    // With a reason: without one every answer would pay for an exception and its stack.
    probing.abort("answered");
    if (isJsonObject(error)) {
      transport.onmessage?.({ jsonrpc: "2.0", id, error: readError(error) });
    } else if (record === undefined) {
      handshake = isJsonObject(result) ? result : undefined;
      const answer = { jsonrpc: "2.0", id, result } as const;
      // What the client would not recognise as an answer would leave it waiting.
      transport.onmessage?.(isJSONRPCResultResponse(answer) ? answer : { jsonrpc: "2.0", id, result: {} });
    } else {
      record.onResult(result);
      transport.onmessage?.({ jsonrpc: "2.0", id, result: STAND_IN });
    }
  }

  function takeNotification(method: string, params: unknown): void {
    if (method === "notifications/progress") {
      if (!isJsonObject(params) || !isRequestId(params["progressToken"])) return;
      outstanding.get(params["progressToken"])?.onProgress(params);
      return;
    }
    if (method === "notifications/cancelled" && isJsonObject(params)) questions.withdraw(params["requestId"]);
    for (const listener of listeners) {
      try {
        listener(method, params);
      } catch {
        // A listener's fault is the host's; it must not end the reading of other messages.
      }
    }
  }

  function fireClose(): void {
    if (!open) return;
    open = false;
    probing.abort("closed");
    transport.onclose?.();
    if (!asked) losing.open();
    closing.open();
  }

  Object.assign(carrier, {
    onmessage: takeMessage,
    onclose: fireClose,
    // Library text: what matters of it reaches the caller typed, through a rejected send or `closeFailure`.
    onerror: () => undefined,
  });

  return {
    transport,
    handshake: () => handshake,
    onNotification: (listener) => listeners.push(listener),
    closed: closing.opened,
    lost: losing.opened,
  };
}

/** The client hands on only options that it knows; what else a request needs travels in its record. */
function withLimit(
  sendOptions: TransportSendOptions | undefined,
  record: RequestRecord | undefined,
): CarrierSendOptions | undefined {
  const receiveLimitBytes = record?.receiveLimitBytes;
  return receiveLimitBytes === undefined ? sendOptions : { ...sendOptions, receiveLimitBytes };
}

interface Latch {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function latch(): Latch {
  const made: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => {
    made.open = resolve;
  });
  return { opened, open: () => made.open?.() };
}
