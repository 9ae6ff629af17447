import type {
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";

import type { BearerChallenge } from "../../domain/oauth/challenge.ts";
import type { CarrierPush } from "../../domain/session/list-push.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import type { ServerWords } from "./server-words.ts";

/** Why a carrier gave up: the typed refusal, and nothing of a library. */
export class CarrierError extends Error {
  readonly failure: PeerFailure;

  constructor(failure: PeerFailure) {
    super(`${failure.refusal.kind}/${failure.refusal.reason}`);
    this.name = "CarrierError";
    this.failure = failure;
  }
}

export interface CarrierSendOptions extends TransportSendOptions {
  /**
   * Bytes that the answer to this request may take, and nothing else that comes meanwhile. Less than the carrier's own
   * cap on a message changes nothing.
   */
  readonly receiveLimitBytes?: number;
}

/** What a carrier knows of a message besides what is in it. */
export interface CarriedMessageInfo extends MessageExtraInfo {
  /** The request on whose response stream it came, and which is not answered yet. HTTP only. */
  readonly duringRequest?: RequestId;
}

/**
 * A transport of the SDK that an admission made possible. Its rules, which the peer relies on:
 *
 * - `send()` of a request stays pending until that request's own answer was handed to `onmessage`, and
 *   rejects with a {@link CarrierError} as soon as that answer cannot come any more (a response stream that
 *   ended, a status, a bound). So no call waits for its timeout to learn of a loss.
 * - An outgoing `notifications/cancelled` ends that request's own exchange (HTTP) or the child (stdio, unless
 *   the host chose to cancel on the wire). No reason text leaves.
 * - `onclose` fires exactly once; from then on `closeFailure` says why.
 * - No method ever rejects with a library's error, and nothing is written to the console.
 */
export interface Carrier extends Transport {
  readonly kind: "http" | "stdio";
  onmessage?: ((message: JSONRPCMessage, info?: CarriedMessageInfo) => void) | undefined;
  send(message: JSONRPCMessage, options?: CarrierSendOptions): Promise<void>;
  /** Why it closed; `undefined` while open or when the host closed it. */
  readonly closeFailure: PeerFailure | undefined;
  /** What may be kept of the server's own words, which may repeat the secrets this carrier sends (D17). */
  readonly words?: ServerWords;
  /**
   * What the newest 401 or 403 asked for, for a sign-in to look into (U5, U8). Untrusted. Still there once the
   * carrier has closed. HTTP only.
   */
  readonly challenge?: BearerChallenge | undefined;
  /** Called with the new `initialize` result after an expired session was replaced (H3c). HTTP only. */
  onsessionrenewed?: (result: Readonly<Record<string, unknown>>) => void;
  /** Whether the server can say something unasked. Absent: it always can. */
  readonly push?: CarrierPush;
  /** Called at each change of {@link Carrier.push}. */
  onpush?: (push: CarrierPush) => void;
}
