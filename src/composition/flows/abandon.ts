/**
 * Waits for work that others share: when the signal aborts, this caller leaves with the signal's reason and the
 * work goes on. No listener is left.
 */
export async function orAbandon<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  if (signal.aborted) {
    // Nobody waits for it here any more: that it fails must not end the process as an unhandled rejection.
    work.catch(() => undefined);
    throw signal.reason;
  }
  return new Promise<Value>((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
