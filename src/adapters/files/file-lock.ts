import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { type Outcome, refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import { createLockFolder, folderIdentity } from "./lock-folder.ts";

/** A holder that did not renew its lock for so long is taken for dead. It renews at half of it. */
export const LOCK_STALE_MS = 5_000;
/** Longer than {@link LOCK_STALE_MS}, so that a killed process costs the next one a wait, not a refusal. */
export const LOCK_WAIT_MS = 10_000;
const POLL_MS = 25;
/**
 * Two waiters may find the same lock stale, and the slower one removes what the faster one has just made. Who
 * takes a lock over looks again after this time, far longer than the step between the other's look and removal.
 */
const TAKEOVER_SETTLE_MS = 250;

export interface Lease {
  /** Whether this process still holds the lock; asked right before an effect. Synchronous. */
  stillHeld(): boolean;
}

export interface LockOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Default {@link LOCK_WAIT_MS}. */
  readonly waitMs?: number | undefined;
  /** Default {@link LOCK_STALE_MS}; no less than 2,000. */
  readonly staleMs?: number | undefined;
  /** How often the holder says that it lives; at most half of `staleMs`, no less than 1,000. Default: half. */
  readonly renewMs?: number | undefined;
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
    const lock = await trySettledLock(path, options);
    if (lock !== undefined) return lock;
    if (clock.monotonicMs() >= deadlineMs) return undefined;
    await clock.wait(POLL_MS, { signal });
  }
}

async function trySettledLock(path: string, options: LockOptions): Promise<HeldLock | undefined> {
  const wasThere = folderIdentity(path) !== undefined;
  const lock = await tryLock(path, options);
  if (lock === undefined || !wasThere) return lock;
  try {
    await options.clock.wait(TAKEOVER_SETTLE_MS, { signal: options.signal });
  } catch (error) {
    await lock.release();
    throw error;
  }
  return lock.stillHeld() ? lock : undefined;
}

async function tryLock(path: string, options: LockOptions): Promise<HeldLock | undefined> {
  // On demand: only a process that writes pays for the library.
  const { default: lockfile } = await import("proper-lockfile");
  const staleMs = options.staleMs ?? LOCK_STALE_MS;
  const folder = createLockFolder(path, { staleMs });
  let compromised = false;
  let releaseLock: () => Promise<void>;
  try {
    releaseLock = await lockfile.lock(path, {
      lockfilePath: path,
      realpath: false,
      retries: 0,
      stale: staleMs,
      update: options.renewMs ?? staleMs / 2,
      fs: folder.fileSystem,
      // The library's own answer is to throw from a timer, which would end the host.
      onCompromised: () => {
        compromised = true;
      },
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ELOCKED") return undefined;
    // The library looks at what it made once more; whoever lost it in between goes on waiting like the others.
    if (folder.wasTaken()) return undefined;
    throw error;
  }
  const stillHeld = (): boolean => !compromised && folder.isOurs();
  return {
    stillHeld,
    release: async () => {
      // Releasing what somebody took over would end their lock.
      if (stillHeld()) await releaseLock().catch(() => undefined);
    },
  };
}
