import type { Client } from "@modelcontextprotocol/client";

import { accept, type Outcome } from "../../domain/outcome.ts";
import { decodePeerIdentity } from "../../domain/session/identity.ts";
import type { CarrierPush } from "../../domain/session/list-push.ts";
import type { McpPeer, PeerFailure, PeerIdentity } from "../../ports/mcp-peer.ts";
import type { Carrier } from "./carrier.ts";
import { atStage, session } from "./errors.ts";
import { shakeHands, type HandshakeOptions } from "./peer-connect.ts";
import { createRequest } from "./peer-request.ts";
import { createSdkClient, declaredCapabilities, type DeclaredOptions } from "./sdk-client.ts";
import { createSubscribe } from "./sdk-subscription.ts";
import { createSdkTap, type SdkTap } from "./sdk-tap.ts";
import { createServerWords } from "./server-words.ts";

export interface OpenPeerOptions extends HandshakeOptions, DeclaredOptions {
  /** Who the server is told is calling (C6b). */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /**
   * How long `auto` waits for a stdio server that is silent to `server/discover` before it takes it for an
   * older one. Milliseconds; over HTTP silence is no evidence, and the deadline decides.
   */
  readonly probeTimeoutMs: number;
}

/**
 * Opens one MCP connection over an admitted carrier (C1, C2): the older handshake, 2026-07-28 alone, or
 * `auto`, where one probe decides. Whatever is refused or aborted has closed the carrier by then. Rejects
 * only with `signal.reason`.
 */
export async function openPeer(
  carrier: Carrier,
  options: OpenPeerOptions,
): Promise<Outcome<McpPeer, PeerFailure>> {
  const { selection, clock } = options;
  const client = createSdkClient(options);
  const probeTimeoutMs = selection === "auto" ? options.probeTimeoutMs : undefined;
  const tap = createSdkTap(carrier, { clock, probeTimeoutMs });
  try {
    options.signal.throwIfAborted();
    const agreed = await shakeHands(client, { carrier, tap }, options);
    options.signal.throwIfAborted();
    if (!agreed.ok) {
      await tap.transport.close();
      return agreed;
    }
    return accept(assemble(agreed.value, { carrier, client, tap }, options));
  } catch (error) {
    await tap.transport.close();
    throw error;
  }
}

function assemble(
  agreed: PeerIdentity,
  wire: { readonly carrier: Carrier; readonly client: Client; readonly tap: SdkTap },
  { serverId, clock, elicitation = false, skills }: OpenPeerOptions,
): McpPeer {
  const { carrier, client, tap } = wire;
  const { era, protocolVersion } = agreed;
  const context = { serverId, stage: "connect" } as const;
  const renewed: (() => void)[] = [];
  const pushed: ((push: CarrierPush) => void)[] = [];
  const words = carrier.words ?? createServerWords([]);
  let identity = agreed;
  let closedByUs = false;
  /** Why we closed it, where it was not the host that asked for it. */
  let ownReason: PeerFailure | undefined;
  let isClosed = false;
  const closeFailure = (): PeerFailure | undefined =>
    closedByUs ? (ownReason ?? session("closed", context)) : carrier.closeFailure;
  const close = async (): Promise<void> => {
    closedByUs ||= carrier.closeFailure === undefined;
    await tap.transport.close();
  };
  carrier.onsessionrenewed = (raw) => {
    identity = decodePeerIdentity(raw, { era, protocolVersion, receivedAtMs: clock.nowMs() });
    for (const listener of renewed) listener();
  };
  carrier.onpush = (push) => {
    for (const listener of pushed) listener(push);
  };
  return {
    get identity() {
      return identity;
    },
    carrier: carrier.kind,
    request: createRequest({
      client,
      clock,
      serverId,
      era,
      words,
      closeFailure,
      closedByUs: () => closedByUs,
      elicitation,
      otherCapabilities: { ...declaredCapabilities({ skills }) },
      closed: tap.closed,
      end: (failure) => {
        if (!closedByUs) ownReason = failure;
        void close();
      },
    }),
    onNotification: tap.onNotification,
    subscribe: createSubscribe({ client, tap, serverId, era, words, closeFailure }),
    get push() {
      return carrier.push ?? "open";
    },
    onPush: (listener) => void pushed.push(listener),
    onRenewed: (listener) => void renewed.push(listener),
    get ended() {
      const failure = closeFailure() ?? (isClosed ? session("connection-closed", context) : undefined);
      return failure && atStage(failure, context);
    },
    closed: tap.closed.then(() => {
      isClosed = true;
      return atStage(closeFailure() ?? session("connection-closed", context), context);
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
