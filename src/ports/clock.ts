/** For telling the time and waiting, so that tests need not. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start, never going backwards. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal aborts, leaving no timer. */
  wait(ms: number, options: { readonly signal: AbortSignal }): Promise<void>;
}
