import type { Clock } from "../../src/ports/clock.ts";

interface Waiter {
  readonly atMs: number;
  readonly wake: () => void;
}

/** A clock that moves only when a test says so. `advance` wakes waiters in the order of their times. */
export class FakeClock implements Clock {
  #nowMs: number;
  #waiters: Waiter[] = [];

  constructor(startMs = 1_800_000_000_000) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** How many waits are pending: a test asserts 0 to see that no timer was left. */
  get pending(): number {
    return this.#waiters.length;
  }

  wait(ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const stop = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        atMs: this.#nowMs + ms,
        wake: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      this.#waiters.push(waiter);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** Moves on and lets everything that became due run before it resolves. */
  async advance(ms: number): Promise<void> {
    const target = this.#nowMs + ms;
    for (;;) {
      const due = this.#waiters
        .filter((waiter) => waiter.atMs <= target)
        .toSorted((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      this.#waiters = this.#waiters.filter((waiter) => waiter !== due);
      due.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#nowMs = target;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
