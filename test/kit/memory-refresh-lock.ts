import { credentialSlot } from "../../src/domain/oauth/credential-slot.ts";
import type { CredentialKey } from "../../src/domain/oauth/credential.ts";
import { accept, refuse, type Outcome } from "../../src/domain/outcome.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { RefreshLease, RefreshLock, RefreshLockRefusal } from "../../src/ports/refresh-lock.ts";

export function createMemoryRefreshLock({ clock }: { readonly clock: Clock }): MemoryRefreshLock {
  return new MemoryRefreshLock(clock);
}

/** One holder a key, in order of coming. A test takes the lock from its holder, or refuses it to everybody. */
export class MemoryRefreshLock implements RefreshLock {
  readonly #clock: Clock;
  /** Who waits for a lock that is held. */
  readonly #queues = new Map<string, (() => void)[]>();
  /** Refuses every hold from now on. */
  refusal: RefreshLockRefusal["reason"] | undefined;
  /** How many more leases say that they are lost, as after a suspension. */
  losing = 0;
  /** How often it was held. */
  held = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Scopes that were not left yet. */
  get open(): number {
    return this.#queues.size;
  }

  async hold<Value>(
    key: CredentialKey,
    work: (lease: RefreshLease) => Promise<Value>,
    options: { readonly signal: AbortSignal; readonly waitMs: number },
  ): Promise<Outcome<Value, RefreshLockRefusal>> {
    options.signal.throwIfAborted();
    if (this.refusal !== undefined) return refuse({ kind: "refresh-lock", reason: this.refusal });
    const slot = credentialSlot(key);
    const queue = this.#queues.get(slot);
    if (queue === undefined) this.#queues.set(slot, []);
    else if (!(await this.#wait(queue, options))) {
      return refuse({ kind: "refresh-lock", reason: "lock-timeout" });
    }
    const lost = this.losing > 0;
    if (lost) this.losing -= 1;
    this.held += 1;
    try {
      return accept(await work({ stillHeld: async () => !lost }));
    } finally {
      const next = this.#queues.get(slot)?.shift();
      if (next === undefined) this.#queues.delete(slot);
      else next();
    }
  }

  #wait(
    queue: (() => void)[],
    { signal, waitMs }: { readonly signal: AbortSignal; readonly waitMs: number },
  ): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const timer = new AbortController();
      const leave = (): void => {
        queue.splice(queue.indexOf(turn), 1);
      };
      const turn = (): void => {
        timer.abort();
        resolve(true);
      };
      queue.push(turn);
      this.#clock.wait(waitMs, { signal: AbortSignal.any([signal, timer.signal]) }).then(
        () => {
          leave();
          resolve(false);
        },
        () => {
          // Its turn came: the timer is over for that.
          if (timer.signal.aborted) return;
          leave();
          reject(signal.reason);
        },
      );
    });
  }
}
