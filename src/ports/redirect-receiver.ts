import type { AuthRefusal } from "../domain/oauth/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

/** One open place that a browser comes back to. */
export interface OpenRedirect {
  /** To be sent as `redirect_uri`, character for character. */
  readonly redirectUri: string;
  /** The whole URL of the first request that passed the receiver's own checks. Rejects only with `signal.reason`. */
  readonly received: Promise<string>;
  /**
   * Answers the browser that is waiting, and stops listening: so a page says `signed-in` after the redirect was
   * checked and redeemed, never before. Left out: the page only sends the person back to the program. Idempotent.
   */
  close(outcome?: RedirectOutcome): Promise<void>;
}

/** How a sign-in ended, for the page that the person still looks at. */
export type RedirectOutcome = "signed-in" | "refused";

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
