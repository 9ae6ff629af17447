import type { Secret } from "../secret.ts";
import type { ExpectedRedirect } from "./callback.ts";
import type { CredentialKey, OauthClient } from "./credential.ts";

/** From handing over the page to the redirect (U7). */
export const SIGN_IN_LIMIT_MS = 300_000;

/** A sign-in between its two steps. Good for one redirect; kept sealed where it outlives the process. */
export interface PendingSignIn extends ExpectedRedirect {
  readonly key: CredentialKey;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly client: OauthClient;
  /** Whether `client` is a registration kept from an earlier sign-in, which the server may have forgotten. */
  readonly reusedClient: boolean;
  /** Sent as `resource`; absent: the host opted out for this server. */
  readonly resourceIndicator?: string;
  readonly scopes: readonly string[];
  readonly verifier: Secret;
  readonly expiresAtMs: number;
}
