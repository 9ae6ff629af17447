import type { GateReason } from "../domain/gate/gate-record.ts";
import type { RequestHead } from "../domain/gate/request-head.ts";
import type { TurnedAway } from "../domain/gate/turned-away.ts";

export type GateAnswer =
  | TurnedAway
  /** A JSON document that everybody may read. */
  | { readonly kind: "document"; readonly json: string }
  | Admitted;

export interface Admitted {
  readonly kind: "admitted";
  /** Tells one principal from another, and holds no token. */
  readonly caller: string;
  /** Whether there are others, for whom places have to stay free. Left out: nobody else comes in here. */
  readonly isOneOfMany?: boolean;
  /**
   * Resolves when what let the caller in is over; a stream ends then. Rejects when the signal aborts, leaving no timer.
   * Left out: it does not end.
   */
  readonly expired?: (options: { readonly signal: AbortSignal }) => Promise<void>;
}

/** For deciding over a request by its head, before anything of its body is read (R4, R5). */
export interface HttpGate {
  /** Rejects only with `signal.reason`. */
  judge(
    head: RequestHead,
    from: {
      /** The address at the other end of the connection. */
      readonly peer: string | undefined;
      readonly signal: AbortSignal;
    },
  ): GateAnswer | Promise<GateAnswer>;
  /**
   * Hears of everything that was turned away, by this gate or after it, once each (R7). `head` is left out where none
   * could be read. Never throws.
   */
  turnedAway(
    reason: GateReason,
    from: { readonly peer: string | undefined; readonly head?: RequestHead },
  ): void;
}
