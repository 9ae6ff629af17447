import type { Clock } from "../../ports/clock.ts";

const NS_IN_MS = 1e6;
/** Node counts in 31 bits: a longer timer fires after 1 ms, with a warning. */
const TIMER_LIMIT_MS: number = 2 ** 31 - 1;

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
        let timer: NodeJS.Timeout;
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal.reason);
        };
        const waitFor = (leftMs: number): void => {
          timer = setTimeout(
            () => {
              if (leftMs > TIMER_LIMIT_MS) {
                waitFor(leftMs - TIMER_LIMIT_MS);
                return;
              }
              signal.removeEventListener("abort", stop);
              resolve();
            },
            Math.min(leftMs, TIMER_LIMIT_MS),
          );
        };
        waitFor(ms);
        signal.addEventListener("abort", stop, { once: true });
      }),
  };
}
