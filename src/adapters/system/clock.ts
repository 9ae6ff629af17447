import type { Clock } from "../../ports/clock.ts";

const NS_IN_MS = 1e6;

/** The machine's clock. A wait keeps the process alive until it ends or its signal aborts. */
export function createSystemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    // `performance` does the same and brings Node's measuring tools along, 6 ms of every start.
    monotonicMs: () => Number(process.hrtime.bigint()) / NS_IN_MS,
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
