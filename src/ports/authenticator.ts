import type { BearerChallenge } from "../domain/oauth/challenge.ts";
import type { AuthRefusal } from "../domain/oauth/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Secret } from "../domain/secret.ts";

/** Headers that authorize requests to one server, and which fetch of them this is. */
export interface Authorization {
  /** Names are lower case; they beat static headers of equal name (U1). */
  readonly headers: readonly (readonly [name: string, value: Secret])[];
  /** Changes with the credential: a refusal names the one that was sent. */
  readonly generation: string;
}

export interface Rejection {
  readonly status: 401 | 403;
  /** Absent: no well-formed `Bearer` challenge came. */
  readonly challenge: BearerChallenge | undefined;
  /** The authorization that was refused. */
  readonly generation: string;
}

/** For authorizing the requests to one server, and to no other (U1). Bound to its security identity. */
export interface Authenticator {
  readonly securityIdentity: string;
  /** Before every request. Refuses rather than lets a request go without (U2). Rejects only with `signal.reason`. */
  authorize(options: { readonly signal: AbortSignal }): Promise<Outcome<Authorization, AuthRefusal>>;
  /** After a refusal: whether one more attempt, with fresh authorization, is worth it. */
  onRejected(
    rejection: Rejection,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<"retry", AuthRefusal>>;
}
