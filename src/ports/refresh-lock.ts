import type { CredentialKey } from "../domain/oauth/credential.ts";
import type { Outcome } from "../domain/outcome.ts";

/** Held while the work runs; a suspended holder may have lost it without noticing. */
export interface RefreshLease {
  /** Asked right before every write: whether the lock is still this holder's. */
  stillHeld(): Promise<boolean>;
}

export interface RefreshLockRefusal {
  readonly kind: "refresh-lock";
  readonly reason: "lock-timeout" | "lock-failed";
}

/** For spending a refresh token once among all callers and processes (U10). A scope, never a pair of calls. */
export interface RefreshLock {
  hold<Value>(
    key: CredentialKey,
    work: (lease: RefreshLease) => Promise<Value>,
    options: { readonly signal: AbortSignal; readonly waitMs: number },
  ): Promise<Outcome<Value, RefreshLockRefusal>>;
}
