/** V2. Milliseconds. */
export const BACKOFF_FIRST_MS = 500;
export const BACKOFF_CAP_MS = 30_000;
/** V2: attempts in a row; after the last one somebody has to ask. */
export const RETRY_ATTEMPTS = 5;

export interface BackoffFacts {
  /** How many attempts of this series failed; 0 after the loss of a connection that had been good. */
  readonly failures: number;
  /** Chance: at least 0, below 1. */
  readonly chance: number;
  /** What the server asked for. */
  readonly retryAfterMs?: number | undefined;
}

/** How long jitter may be: doubles with each failure, up to the cap. */
export function backoffWindowMs(failures: number): number {
  const doublings = Math.max(0, failures - 1);
  // 2 ** 1,100 is Infinity, which the cap holds as well.
  return Math.min(BACKOFF_CAP_MS, BACKOFF_FIRST_MS * 2 ** doublings);
}

/**
 * How long to wait before the next attempt (V2). Full jitter, so that hosts which lost one server together do not come
 * back together; what the server asked for comes first, and the whole never goes over the cap.
 */
export function backoffMs({ failures, chance, retryAfterMs = 0 }: BackoffFacts): number {
  const jitterMs = Math.floor(chance * backoffWindowMs(failures));
  return Math.min(BACKOFF_CAP_MS, retryAfterMs + jitterMs);
}

/** Makes a chance of 4 random bytes. */
export function chanceOf(bytes: Uint8Array): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  return (((first * 256 + second) * 256 + third) * 256 + fourth) / 2 ** 32;
}
