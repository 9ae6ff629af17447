import { mkdirSync, realpath, rmdirSync, stat, statSync, utimes } from "node:fs";

type Done = (error: Error | null) => void;

/** The folder that is a lock while it exists, as the locking library uses it: it touches no other's lock. */
export interface LockFolder {
  /** Whether the folder that this holder made is still the one at the path. Synchronous. */
  isOurs(): boolean;
  /** Whether this holder made the folder and somebody took it away: two found the same dead lock at once. */
  wasTaken(): boolean;
  /** What the library calls instead of the file system. */
  readonly fileSystem: Readonly<Record<string, unknown>>;
}

/**
 * The library looks, waits for the event loop, and then acts: a process that was suspended in between would
 * renew or remove the lock that somebody else holds by now. Here the look and the act are one synchronous go.
 */
export function createLockFolder(path: string, { staleMs }: { readonly staleMs: number }): LockFolder {
  let identity: string | undefined;
  const isOurs = (): boolean => identity !== undefined && folderIdentity(path) === identity;
  const mayRemove = (): boolean => (identity === undefined ? isStale(path, staleMs) : isOurs());
  return {
    isOurs,
    wasTaken: () => identity !== undefined && !isOurs(),
    fileSystem: {
      realpath,
      stat,
      mkdir: (_: string, done: Done) =>
        finish(done, () => {
          mkdirSync(path, { mode: 0o700 });
          identity = folderIdentity(path);
        }),
      utimes: (_: string, atime: Date, mtime: Date, done: Done) => {
        if (isOurs()) utimes(path, atime, mtime, done);
        else done(Object.assign(new Error("lock taken over"), { code: "ENOENT" }));
      },
      rmdir: (_: string, done: Done) =>
        finish(done, () => {
          if (mayRemove()) rmdirSync(path);
        }),
      rmdirSync: () => {
        if (isOurs()) rmdirSync(path);
      },
    },
  };
}

/** A lock that was taken over is another folder, even where the file system reuses its number. `undefined`: gone. */
export function folderIdentity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino}-${stats.birthtimeNs}`;
}

function isStale(path: string, staleMs: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  // Compared with the clock that the library renews by.
  return stats !== undefined && stats.mtimeMs < Date.now() - staleMs;
}

function finish(done: Done, work: () => void): void {
  let failure: Error | null = null;
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    failure = error;
  }
  // Never within the call: the library counts on being called back later.
  setImmediate(done, failure);
}
