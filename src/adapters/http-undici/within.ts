import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";

/** Told to work whose outcome nobody waits for any more. Made once: an error with a stack is expensive. */
const OVER = new Error("over");

export interface WithinOptions<Value> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Releases a value that came after nobody waited for it any more. */
  readonly dropLate?: (value: Value) => void;
}

/**
 * Runs `work` for at most `ms`. On time-out the answer is a refusal and the work's own signal aborts.
 * Rejects with `signal.reason` as soon as that aborts, or with the work's error.
 */
export function within<Value>(
  ms: number,
  { clock, signal, dropLate }: WithinOptions<Value>,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Outcome<Value, "timeout">> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = new AbortController();
    let over = false;
    const finish = (): void => {
      over = true;
      signal.removeEventListener("abort", cancel);
      stop.abort(OVER);
    };
    const cancel = (): void => {
      finish();
      reject(signal.reason);
    };
    const fail = (error: unknown): void => {
      finish();
      reject(error);
    };
    signal.addEventListener("abort", cancel, { once: true });
    // Rejects only when it was stopped: then somebody else has settled already.
    clock.wait(ms, { signal: stop.signal }).then(() => {
      finish();
      resolve(refuse("timeout"));
    }, fail);
    work(stop.signal).then((value) => {
      if (over) dropLate?.(value);
      finish();
      resolve(accept(value));
    }, fail);
  });
}
