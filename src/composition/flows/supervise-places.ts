import type { Clock } from "../../ports/clock.ts";

/** Places for connects that run side by side (V7). */
export interface Places {
  /** Waits for a place, in the order of asking; answers how to leave it. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>;
}

/**
 * How long a connect keeps its place. Starting programs is what has to be bounded; a connect that takes longer than
 * this is waiting for its server, not for this machine, so the next one may start. So even as many hanging servers as
 * there are places hold up the others no longer than this.
 */
export const PLACE_LIMIT_MS = 5_000;

export function createPlaces(limit: number, clock: Clock): Places {
  const queue = new Set<() => void>();
  let taken = 0;

  const next = (): void => {
    const [first] = queue;
    if (first === undefined || taken >= limit) return;
    queue.delete(first);
    first();
  };
  const enter = (): (() => void) => {
    taken += 1;
    const timer = new AbortController();
    const leave = (): void => {
      if (timer.signal.aborted) return;
      timer.abort("left");
      taken -= 1;
      next();
    };
    clock.wait(PLACE_LIMIT_MS, { signal: timer.signal }).then(leave, () => undefined);
    return leave;
  };

  return {
    take: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (taken < limit) {
          resolve(enter());
          return;
        }
        const come = (): void => {
          signal.removeEventListener("abort", stop);
          resolve(enter());
        };
        const stop = (): void => {
          queue.delete(come);
          reject(signal.reason);
        };
        queue.add(come);
        signal.addEventListener("abort", stop, { once: true });
      }),
  };
}
