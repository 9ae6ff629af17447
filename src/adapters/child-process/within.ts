import type { Clock } from "../../ports/clock.ts";

/** Whether `promise` settled within `ms`. Leaves no timer behind either way. */
export async function within(
  promise: Promise<unknown>,
  { clock, ms }: { readonly clock: Clock; readonly ms: number },
): Promise<boolean> {
  const timer = new AbortController();
  const isLate = clock.wait(ms, { signal: timer.signal }).then(
    () => true,
    () => false,
  );
  const late = await Promise.race([promise.then(() => false), isLate]);
  timer.abort();
  return !late;
}
