import { constants, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import { removeLeftovers, replaceFile, syncFolder } from "./atomic-file.ts";
import { type Lease, withLock } from "./file-lock.ts";
import {
  type FolderAccess,
  checkOwnerOnlyFolder,
  ensureOwnerOnlyFolder,
  openOwnerOnlyFile,
  translated,
} from "./owner-only.ts";

/** Bytes that a state file may have. What would grow beyond is not written (`store-full`). */
export const STATE_FILE_LIMIT_BYTES = 33_554_432;

/** A takeover of the lock in the middle of a write starts the write again; more than once is a fault. */
const ATTEMPTS = 3;

export interface StateFileOptions<State> {
  /** Sallyport's home, or a folder in it. Created when something is first written. */
  readonly folder: string;
  /** File name, such as `approvals.json`. */
  readonly name: string;
  readonly clock: Clock;
  /** May load what it needs: most runs find no file to decode. */
  readonly decode: (value: unknown) => Outcome<State, StoreReason> | Promise<Outcome<State, StoreReason>>;
  /** What is written: plain JSON, a version word in it. */
  readonly encode: (state: State) => unknown;
  /** What a missing file means. */
  readonly empty: State;
  readonly lockWaitMs?: number | undefined;
  /** Default `shared`. */
  readonly folderAccess?: FolderAccess;
}

export interface StateFile<State> {
  load(options: { readonly signal: AbortSignal }): Promise<Outcome<State, StoreReason>>;
  /**
   * Reads, changes and writes under a lock between processes, so that no change is lost. `change` answers the
   * new state, or the same one when there is nothing to write.
   */
  update(
    change: (state: State) => State,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<State, StoreReason>>;
  /**
   * Removes the file and what killed writers left of it. With `mayRemove` it is read first, and only what can be
   * read and may go is removed; without, whatever is there. Answers whether nothing is left.
   */
  remove(options: {
    readonly signal: AbortSignal;
    readonly mayRemove?: (state: State) => boolean;
  }): Promise<Outcome<boolean, StoreReason>>;
}

/** One owner-only JSON document that several processes keep together. Readable, strict, whole or not at all. */
export function createStateFile<State>(options: StateFileOptions<State>): StateFile<State> {
  const { name, clock } = options;
  return {
    load: async ({ signal }) => {
      signal.throwIfAborted();
      const folder = await checkOwnerOnlyFolder(options.folder, options.folderAccess);
      if (!folder.ok) return folder;
      if (folder.value === undefined) return accept(options.empty);
      return readState(join(folder.value, name), options);
    },
    update: async (change, { signal }) => {
      signal.throwIfAborted();
      const folder = await ensureOwnerOnlyFolder(options.folder, options.folderAccess);
      if (!folder.ok) return folder;
      const path = join(folder.value, name);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const written = await translated(() =>
          withLock(`${path}.lock`, (lease) => changeState(path, change, { ...options, lease, signal }), {
            clock,
            signal,
            waitMs: options.lockWaitMs,
          }),
        );
        if (!written.ok) return written;
        if (written.value !== TAKEN_OVER) return accept(written.value);
      }
      return refuse("lock-timeout");
    },
    remove: async ({ signal, mayRemove }) => {
      signal.throwIfAborted();
      const folder = await checkOwnerOnlyFolder(options.folder, options.folderAccess);
      if (!folder.ok) return folder;
      if (folder.value === undefined) return accept(true);
      const path = join(folder.value, name);
      return translated(() =>
        withLock(`${path}.lock`, (lease) => removeState(path, { ...options, lease, signal, mayRemove }), {
          clock,
          signal,
          waitMs: options.lockWaitMs,
        }),
      );
    },
  };
}

const TAKEN_OVER: unique symbol = Symbol("lock taken over");

async function changeState<State>(
  path: string,
  change: (state: State) => State,
  options: StateFileOptions<State> & { readonly lease: Lease; readonly signal: AbortSignal },
): Promise<Outcome<State | typeof TAKEN_OVER, StoreReason>> {
  const before = versionOf(path);
  const current = await readState(path, options);
  if (!current.ok) return current;
  const next = change(current.value);
  if (next === current.value) return current;
  const text = `${JSON.stringify(options.encode(next), undefined, 2)}\n`;
  if (Buffer.byteLength(text) > STATE_FILE_LIMIT_BYTES) return refuse("store-full");
  // What could not be read back must not be written: it would lock the person out of every decision.
  if (!(await options.decode(JSON.parse(text))).ok) return refuse("store-full");
  options.signal.throwIfAborted();
  await removeLeftovers(path);
  // Two processes can both take a dead one's lock for stale. The lock then says so to one of them, and the
  // file itself to the other, should it have been replaced since it was read.
  const replaced = await replaceFile(path, text, {
    mayReplace: () => options.lease.stillHeld() && versionOf(path) === before,
  });
  return accept(replaced ? next : TAKEN_OVER);
}

async function removeState<State>(
  path: string,
  options: StateFileOptions<State> & {
    readonly lease: Lease;
    readonly signal: AbortSignal;
    readonly mayRemove: ((state: State) => boolean) | undefined;
  },
): Promise<Outcome<boolean, StoreReason>> {
  if (options.mayRemove !== undefined) {
    const current = await readState(path, options);
    if (!current.ok) return current;
    if (!options.mayRemove(current.value)) return accept(false);
  }
  options.signal.throwIfAborted();
  if (!options.lease.stillHeld()) return refuse("lock-timeout");
  await rm(path, { force: true });
  await removeLeftovers(path);
  await syncFolder(dirname(path));
  return accept(true);
}

async function readState<State>(
  path: string,
  options: StateFileOptions<State>,
): Promise<Outcome<State, StoreReason>> {
  const opened = await openOwnerOnlyFile(path, constants.O_RDONLY);
  if (!opened.ok) return opened;
  const file = opened.value;
  if (file === undefined) return accept(options.empty);
  return translated(async () => {
    try {
      const { size } = await file.stat();
      if (size > STATE_FILE_LIMIT_BYTES) return refuse("store-corrupt");
      const value = parseJson(await file.readFile());
      return value.ok ? await options.decode(value.value) : value;
    } finally {
      await file.close();
    }
  });
}

function parseJson(bytes: Uint8Array): Outcome<unknown, StoreReason> {
  try {
    return accept(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    // Syntax or encoding: either way not what we wrote. The message would quote the content.
    return refuse("store-corrupt");
  }
}

/** Changes with every replacement of the file. */
function versionOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.ino}-${stats.mtimeNs}-${stats.size}`;
}
