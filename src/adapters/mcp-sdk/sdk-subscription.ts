import type { Client, RequestId } from "@modelcontextprotocol/client";

import { changedList, LIST_KINDS, type ListKind } from "../../domain/catalog/list-kind.ts";
import { isJsonObject } from "../../domain/json-value.ts";
import type { ProtocolEra } from "../../domain/session/result.ts";
import type { McpPeer, PeerFailure, SubscribeOptions, SubscriptionEnd } from "../../ports/mcp-peer.ts";
import { translateError } from "./errors.ts";
import { ANY_RESULT, NEVER_MS } from "./sdk-client.ts";
import { isRequestId, RECORD, type RequestRecord } from "./sdk-messages.ts";
import type { SdkTap } from "./sdk-tap.ts";
import type { ServerWords } from "./server-words.ts";

const LISTEN = "subscriptions/listen";
/** Where a notification of 2026-07-28 says whose it is: the id of the request that subscribed. */
const SUBSCRIPTION_ID_META = "io.modelcontextprotocol/subscriptionId";
/** 2026-07-28, SubscriptionFilter. */
const FILTER_KEYS: Readonly<Record<ListKind, string>> = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
};
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const SERVER_ERROR = 500;
const TOO_MANY_REQUESTS = 429;

export interface SubscribingConnection {
  readonly client: Client;
  readonly tap: SdkTap;
  readonly serverId: string;
  readonly era: ProtocolEra;
  readonly words: ServerWords;
  readonly closeFailure: () => PeerFailure | undefined;
}

interface Live extends SubscribeOptions {
  readonly end: AbortController;
}

/**
 * Makes the function that subscribes. Not the client's own `listen`: its timer is the machine's, it reads what the
 * tap takes raw, and of a subscription that broke it does not say why.
 */
export function createSubscribe(connection: SubscribingConnection): McpPeer["subscribe"] {
  const { client, tap, era } = connection;
  const live = new Map<RequestId, Live>();
  tap.onNotification((method, params) => route(live, method, params));
  return async (kinds, options) => {
    if (era === "legacy") return "refused";
    if (options.signal.aborted) return "ended";
    const end = new AbortController();
    const stop = (): void => end.abort("cancelled");
    options.signal.addEventListener("abort", stop, { once: true });
    let sentAs: RequestId | undefined;
    const record: RequestRecord = {
      onSending: (id) => {
        sentAs = id;
        live.set(id, { ...options, end });
      },
      onResult: () => undefined,
      onProgress: () => undefined,
    };
    const notifications = Object.fromEntries(kinds.map((kind) => [FILTER_KEYS[kind], true]));
    try {
      await client.request({ method: LISTEN, params: { notifications, [RECORD]: record } }, ANY_RESULT, {
        signal: end.signal,
        timeout: NEVER_MS,
      });
      return "ended";
    } catch (error) {
      return end.signal.aborted ? "ended" : endOf(error, connection);
    } finally {
      options.signal.removeEventListener("abort", stop);
      if (sentAs !== undefined) live.delete(sentAs);
    }
  };
}

/** Only what names a live subscription counts (2026-07-28, Subscriptions): anything else is dropped. */
function route(live: ReadonlyMap<RequestId, Live>, method: string, params: unknown): void {
  if (!isJsonObject(params)) return;
  if (method === "notifications/cancelled") {
    // How a server over stdio ends one.
    subscriptionOf(live, params["requestId"])?.end.abort("cancelled");
    return;
  }
  const meta = params["_meta"];
  const subscription = isJsonObject(meta) ? subscriptionOf(live, meta[SUBSCRIPTION_ID_META]) : undefined;
  if (subscription === undefined) return;
  const changed = changedList(method);
  if (changed !== undefined) subscription.onChanged(changed);
  else if (method === "notifications/subscriptions/acknowledged") {
    const honoured = params["notifications"];
    const agreed = isJsonObject(honoured) ? honoured : {};
    subscription.onAcknowledged(LIST_KINDS.filter((kind) => agreed[FILTER_KEYS[kind]] === true));
  }
}

function subscriptionOf(live: ReadonlyMap<RequestId, Live>, id: unknown): Live | undefined {
  return isRequestId(id) ? live.get(id) : undefined;
}

/** What a server or a policy refuses once it refuses again; only an outage passes. */
function endOf(error: unknown, connection: SubscribingConnection): SubscriptionEnd {
  const { serverId, words } = connection;
  const at = { serverId, stage: "connect", words, closeFailure: connection.closeFailure() } as const;
  const { refusal } = translateError(error, at);
  if (refusal.kind === "network") return "failed";
  if (refusal.kind !== "session") return "refused";
  const code = refusal.code ?? 0;
  switch (refusal.reason) {
    case "response-lost":
    case "connection-closed":
    case "closed":
    case "cancelled":
      return "ended";
    case "http-status":
      return code >= SERVER_ERROR || code === TOO_MANY_REQUESTS ? "failed" : "refused";
    case "protocol-error":
      // A server that has too many subscriptions says so with a code of its own.
      return code === METHOD_NOT_FOUND || code === INVALID_PARAMS ? "refused" : "failed";
    default:
      return "refused";
  }
}
