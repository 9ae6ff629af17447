/** How often a list that may have changed is read again (V4). Times in milliseconds. */
export interface RefreshLimits {
  /**
   * Between the starts of two readings. A server that registers its tools one by one announces each: the first
   * announcement is answered at once, the rest together. The official client waits 300 ms before the first instead.
   */
  readonly minIntervalMs: number;
  /** Readings within `windowMs`; a server that announces faster than that is `noisy`. */
  readonly perWindow: number;
  readonly windowMs: number;
  /** A `ttlMs` below it counts as this: most servers say 0 because they do not know, not to be asked before every call. */
  readonly minAgeMs: number;
}

export const REFRESH_LIMITS: RefreshLimits = {
  minIntervalMs: 1_000,
  perWindow: 10,
  windowMs: 60_000,
  minAgeMs: 60_000,
};

/**
 * Puts a host's own choice in the place of the defaults.
 *
 * @throws TypeError with the code `refresh-limits` for what is no interval or no number of readings: a bound that
 *   bounds nothing must not come of a slip.
 */
export function refreshLimits(chosen: {
  readonly minIntervalMs?: number;
  readonly perMinute?: number;
}): RefreshLimits {
  const { minIntervalMs = REFRESH_LIMITS.minIntervalMs, perMinute = REFRESH_LIMITS.perWindow } = chosen;
  const isInterval = Number.isFinite(minIntervalMs) && minIntervalMs >= 0;
  if (!isInterval || !Number.isSafeInteger(perMinute) || perMinute < 1) {
    const message = "lists.minIntervalMs is milliseconds from 0, lists.perMinute a whole number from 1";
    throw Object.assign(new TypeError(message), { code: "refresh-limits" });
  }
  return { ...REFRESH_LIMITS, minIntervalMs, perWindow: perMinute };
}
