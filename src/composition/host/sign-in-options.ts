import type { PendingSignIn } from "../../domain/oauth/pending-sign-in.ts";
import type { ConfiguredClient } from "../../domain/oauth/registration.ts";

/** What a person chooses for one sign-in. What is left out comes from the definition and the server. */
export interface SignInChoices {
  /** In the place of every other list of scopes (U8). */
  readonly scopes?: readonly string[];
  /** A client registered by hand, with its secret where it has one (U6, U13). */
  readonly client?: ConfiguredClient;
  /** The port that the client's redirect URI names. Default: the definition's, else a free one. */
  readonly callbackPort?: number;
  readonly signal?: AbortSignal;
}

export interface SignInRequest extends SignInChoices {
  /** Shows the page to the person: opens a browser, or prints the URL. `false`: the person would not. */
  readonly showPage: (
    authorizationUrl: string,
    options: { readonly signal: AbortSignal },
  ) => Promise<boolean>;
  /** From showing the page to the redirect, in milliseconds. Default 300,000 (U7). */
  readonly limitMs?: number;
}

/** The first of two steps: what the person opens, wherever their browser is. */
export interface SignInPage {
  readonly authorizationUrl: string;
  /** Where the browser is sent to afterwards. Nobody listens there: the whole URL is what completes the sign-in. */
  readonly redirectUri: string;
  readonly issuer: PendingSignIn["issuer"];
  /** Milliseconds since the Unix epoch; 10 minutes after the beginning. */
  readonly expiresAtMs: number;
}

export interface UnattendedSignIn {
  readonly client: ConfiguredClient;
  readonly scopes?: readonly string[];
  readonly signal?: AbortSignal;
}
