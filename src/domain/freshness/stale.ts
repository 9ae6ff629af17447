export const STALE_REASONS = [
  /** The server said that it changed; it is read again. */
  "list-changed",
  /** It changes, or is said to, faster than it is read again. */
  "noisy",
  /** It was read again, and that did not work out. */
  "refresh-failed",
  /** For a while the server could not say that it changed. It is read again at the next use. */
  "push-gap",
  /** It is older than the server said it stays good (C4). It is read again at the next use. */
  "aged",
] as const;

export type StaleReason = (typeof STALE_REASONS)[number];

/** Why a kept list may not be what its server has now. */
export interface Stale {
  readonly reason: StaleReason;
  /** On the monotonic clock: the first sign of it, whatever came since. Milliseconds. */
  readonly sinceMs: number;
  /** Of `refresh-failed`: the reason of what failed. */
  readonly failure?: string;
}

/** The same, for whoever reads a catalog. */
export interface ShownStale {
  readonly reason: StaleReason;
  /** Since the first sign of it. Milliseconds. */
  readonly ageMs: number;
  readonly failure?: string;
}
