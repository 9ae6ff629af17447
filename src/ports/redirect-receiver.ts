import type { AuthRefusal } from "../domain/oauth/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

/** One open place that a browser comes back to. */
export interface OpenRedirect {
  /** To be sent as `redirect_uri`, character for character. */
  readonly redirectUri: string;
  /** The whole URL of the first request that passed the receiver's own checks. Rejects only with `signal.reason`. */
  readonly received: Promise<string>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** For receiving the browser after a sign-in (U7). */
export interface RedirectReceiver {
  /**
   * Listens on 127.0.0.1, on the given port or a free one. Refuses with `callback-port-taken`.
   */
  open(options: {
    readonly serverId: string;
    readonly port: number | undefined;
    readonly signal: AbortSignal;
  }): Promise<Outcome<OpenRedirect, AuthRefusal>>;
}
