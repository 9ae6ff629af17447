import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ResultSpill } from "../../ports/result-spill.ts";
import {
  FILE_MODE,
  checkOwnerOnlyFolder,
  codeOf,
  ensureOwnerOnlyFolder,
  openOwnerOnlyFile,
  translated,
} from "./owner-only.ts";

/** In Sallyport's home. Mode 0700. */
const FOLDER = "results";
/** Nobody guesses 128 bits, and two results never share them. */
const REFERENCE_BYTES = 16;
const REFERENCE = /^[0-9a-f]{32}$/;
const ENDING = ".json";
/** A result and, while it is written, its temporary file: nothing else in the folder is ours to remove. */
const OURS = /^[0-9a-f]{32}\.json(\.tmp)?$/;

const DEFAULT_LIMITS: ResultSpillLimits = {
  results: 200,
  bytes: 268_435_456,
  resultBytes: 67_108_864,
  ageMs: 7 * 24 * 60 * 60 * 1000,
};

export interface ResultSpillLimits {
  /** Results that are kept. Default 200. */
  readonly results: number;
  /** Bytes of all of them. Default 256 MiB. */
  readonly bytes: number;
  /** Bytes of one; a larger one is not kept (`store-full`). Default 64 MiB. */
  readonly resultBytes: number;
  /** How long one is kept. Default 7 days. */
  readonly ageMs: number;
}

export interface FileResultSpillOptions {
  /** Sallyport's home: outside every workspace. */
  readonly folder: string;
  readonly clock: Clock;
  readonly limits?: Partial<ResultSpillLimits>;
}

/**
 * Keeps each result in a file of its own in `results` in Sallyport's home: folder mode 0700, file mode 0600, named by
 * 128 random bits. A file is there whole or not at all; it is not forced to the disk, since it is no state that anything
 * depends on. Storing one first removes what is too old and, oldest first, what is too many or too much.
 */
export function createFileResultSpill(options: FileResultSpillOptions): ResultSpill {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    store: async (text, { signal }) => {
      signal.throwIfAborted();
      const stored = await store(text, { ...options, limits });
      return stored.ok ? stored : refuse({ kind: "store", reason: stored.refusal });
    },
    load: async (reference, { signal }) => {
      signal.throwIfAborted();
      // Before any path is made of it: it may come from a model.
      if (!REFERENCE.test(reference)) return refuse({ kind: "result", reason: "reference-malformed" });
      const loaded = await load(reference, options.folder, limits);
      if (!loaded.ok) return refuse({ kind: "store", reason: loaded.refusal });
      return loaded.value === undefined
        ? refuse({ kind: "result", reason: "reference-unknown" })
        : accept(loaded.value);
    },
  };
}

interface Storing extends FileResultSpillOptions {
  readonly limits: ResultSpillLimits;
}

async function store(
  text: string,
  { folder: home, clock, limits }: Storing,
): Promise<Outcome<string, StoreReason>> {
  const bytes = Buffer.from(text);
  if (bytes.length > limits.resultBytes || bytes.length > limits.bytes) return refuse("store-full");
  const folder = await ensureOwnerOnlyFolder(join(home, FOLDER), "private");
  if (!folder.ok) return folder;
  return translated(async () => {
    await makeRoom(folder.value, bytes.length, { limits, nowMs: clock.nowMs() });
    const reference = randomBytes(REFERENCE_BYTES).toString("hex");
    await writeWhole(join(folder.value, reference + ENDING), bytes);
    return accept(reference);
  });
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, "wx", FILE_MODE);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

interface Kept {
  readonly path: string;
  readonly bytes: number;
  readonly atMs: number;
}

async function makeRoom(
  folder: string,
  bytes: number,
  { limits, nowMs }: { readonly limits: ResultSpillLimits; readonly nowMs: number },
): Promise<void> {
  const newestFirst = (await keptIn(folder)).toSorted((left, right) => right.atMs - left.atMs);
  let count = 1;
  let total = bytes;
  for (const kept of newestFirst) {
    count += 1;
    total += kept.bytes;
    const stays = count <= limits.results && total <= limits.bytes && nowMs - kept.atMs <= limits.ageMs;
    if (stays) continue;
    await rm(kept.path, { force: true });
  }
}

/** Links and folders of such a name are left alone: they were not made here. */
async function keptIn(folder: string): Promise<readonly Kept[]> {
  const names = (await readdir(folder)).filter((name) => OURS.test(name));
  const looked = await Promise.all(names.map((name) => look(join(folder, name))));
  return looked.flatMap((kept) => (kept === undefined ? [] : [kept]));
}

async function look(path: string): Promise<Kept | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? { path, bytes: stats.size, atMs: stats.mtimeMs } : undefined;
  } catch (error) {
    // Another process removed it meanwhile.
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function load(
  reference: string,
  home: string,
  limits: ResultSpillLimits,
): Promise<Outcome<string | undefined, StoreReason>> {
  const folder = await checkOwnerOnlyFolder(join(home, FOLDER), "private");
  if (!folder.ok || folder.value === undefined) return folder.ok ? accept(undefined) : folder;
  const opened = await openOwnerOnlyFile(join(folder.value, reference + ENDING), constants.O_RDONLY);
  if (!opened.ok || opened.value === undefined) return opened.ok ? accept(undefined) : opened;
  const file = opened.value;
  return translated(async () => {
    try {
      const { size } = await file.stat();
      if (size > limits.resultBytes) return refuse("store-corrupt");
      return textOf(await file.readFile());
    } finally {
      await file.close();
    }
  });
}

function textOf(bytes: Uint8Array): Outcome<string, StoreReason> {
  try {
    return accept(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    // Not what was written: ours is UTF-8.
    return refuse("store-corrupt");
  }
}
