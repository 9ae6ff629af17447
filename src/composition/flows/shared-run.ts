import { orAbandon } from "./abandon.ts";

/**
 * Makes work that callers share: who comes while it is under way gets its result. A caller that aborts leaves
 * alone, with its signal's reason; when all have left, the work's own signal aborts.
 */
export function createSharedRun<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
): (signal: AbortSignal) => Promise<Value> {
  let current: Run<Value> | undefined;
  const start = (): Run<Value> => {
    const control = new AbortController();
    const run: Run<Value> = { result: work(control.signal), control, waiting: 0 };
    const forget = (): void => {
      if (current === run) current = undefined;
    };
    run.result.then(forget, forget);
    return run;
  };
  return async (signal) => {
    signal.throwIfAborted();
    current ??= start();
    const run = current;
    run.waiting += 1;
    try {
      return await orAbandon(run.result, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) {
        if (current === run) current = undefined;
        run.control.abort("abandoned");
      }
    }
  };
}

interface Run<Value> {
  readonly result: Promise<Value>;
  readonly control: AbortController;
  waiting: number;
}
