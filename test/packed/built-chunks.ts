import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";

import { importsOf } from "../architecture/source-files.ts";

/** Packages that need Node, or that only one adapter may reach. */
const NODE_PACKAGES = ["undici", "proper-lockfile", "env-paths", "cli-table3", "@humanwhocodes/momoa"];

export interface Reached {
  /** Files of the package, relative to its folder. */
  readonly files: readonly string[];
  /** `file -> specifier` of everything that has no place where there is no Node API. */
  readonly forbidden: readonly string[];
}

/** Follows a built file through static and dynamic imports, chunk by chunk. */
export function reachedFrom(folder: string, entry: string): Reached {
  const waiting = [join(folder, entry)];
  const seen = new Set<string>();
  const forbidden: string[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const specifier of importsOf(readFileSync(path, "utf8"))) {
      if (/^\.{1,2}\//.test(specifier)) waiting.push(join(dirname(path), specifier));
      else if (isForbidden(specifier)) forbidden.push(`${relative(folder, path)} -> ${specifier}`);
    }
  }
  return { files: [...seen].map((path) => relative(folder, path)).toSorted(), forbidden };
}

function isForbidden(specifier: string): boolean {
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return true;
  return NODE_PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
