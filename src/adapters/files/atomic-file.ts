import { renameSync } from "node:fs";
import { open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { FILE_MODE, codeOf } from "./owner-only.ts";

const TEMPORARY_ENDING = ".tmp";

export interface ReplaceOptions {
  /** Asked, synchronously, right before the new file takes the place of the old one; `false` leaves the old one. */
  readonly mayReplace: () => boolean;
}

/**
 * Replaces a file as a whole: temporary file beside it, synced, renamed, folder synced. Whatever stops it
 * in between – a crash, a full disk – leaves the old file as it was. Answers whether the file was replaced.
 * Throws what the file system throws.
 */
export async function replaceFile(path: string, text: string, options: ReplaceOptions): Promise<boolean> {
  // Loaded here: who only reads never pays for it.
  const { randomBytes } = await import("node:crypto");
  const temporary = `${path}.${randomBytes(8).toString("hex")}${TEMPORARY_ENDING}`;
  try {
    const file = await open(temporary, "wx", FILE_MODE);
    try {
      await file.writeFile(text, "utf8");
      await file.sync();
    } finally {
      await file.close();
    }
    // Check and rename run in one go, so that nothing of this process gets in between.
    const replaced = options.mayReplace();
    if (replaced) renameSync(temporary, path);
    else await rm(temporary);
    if (replaced) await syncFolder(dirname(path));
    return replaced;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Removes what a writer of `path` that was killed left beside it. Only for the holder of the file's lock. */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(start) || !name.endsWith(TEMPORARY_ENDING)) continue;
    await rm(join(folder, name), { force: true });
  }
}

/** Makes a rename or a removal itself durable. Where folders cannot be synced (Windows), the file system has to do. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // The file has been replaced or removed already: saying no now would be untrue. Anything but a system error is a bug.
    if (codeOf(error) === undefined) throw error;
  }
}
