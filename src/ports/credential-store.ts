import type { Credential, CredentialKey } from "../domain/oauth/credential.ts";
import type { Outcome } from "../domain/outcome.ts";

/**
 * - `store-failed`: corrupt, foreign, too new, readable by others, or the machine said no. Never "absent" (U9).
 * - `store-unavailable`: the keychain is not there or locked. Never "empty".
 * - `store-too-large`: the platform cannot hold this record.
 * - `store-changed`: the record is no longer the one of `ifGeneration`. Nothing was written or removed.
 */
export interface CredentialStoreRefusal {
  readonly kind: "credential-store";
  readonly reason: "store-failed" | "store-unavailable" | "store-too-large" | "store-changed";
}

export interface CredentialWriteOptions {
  readonly signal: AbortSignal;
  /**
   * Writes only over the record of this generation, compared right before the write (U10): who was suspended
   * past its lock must not undo what was written meanwhile. Absent: over whatever is there.
   */
  readonly ifGeneration?: string;
}

/** For keeping what sign-in brought, away from every workspace. Whole records, whole or not at all. */
export interface CredentialStore {
  get(
    key: CredentialKey,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<Credential | undefined, CredentialStoreRefusal>>;
  set(
    credential: Credential,
    options: CredentialWriteOptions,
  ): Promise<Outcome<true, CredentialStoreRefusal>>;
  /** Deleting what is not there is done, and so is deleting what cannot be read: it is the way out of that. */
  delete(key: CredentialKey, options: CredentialWriteOptions): Promise<Outcome<true, CredentialStoreRefusal>>;
}
