import { FakeClock } from "./fake-clock.ts";

/** A fake clock that tells a test when a wait was asked for, so that no test has to sleep until then. */
export class WatchedClock extends FakeClock {
  /** Milliseconds of every wait so far, in order. */
  readonly asked: number[] = [];
  readonly #watchers = new Set<() => void>();

  override wait(ms: number, options: { readonly signal: AbortSignal }): Promise<void> {
    this.asked.push(ms);
    const waited = super.wait(ms, options);
    for (const check of this.#watchers) check();
    return waited;
  }

  /** Resolves once `count` waits in all have been asked for; answers them. */
  waits(count: number): Promise<readonly number[]> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (this.asked.length < count) return;
        this.#watchers.delete(check);
        resolve([...this.asked]);
      };
      this.#watchers.add(check);
      check();
    });
  }
}
