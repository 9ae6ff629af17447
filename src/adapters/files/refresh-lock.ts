import { join } from "node:path";

import { credentialSlot } from "../../domain/oauth/credential-slot.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RefreshLease, RefreshLock } from "../../ports/refresh-lock.ts";
import { type Lease, withLock } from "./file-lock.ts";
import { ensureOwnerOnlyFolder, translated } from "./owner-only.ts";

/** In Sallyport's home. Mode 0700. */
const FOLDER = "locks";

/** U10 allows 60 s. Long enough for a host whose event loop is blocked for a while, short enough for a person. */
const STALE_MS = 10_000;
/** Four signs of life before a lock counts as abandoned. */
const RENEWALS = 4;

export interface FileOAuthRefreshLockOptions {
  /** Sallyport's home, the same one for all processes that share its credentials. Locks are made in `locks` in it. */
  readonly folder: string;
  readonly clock: Clock;
  /**
   * How long the lock of a process that was killed blocks the others, in milliseconds; the same in all processes.
   * Default 10,000, from 2,000 to 60,000.
   */
  readonly staleMs?: number;
}

/**
 * Lets one caller of all processes refresh a credential (U10). The lock is a folder, named by a digest of the key;
 * it is there while the work runs. A holder that is killed blocks the others for `staleMs`; one that is suspended
 * for longer loses the lock, and `stillHeld` looks on the disk and says so.
 *
 * Refuses with `lock-timeout` when the wait is over and with `lock-failed` when the machine says no; in both cases
 * the work did not run. Rejects with `signal.reason` while waiting, and with whatever the work rejects with.
 */
export function createFileOAuthRefreshLock(options: FileOAuthRefreshLockOptions): RefreshLock {
  const staleMs = checkStaleMs(options.staleMs ?? STALE_MS);
  return {
    hold: async (key, work, { signal, waitMs }) => {
      signal.throwIfAborted();
      const folder = await ensureOwnerOnlyFolder(join(options.folder, FOLDER), "private");
      if (!folder.ok) return refuse({ kind: "refresh-lock", reason: "lock-failed" });
      let done: { readonly result: ReturnType<typeof work> } | undefined;
      const path = join(folder.value, `${credentialSlot(key)}.lock`);
      const outcome = await translated(() =>
        withLock(
          path,
          async (lease) => {
            done = { result: (async () => work(asRefreshLease(lease)))() };
            // Waited for, not looked at: what the work does with errors is between it and the caller.
            await Promise.allSettled([done.result]);
            return accept(true);
          },
          { clock: options.clock, signal, waitMs, staleMs, renewMs: staleMs / RENEWALS },
        ),
      );
      if (done !== undefined) return accept(await done.result);
      const reason = !outcome.ok && outcome.refusal === "lock-timeout" ? "lock-timeout" : "lock-failed";
      return refuse({ kind: "refresh-lock", reason });
    },
  };
}

function asRefreshLease(lease: Lease): RefreshLease {
  return {
    stillHeld: async () => {
      try {
        return lease.stillHeld();
      } catch {
        // A lock that cannot be looked at proves nothing.
        return false;
      }
    },
  };
}

function checkStaleMs(staleMs: number): number {
  if (Number.isSafeInteger(staleMs) && staleMs >= 2_000 && staleMs <= 60_000) return staleMs;
  throw Object.assign(new TypeError("staleMs is a whole number of milliseconds from 2000 to 60000"), {
    code: "refresh-lock-options-invalid",
  });
}
