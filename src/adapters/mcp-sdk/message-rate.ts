import { changedList } from "../../domain/catalog/list-kind.ts";
import type { Clock } from "../../ports/clock.ts";

export interface RateLimit {
  /** What may come at once. */
  readonly burst: number;
  /** What comes back each second. */
  readonly perSecond: number;
}

/** A token bucket: `take` answers whether that much is allowed now, and counts it if so. */
export interface TokenBucket {
  take(cost: number): boolean;
}

export function createTokenBucket({ burst, perSecond }: RateLimit, clock: Clock): TokenBucket {
  let tokens = burst;
  let atMs = clock.monotonicMs();
  return {
    take: (cost) => {
      const nowMs = clock.monotonicMs();
      tokens = Math.min(burst, tokens + ((nowMs - atMs) * perSecond) / 1_000);
      atMs = nowMs;
      if (tokens < cost) return false;
      tokens -= cost;
      return true;
    },
  };
}

/**
 * What passes whatever the rate: behind a flood of log lines it would be lost in silence, and a list that changed would
 * go on counting as good (V4). It costs nothing but a mark on that list; how often lists are read has bounds of its own.
 */
export function saysListChanged(message: { readonly method?: unknown; readonly id?: unknown }): boolean {
  const { method, id } = message;
  return id === undefined && typeof method === "string" && changedList(method) !== undefined;
}
