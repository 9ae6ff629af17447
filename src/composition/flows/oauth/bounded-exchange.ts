import { refuse, type Outcome } from "../../../domain/outcome.ts";
import type { AuthorizationServerFailure } from "../../../ports/authorization-server.ts";
import type { Clock } from "../../../ports/clock.ts";
import { startDeadline } from "../deadline.ts";

/** One exchange, from connecting to the last byte. */
export const EXCHANGE_LIMIT_MS = 30_000;

/** Runs one exchange under its own deadline: time that is up is `unreachable`, an abort stays an abort. */
export async function boundedExchange<Value>(
  exchange: (signal: AbortSignal) => Promise<Outcome<Value, AuthorizationServerFailure>>,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Outcome<Value, AuthorizationServerFailure>> {
  options.signal.throwIfAborted();
  const deadline = startDeadline(EXCHANGE_LIMIT_MS, options);
  try {
    return await exchange(deadline.signal);
  } catch (error) {
    if (deadline.expired()) return refuse({ kind: "authorization-server", reason: "unreachable" });
    throw error;
  } finally {
    deadline.end();
  }
}

/** Waits for work that is not cut: an abort ends the waiting alone. */
export function waitFor<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** For work that has spent what cannot be had again, and must come to its own end. */
export function uncut(): AbortSignal {
  return new AbortController().signal;
}
