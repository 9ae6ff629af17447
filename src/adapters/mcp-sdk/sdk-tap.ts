import { isJSONRPCResultResponse } from "@modelcontextprotocol/client";
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";

import { isOlderEraEvidence } from "../../domain/session/era-evidence.ts";
import { isJsonObject, type JsonObject } from "../../domain/catalog/json-value.ts";
import type { Clock } from "../../ports/clock.ts";
import { CarrierError, type Carrier } from "./carrier.ts";

/** Carries a {@link RequestRecord} inside a request's parameters: spreading keeps it, JSON leaves it out. */
export const RECORD: unique symbol = Symbol("request record");

/** Who is told what came for one request. */
export interface RequestRecord {
  readonly onResult: (raw: unknown) => void;
  readonly onProgress: (params: JsonObject) => void;
}

export interface SdkTap {
  /** What the official client talks to instead of the carrier. */
  readonly transport: Transport;
  /** The raw answer to the last `initialize` or `server/discover`. */
  handshake(): JsonObject | undefined;
  onNotification(listener: (method: string, params: unknown) => void): void;
  /** Settles when the carrier closed, whoever closed it. */
  readonly closed: Promise<void>;
  /** Settles when the carrier closed and neither the client nor we had asked it to. */
  readonly lost: Promise<void>;
}

/**
 * A result that fits every schema of the official client, so that it reads none of ours. Its 2026-07-28
 * codec validates whole results even where a caller passes its own schema, and one malformed tool, or one
 * content block of an unknown type, would cost the whole answer (faults G10, I5).
 */
const STAND_IN = {
  resultType: "complete",
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  contents: [],
  content: [],
  messages: [],
  completion: { values: [] },
  ttlMs: 0,
  cacheScope: "private",
} as const;

/** Answers to a server's own requests that may wait for the carrier; more requests are dropped. */
const WAITING_REPLY_LIMIT = 32;
/** Characters of an error message that go on; it is cut to less where it is shown. */
const ERROR_TEXT_LIMIT = 2_048;
const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;

interface Outstanding {
  readonly record: RequestRecord | undefined;
  readonly headers: TransportSendOptions["headers"];
}

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
  const outstanding = new Map<RequestId, Outstanding>();
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
      return carrier.send(message, cancellationOptions(message, sendOptions));
    },
    close: async () => {
      asked = true;
      await carrier.close();
      fireClose();
    },
    get hasPerRequestStream() {
      return carrier.hasPerRequestStream === true;
    },
    setProtocolVersion: (version) => carrier.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => carrier.setSupportedProtocolVersions?.(versions),
  };

  async function sendRequest(message: JSONRPCRequest, sendOptions?: TransportSendOptions): Promise<void> {
    const { id } = message;
    outstanding.set(id, { record: readRecord(message), headers: sendOptions?.headers });
    const isProbe = message.method === "server/discover";
    if (isProbe && carrier.kind === "stdio") void answerSilentProbe(id);
    try {
      await carrier.send(message, sendOptions);
    } catch (error) {
      // Nobody waits any more for what was cancelled or answered.
      if (!outstanding.has(id)) return;
      if (!isProbe || !(error instanceof CarrierError) || !isOlderEraEvidence(error.failure.refusal))
        throw error;
      answerProbeAsUnknown(id);
    } finally {
      outstanding.delete(id);
    }
  }

  async function sendReply(message: JSONRPCMessage, sendOptions?: TransportSendOptions): Promise<void> {
    waitingReplies += 1;
    try {
      await carrier.send(message, sendOptions);
    } finally {
      waitingReplies -= 1;
    }
  }

  /** A cancellation travels with the headers of what it cancels (H5), and ends the waiting for it. */
  function cancellationOptions(
    message: { readonly method: string; readonly params?: { readonly [key: string]: unknown } | undefined },
    sendOptions?: TransportSendOptions,
  ): TransportSendOptions | undefined {
    const id = message.params?.["requestId"];
    if (message.method !== "notifications/cancelled" || !isRequestId(id)) return sendOptions;
    const headers = outstanding.get(id)?.headers;
    outstanding.delete(id);
    return headers === undefined ? sendOptions : { ...sendOptions, headers };
  }

  async function answerSilentProbe(id: RequestId): Promise<void> {
    if (options.probeTimeoutMs === undefined) return;
    try {
      await options.clock.wait(options.probeTimeoutMs, { signal: probing.signal });
    } catch {
      return; // Answered or closed: the only things that abort this wait.
    }
    answerProbeAsUnknown(id);
  }

  function answerProbeAsUnknown(id: RequestId): void {
    if (!outstanding.delete(id)) return;
    transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: METHOD_NOT_FOUND, message: "" } });
  }

  carrier.onmessage = (message: unknown): void => {
    if (!isJsonObject(message) || !open) return;
    const { id, method, params } = message;
    if (typeof method !== "string") takeAnswer(message);
    else if (id === undefined) takeNotification(method, params);
    else if (isRequestId(id) && waitingReplies < WAITING_REPLY_LIMIT) {
      transport.onmessage?.({ jsonrpc: "2.0", id, method, ...(isJsonObject(params) && { params }) });
    }
  };

  function takeAnswer(message: JsonObject): void {
    const { id, error, result } = message;
    if (!isRequestId(id)) return;
    const waiting = outstanding.get(id);
    if (waiting === undefined) return;
    outstanding.delete(id);
    probing.abort();
    if (isJsonObject(error)) {
      transport.onmessage?.({ jsonrpc: "2.0", id, error: readError(error) });
    } else if (waiting.record === undefined) {
      handshake = isJsonObject(result) ? result : undefined;
      const answer = { jsonrpc: "2.0", id, result } as const;
      // What the client would not recognise as an answer would leave it waiting.
      transport.onmessage?.(isJSONRPCResultResponse(answer) ? answer : { jsonrpc: "2.0", id, result: {} });
    } else {
      waiting.record.onResult(result);
      transport.onmessage?.({ jsonrpc: "2.0", id, result: STAND_IN });
    }
  }

  function takeNotification(method: string, params: unknown): void {
    if (method === "notifications/progress") {
      if (!isJsonObject(params) || !isRequestId(params["progressToken"])) return;
      outstanding.get(params["progressToken"])?.record?.onProgress(params);
      return;
    }
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
    probing.abort();
    transport.onclose?.();
    if (!asked) losing.open();
    closing.open();
  }

  carrier.onclose = fireClose;
  // Library text: what matters of it reaches the caller typed, through a rejected send or `closeFailure`.
  carrier.onerror = (): void => undefined;

  return {
    transport,
    handshake: () => handshake,
    onNotification: (listener) => listeners.push(listener),
    closed: closing.opened,
    lost: losing.opened,
  };
}

function latch(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

function readRecord(message: JSONRPCRequest): RequestRecord | undefined {
  // `as`: the client's type for parameters knows no symbols; only this folder puts one there.
  return (message.params as { readonly [RECORD]?: RequestRecord } | undefined)?.[RECORD];
}

function readError(error: JsonObject): {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
} {
  const { code, message, data } = error;
  return {
    code: Number.isSafeInteger(code) ? Number(code) : INTERNAL_ERROR,
    message: typeof message === "string" ? message.slice(0, ERROR_TEXT_LIMIT) : "",
    ...(data !== undefined && { data }),
  };
}
