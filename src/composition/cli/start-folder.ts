import { isAbsolute, resolve } from "node:path";

import type { CommandLine } from "./arguments.ts";

/**
 * The folder that relative paths of a command line are about. npm runs a script in the folder of its package; where
 * the person stood is in `INIT_CWD` then. That is believed only for this package's own script, as a clone has it.
 */
export function startFolder(
  environment: Readonly<Record<string, string | undefined>>,
  current: string,
): string {
  const { INIT_CWD: stood, npm_lifecycle_event: script, npm_package_name: packageName } = environment;
  const ours = script === "sallyport" && packageName === "sallyport";
  return ours && stood !== undefined && isAbsolute(stood) ? stood : current;
}

/** {@link startFolder} of this process. */
export function callersFolder(): string {
  return startFolder(process.env, process.cwd());
}

export function workspaceFolder({ workspace }: CommandLine): string {
  return resolve(callersFolder(), workspace ?? ".");
}
