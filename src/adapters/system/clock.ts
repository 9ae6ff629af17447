import { performance } from "node:perf_hooks";

import type { Clock } from "../../ports/clock.ts";

/** The machine's clock. A wait keeps the process alive until it ends or its signal aborts. */
export function createSystemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    wait: (ms, { signal }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          signal.removeEventListener("abort", stop);
          resolve();
        }, ms);
        signal.addEventListener("abort", stop, { once: true });
      }),
  };
}
