import type { Credential, CredentialKey } from "../domain/oauth/credential.ts";
import type { Outcome } from "../domain/outcome.ts";

/**
 * - `store-failed`: corrupt, foreign, too new, readable by others, or the machine said no. Never "absent" (U9).
 * - `store-unavailable`: the keychain is not there or locked. Never "empty".
 * - `store-too-large`: the platform cannot hold this record.
 */
export interface CredentialStoreRefusal {
  readonly kind: "credential-store";
  readonly reason: "store-failed" | "store-unavailable" | "store-too-large";
}

/** For keeping what sign-in brought, away from every workspace. Whole records, whole or not at all. */
export interface CredentialStore {
  get(
    key: CredentialKey,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<Credential | undefined, CredentialStoreRefusal>>;
  set(
    credential: Credential,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<true, CredentialStoreRefusal>>;
  /** Deleting what is not there is done. */
  delete(
    key: CredentialKey,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<true, CredentialStoreRefusal>>;
}
