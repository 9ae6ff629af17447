import type { TokenRefusal } from "../domain/gate/token-refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

/** What a verified token says of its bearer. Claims are the issuer's. */
export interface VerifiedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** For deciding whether a bearer token opens this resource (R9). Rejects only with `signal.reason`. */
export interface AccessTokenVerifier {
  verify(
    token: string,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<VerifiedToken, TokenRefusal>>;
}
