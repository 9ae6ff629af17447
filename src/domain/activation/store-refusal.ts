/** What a store that lives under Sallyport's home can answer instead of a value. Closed set. */
export const STORE_REASONS = [
  "store-failed",
  "store-corrupt",
  "store-too-new",
  "store-insecure",
  "store-full",
  "lock-timeout",
  "workspace-missing",
] as const;

export type StoreReason = (typeof STORE_REASONS)[number];

/**
 * - `store-failed`: the machine said no (read-only, full disk, a file where a folder has to be).
 * - `store-corrupt`: what is there is not what Sallyport wrote. It is never read as empty, never overwritten.
 * - `store-too-new`: written by a later version.
 * - `store-insecure`: somebody else could have written or read it.
 * - `store-full`: one more would make the file larger than it may be read back.
 * - `lock-timeout`: another process held the lock for the whole wait.
 * - `workspace-missing`: the workspace is no folder that can be looked at.
 */
export interface StoreRefusal {
  readonly kind: "store";
  readonly reason: StoreReason;
}

/** Why there is no home folder to keep state in (M1), or what is settled there is not believed. Closed set. */
export const HOME_REASONS = [
  "home-not-absolute",
  "home-in-workspace",
  "home-unusable",
  "settings-invalid",
] as const;

export interface HomeRefusal {
  readonly kind: "home";
  readonly reason: (typeof HOME_REASONS)[number];
}
