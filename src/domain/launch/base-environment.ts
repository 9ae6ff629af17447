import { isAbsolutePath } from "./paths.ts";

/** What a child on POSIX gets of the environment (M3), besides `LC_*`. */
export const POSIX_BASE_NAMES: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "TERM",
  "TMPDIR",
  "TZ",
];

/** Locale categories of POSIX and glibc, for hosts that can look names up but not list them. */
const LOCALE_NAMES: readonly string[] = [
  "LC_ALL",
  "LC_ADDRESS",
  "LC_COLLATE",
  "LC_CTYPE",
  "LC_IDENTIFICATION",
  "LC_MEASUREMENT",
  "LC_MESSAGES",
  "LC_MONETARY",
  "LC_NAME",
  "LC_NUMERIC",
  "LC_PAPER",
  "LC_TELEPHONE",
  "LC_TIME",
];

/** What a child on Windows gets: without most of these, programs there do not start at all. */
export const WINDOWS_BASE_NAMES: readonly string[] = [
  "PATH",
  "PATHEXT",
  "COMSPEC",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROCESSOR_ARCHITECTURE",
  "NUMBER_OF_PROCESSORS",
  "OS",
  "LANG",
  "TZ",
];

/**
 * Picks the base environment of a child (M3): the fixed names and nothing else of the host's environment.
 *
 * A value that starts with `()` is left out: old shells take it for a function and run it. Relative and empty
 * entries of `PATH` are left out, as they are when the command is looked up: for a child they would mean its
 * working folder, where a workspace could put the `node` that `#!/usr/bin/env node` starts.
 */
export function baseEnvironment(
  environment: (name: string) => string | undefined,
  options: {
    /** As Node spells it; `win32` has its own list. */
    readonly platform: string;
    /** Every name that is set, so that unusual `LC_*` are found too. Absent: the known ones are looked up. */
    readonly names?: readonly string[];
  },
): ReadonlyMap<string, string> {
  const picked = new Map<string, string>();
  for (const name of baseNames(options)) {
    const found = environment(name);
    const value = name === "PATH" && found !== undefined ? absoluteEntries(found, options.platform) : found;
    if (value !== undefined && !value.startsWith("()")) picked.set(name, value);
  }
  return picked;
}

/** `undefined` when nothing is left: an empty `PATH` is the working folder, an absent one the system's default. */
function absoluteEntries(path: string, platform: string): string | undefined {
  const delimiter = platform === "win32" ? ";" : ":";
  const entries = path.split(delimiter).filter((entry) => isAbsolutePath(entry));
  return entries.length === 0 ? undefined : entries.join(delimiter);
}

function baseNames({
  platform,
  names = LOCALE_NAMES,
}: {
  readonly platform: string;
  readonly names?: readonly string[];
}): readonly string[] {
  if (platform === "win32") return WINDOWS_BASE_NAMES;
  return [...POSIX_BASE_NAMES, ...names.filter((name) => /^LC_[A-Z]+$/.test(name))];
}
