import type { Clock } from "../../ports/clock.ts";

/**
 * How long the end of something is waited for: what ends a child takes 6 s at most (X6), ending a server's session 2 s.
 * Whoever injected a carrier that takes longer is not waited for.
 */
export const ENDING_LIMIT_MS = 10_000;

/** Settles once the work did, however it did, or the limit is over. Never rejects; leaves no timer. */
export async function withinEndingLimit(work: Promise<unknown>, clock: Clock): Promise<void> {
  const timer = new AbortController();
  await Promise.race([
    work.then(nothing, nothing),
    clock.wait(ENDING_LIMIT_MS, { signal: timer.signal }).catch(nothing),
  ]);
  timer.abort("over");
}

function nothing(): undefined {
  return undefined;
}
