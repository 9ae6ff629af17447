import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";

import type { ExecutableFinder, FoundExecutable } from "../../ports/executable-finder.ts";

export interface ExecutableSearchOptions {
  /** The host's own `PATH`. Relative and empty entries are skipped: they would mean another folder each time. */
  readonly path: string;
  /** As Node spells it. */
  readonly platform: string;
  /** The host's own `PATHEXT`, Windows only. */
  readonly pathExt?: string;
}

/**
 * Finds what a command names: an absolute path as it is, one with a separator from the given folder, a bare
 * name on `PATH`. No shell is asked and `~` is not expanded (E19 of the fault list).
 */
export function createExecutableFinder(options: ExecutableSearchOptions): ExecutableFinder {
  return { find: (command, cwd) => findExecutable(command, { ...options, cwd }) };
}

export async function findExecutable(
  command: string,
  options: ExecutableSearchOptions & { readonly cwd: string },
): Promise<FoundExecutable | undefined> {
  if (command === "" || command.includes("\0")) return undefined;
  for (const folder of foldersFor(command, options)) {
    for (const name of candidateNames(command, options)) {
      const found = await executableAt(resolve(folder, name));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function foldersFor(
  command: string,
  { path, platform, cwd }: { readonly path: string; readonly platform: string; readonly cwd: string },
): readonly string[] {
  if (isAbsolute(command)) return ["/"];
  if (command.includes("/") || (platform === "win32" && command.includes("\\"))) return [cwd];
  return path.split(delimiter).filter((entry) => isAbsolute(entry));
}

/**
 * The file names that `command` may stand for. On Windows a name without an ending is tried with each of
 * `PATHEXT` and never bare: Windows does not run a file without one.
 */
export function candidateNames(
  command: string,
  { platform, pathExt }: { readonly platform: string; readonly pathExt?: string },
): readonly string[] {
  if (platform !== "win32") return [command];
  const endings = (pathExt ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => /^\.\w+$/.test(ending));
  const lower = command.toLowerCase();
  if (endings.some((ending) => lower.endsWith(ending.toLowerCase()))) return [command];
  return endings.map((ending) => command + ending.toLowerCase());
}

async function executableAt(path: string): Promise<FoundExecutable | undefined> {
  try {
    const realPath = await realpath(path);
    if (!(await stat(realPath)).isFile()) return undefined;
    await access(realPath, constants.X_OK);
    return { foundAt: path, realPath };
  } catch {
    // Not there, or not for us to run: the search goes on, as that of a shell does.
    return undefined;
  }
}
