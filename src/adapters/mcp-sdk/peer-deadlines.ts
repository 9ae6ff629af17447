import type { WaitEnd } from "../../domain/session/refusal.ts";
import type { Clock } from "../../ports/clock.ts";

/**
 * Waits until a request has had its time: `timeoutMs` since the last sign of life, or `maxTotalMs` in all
 * (C7b). Signs of life restart nothing; they are looked at when a wait ends, so that a flood of them costs
 * nothing. Rejects only when the signal aborts.
 */
export async function waitForDeadline(
  limits: { readonly timeoutMs: number; readonly maxTotalMs: number },
  options: { readonly clock: Clock; readonly lastSignMs: () => number; readonly signal: AbortSignal },
): Promise<Extract<WaitEnd, "timeout" | "total-timeout">> {
  const { clock, lastSignMs, signal } = options;
  const startMs = clock.monotonicMs();
  for (;;) {
    const nowMs = clock.monotonicMs();
    const leftMs = Math.max(startMs, lastSignMs()) + limits.timeoutMs - nowMs;
    const leftInAllMs = startMs + limits.maxTotalMs - nowMs;
    if (leftMs <= 0) return "timeout";
    if (leftInAllMs <= 0) return "total-timeout";
    await clock.wait(Math.min(leftMs, leftInAllMs), { signal });
  }
}
