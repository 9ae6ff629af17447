import type { Clock } from "../../ports/clock.ts";

export interface Deadline {
  /** Aborts with the outer signal (and its reason), or when the time is up. */
  readonly signal: AbortSignal;
  /** Whether it was the time, and not the outer signal. */
  expired(): boolean;
  /** Drops the timer and the listener. Idempotent. */
  end(): void;
}

/** Starts one deadline over several steps. The caller ends it. */
export function startDeadline(
  limitMs: number,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Deadline {
  const { clock, signal: outer } = options;
  const inner = new AbortController();
  const timer = new AbortController();
  let expired = false;
  const stop = (): void => inner.abort(outer.reason);
  if (outer.aborted) stop();
  outer.addEventListener("abort", stop, { once: true });
  clock.wait(limitMs, { signal: timer.signal }).then(
    () => {
      expired = !inner.signal.aborted;
      inner.abort("deadline");
    },
    () => undefined, // Ended below: the time no longer matters.
  );
  return {
    signal: inner.signal,
    expired: () => expired,
    end: () => {
      outer.removeEventListener("abort", stop);
      timer.abort("ended");
    },
  };
}
