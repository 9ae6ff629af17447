import type { Clock } from "../../ports/clock.ts";

/** The clock that every web-standard runtime has. A wait ends with its timer or its signal. */
export function createWebClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    wait: (ms, { signal }) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          signal.removeEventListener("abort", stop);
          resolve();
        }, ms);
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      }),
  };
}
