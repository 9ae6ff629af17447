import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, stat } from "node:fs/promises";

import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";

/** Permission bits that let anybody but the owner read, write or enter. */
const OTHERS_ANY = 0o077;
const OTHERS_WRITE = 0o022;

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Windows keeps no such bits; there the profile folder's access list protects what is in it. */
const HAS_MODES = process.platform !== "win32";

/** `shared`: others may look into the folder. `private`: they may not even enter it (U9). */
export type FolderAccess = "shared" | "private";

/**
 * Makes sure that `folder` is there and nobody else can change what is in it. What is missing is created with mode 0700.
 * A folder that exists keeps its mode, since it may be one that more than Sallyport uses; it must belong to this user and be
 * writable by nobody else. Answers its canonical path; refuses with `store-insecure` or `store-failed`.
 */
export async function ensureOwnerOnlyFolder(
  folder: string,
  access: FolderAccess = "shared",
): Promise<Outcome<string, StoreReason>> {
  return translated(async () => {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    return checkFolder(folder, access);
  });
}

/** Checks a folder as {@link ensureOwnerOnlyFolder} does, and creates nothing. `undefined`: there is none. */
export async function checkOwnerOnlyFolder(
  folder: string,
  access: FolderAccess = "shared",
): Promise<Outcome<string | undefined, StoreReason>> {
  return translated(() => ifPresent(() => checkFolder(folder, access)));
}

/**
 * Opens a file of ours. Refuses with `store-insecure` what is no plain file, is a symbolic link, belongs to
 * somebody else, or may be read or written by others. `undefined`: there is none.
 */
export async function openOwnerOnlyFile(
  path: string,
  flags: number,
): Promise<Outcome<FileHandle | undefined, StoreReason>> {
  return translated(() =>
    ifPresent(async () => {
      // Windows has no O_NOFOLLOW: look first. Elsewhere the flag closes the gap between look and open.
      // O_NONBLOCK: a named pipe in the place of the file must not hang us.
      if (!HAS_MODES && (await lstat(path)).isSymbolicLink()) return refuse("store-insecure");
      const file = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, FILE_MODE);
      const stats = await file.stat();
      if (stats.isFile() && ownedBySelf(stats) && !openTo(stats, OTHERS_ANY)) return accept(file);
      await file.close();
      return refuse("store-insecure");
    }),
  );
}

async function checkFolder(folder: string, access: FolderAccess): Promise<Outcome<string, StoreReason>> {
  const canonical = await realpath(folder);
  const stats = await stat(canonical);
  if (!stats.isDirectory()) return refuse("store-failed");
  const secure = ownedBySelf(stats) && !openTo(stats, access === "private" ? OTHERS_ANY : OTHERS_WRITE);
  return secure ? accept(canonical) : refuse("store-insecure");
}

function ownedBySelf(stats: Stats): boolean {
  return process.geteuid === undefined || stats.uid === process.geteuid();
}

function openTo(stats: Stats, bits: number): boolean {
  return HAS_MODES && (stats.mode & bits) !== 0;
}

async function ifPresent<Value>(
  work: () => Promise<Outcome<Value, StoreReason>>,
): Promise<Outcome<Value | undefined, StoreReason>> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return accept(undefined);
    throw error;
  }
}

/** Turns what the file system throws into a closed reason. What is no system error goes on as it is. */
export async function translated<Value>(
  work: () => Promise<Outcome<Value, StoreReason>>,
): Promise<Outcome<Value, StoreReason>> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    // Opening a symbolic link with O_NOFOLLOW: ELOOP on Linux and macOS, EMLINK on FreeBSD.
    return refuse(code === "ELOOP" || code === "EMLINK" ? "store-insecure" : "store-failed");
  }
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  // An abort also has a code, a number: it is not the machine's.
  return typeof error.code === "string" && "syscall" in error ? error.code : undefined;
}
