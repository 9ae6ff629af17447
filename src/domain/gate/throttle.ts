/** R6: so many failures within the window, and the next one is told to wait. */
export const FAILURES_LIMIT = 20;
export const FAILURE_WINDOW_MS = 60_000;
/** R6: as many addresses are remembered at once, about 1 MiB of times. */
export const TRACKED_ADDRESSES_LIMIT = 4_096;

/**
 * Counts failed tokens by address (R6). It is asked about failures alone, after a token was verified: a valid token is
 * never throttled, whoever else calls from its address.
 *
 * Where all places are taken, those whose failures are over go first, then whoever failed least, the longest ago. So
 * an address that was throttled is not forgotten because 4,096 others failed once, and one that is not remembered is
 * judged mildly: filling the table locks nobody out.
 */
export class FailureThrottle {
  /** In the order of the last failure. At most 20 times each, oldest first. */
  readonly #failures: Map<string, readonly number[]> = new Map();

  get tracked(): number {
    return this.#failures.size;
  }

  /**
   * Counts a failure. Answers after how many seconds the address may fail again; 0 when this one is not too many.
   * `nowMs` never goes backwards.
   */
  fail(address: string, nowMs: number): number {
    const recent = (this.#failures.get(address) ?? []).filter((atMs) => isRecent(atMs, nowMs));
    this.#failures.delete(address);
    if (this.#failures.size >= TRACKED_ADDRESSES_LIMIT) this.#makeRoom(nowMs);
    const kept = [...recent, nowMs].slice(-FAILURES_LIMIT);
    this.#failures.set(address, kept);
    if (recent.length < FAILURES_LIMIT) return 0;
    return Math.ceil(((kept[0] ?? nowMs) + FAILURE_WINDOW_MS - nowMs) / 1000);
  }

  #makeRoom(nowMs: number): void {
    let least: string | undefined;
    let leastCount = Number.POSITIVE_INFINITY;
    for (const [address, times] of this.#failures) {
      if (!isRecent(times.at(-1) ?? 0, nowMs)) {
        // The order is that of the last failure: whoever is over stands in front.
        this.#failures.delete(address);
        return;
      }
      if (times.length < leastCount) {
        least = address;
        leastCount = times.length;
      }
      if (leastCount === 1) break;
    }
    if (least !== undefined) this.#failures.delete(least);
  }
}

function isRecent(atMs: number, nowMs: number): boolean {
  return atMs > nowMs - FAILURE_WINDOW_MS;
}
