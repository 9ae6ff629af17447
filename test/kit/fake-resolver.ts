import type { Resolver } from "../../src/ports/resolver.ts";

/** Answers from a table that a test may change at any time, and remembers what it was asked. */
export class FakeResolver implements Resolver {
  readonly asked: string[] = [];
  readonly #table: Map<string, readonly string[]>;

  constructor(table: Readonly<Record<string, readonly string[]>> = {}) {
    this.#table = new Map(Object.entries(table));
  }

  set(host: string, addresses: readonly string[]): void {
    this.#table.set(host, addresses);
  }

  async resolve(host: string, { signal }: { readonly signal: AbortSignal }): Promise<readonly string[]> {
    signal.throwIfAborted();
    this.asked.push(host);
    return this.#table.get(host) ?? [];
  }
}

/** Never answers, and says whether it was told to stop. */
export class SilentResolver implements Resolver {
  stopped = 0;
  #ask: () => void = () => {};
  /** Resolves when the first question arrived. */
  readonly asked: Promise<void> = new Promise((resolve) => {
    this.#ask = resolve;
  });

  resolve(_host: string, { signal }: { readonly signal: AbortSignal }): Promise<readonly string[]> {
    signal.addEventListener("abort", () => (this.stopped += 1), { once: true });
    this.#ask();
    return new Promise(() => {});
  }
}
