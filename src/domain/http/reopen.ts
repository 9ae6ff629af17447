/** H3b: how a stream that ended is opened again. Milliseconds. */
export const REOPEN_LIMITS = {
  minMs: 100,
  maxMs: 30_000,
  /** Until the server says `retry:`; the SDK's own default. */
  defaultMs: 1_000,
  perWindow: 30,
  windowMs: 60_000,
} as const;

/**
 * Computes the wait before a stream is opened again.
 *
 * @param retryMs what the server asked for, if it did; honoured within 100 ms and 30 s
 * @param fruitless openings in a row that brought nothing useful; each after the first doubles the wait
 */
export function reopenDelayMs(retryMs: number | undefined, fruitless: number): number {
  const { minMs, maxMs, defaultMs } = REOPEN_LIMITS;
  const base = Math.min(maxMs, Math.max(minMs, retryMs ?? defaultMs));
  // 2^9 takes the least wait past the greatest: a larger exponent only loses precision.
  return Math.min(maxMs, base * 2 ** Math.min(9, Math.max(0, fruitless - 1)));
}

export interface ReopenBudget {
  /** Milliseconds until another opening is allowed; 0 when one is allowed now. */
  waitMs(nowMs: number): number;
  /** Counts one opening. */
  spend(nowMs: number): void;
}

/** Keeps at most 30 reopenings within any 60 seconds. Remembers 30 times at most. */
export function createReopenBudget(): ReopenBudget {
  const times: number[] = [];
  const forget = (nowMs: number): void => {
    while (times[0] !== undefined && times[0] <= nowMs - REOPEN_LIMITS.windowMs) times.shift();
  };
  return {
    waitMs(nowMs) {
      forget(nowMs);
      const oldest = times[0];
      if (oldest === undefined || times.length < REOPEN_LIMITS.perWindow) return 0;
      return oldest + REOPEN_LIMITS.windowMs - nowMs;
    },
    spend(nowMs) {
      forget(nowMs);
      times.push(nowMs);
      if (times.length > REOPEN_LIMITS.perWindow) times.shift();
    },
  };
}
