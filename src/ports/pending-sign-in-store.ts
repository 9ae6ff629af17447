import type { CredentialKey } from "../domain/oauth/credential.ts";
import type { PendingSignIn } from "../domain/oauth/pending-sign-in.ts";
import type { AuthRefusal } from "../domain/oauth/refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

/** For keeping a sign-in between its two steps, when the process ends in between (U7). At most one a server. */
export interface PendingSignInStore {
  /** Puts it in the place of an earlier one of the same server. Refuses with `store-failed`. */
  save(
    pending: PendingSignIn,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<true, AuthRefusal>>;
  /**
   * Takes it out for good: of all callers and processes one gets it, whatever becomes of it then. Refuses with
   * `pending-missing`, `pending-used`, `pending-expired` or `store-failed`.
   */
  take(
    key: CredentialKey,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<PendingSignIn, AuthRefusal>>;
}
