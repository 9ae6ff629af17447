import { statSync } from "node:fs";

import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { type Outcome, refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";

/** A holder that did not renew its lock for so long is taken for dead. It renews at half of it. */
export const LOCK_STALE_MS = 5_000;
/** Longer than {@link LOCK_STALE_MS}, so that a killed process costs the next one a wait, not a refusal. */
export const LOCK_WAIT_MS = 10_000;
const POLL_MS = 25;

export interface Lease {
  /** Whether this process still holds the lock; asked right before an effect. Synchronous. */
  stillHeld(): boolean;
}

export interface LockOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Default {@link LOCK_WAIT_MS}. */
  readonly waitMs?: number | undefined;
}

/**
 * Runs `work` while no other process, and no other call in this one, runs work under the same lock. A scope, not a
 * pair: the lock is released however the work ends. Refuses with `lock-timeout`; rejects with `signal.reason`
 * while waiting, and with whatever the work rejects with.
 *
 * @param path of the lock, a folder that exists while it is held; its parent has to exist.
 */
export async function withLock<Value>(
  path: string,
  work: (lease: Lease) => Promise<Outcome<Value, StoreReason>>,
  options: LockOptions,
): Promise<Outcome<Value, StoreReason>> {
  const lock = await acquire(path, options);
  if (lock === undefined) return refuse("lock-timeout");
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

interface HeldLock extends Lease {
  release(): Promise<void>;
}

async function acquire(path: string, options: LockOptions): Promise<HeldLock | undefined> {
  const { clock, signal } = options;
  const deadlineMs = clock.monotonicMs() + (options.waitMs ?? LOCK_WAIT_MS);
  for (;;) {
    signal.throwIfAborted();
    const lock = await tryLock(path);
    if (lock !== undefined) return lock;
    if (clock.monotonicMs() >= deadlineMs) return undefined;
    await clock.wait(POLL_MS, { signal });
  }
}

async function tryLock(path: string): Promise<HeldLock | undefined> {
  // On demand: only a process that writes pays for the library.
  const { default: lockfile } = await import("proper-lockfile");
  let compromised = false;
  let releaseLock: () => Promise<void>;
  try {
    releaseLock = await lockfile.lock(path, {
      lockfilePath: path,
      realpath: false,
      retries: 0,
      stale: LOCK_STALE_MS,
      // The library's own answer is to throw from a timer, which would end the host.
      onCompromised: () => {
        compromised = true;
      },
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ELOCKED") return undefined;
    throw error;
  }
  const identity = identityOf(path);
  const stillHeld = (): boolean => !compromised && identity !== undefined && identityOf(path) === identity;
  return {
    stillHeld,
    release: async () => {
      // Releasing what somebody took over would end their lock.
      if (stillHeld()) await releaseLock().catch(() => undefined);
    },
  };
}

/** A lock that was taken over is another folder. `undefined`: gone. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino}-${stats.birthtimeNs}`;
}
