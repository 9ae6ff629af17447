import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";

import { importsOf } from "../architecture/source-files.ts";

/** Packages that need Node, or that only one adapter may reach. */
const NODE_PACKAGES = ["undici", "proper-lockfile", "env-paths", "fast-string-width", "@humanwhocodes/momoa"];

export interface Reached {
  /** Files of the package, relative to its folder. */
  readonly files: readonly string[];
  /** `file -> specifier` of everything that has no place where there is no Node API. */
  readonly forbidden: readonly string[];
  /** `file -> specifier` of everything outside the package. */
  readonly packages: readonly string[];
}

/** Follows a built file chunk by chunk, through static imports and (unless told otherwise) dynamic ones. */
export function reachedFrom(
  folder: string,
  entry: string,
  { dynamic = true }: { readonly dynamic?: boolean } = {},
): Reached {
  const waiting = [join(folder, entry)];
  const seen = new Set<string>();
  const packages: string[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = readFileSync(path, "utf8");
    for (const specifier of importsOf(dynamic ? text : text.replace(/\bimport\s*\(/g, "later("))) {
      if (/^\.{1,2}\//.test(specifier)) waiting.push(join(dirname(path), specifier));
      else packages.push(`${relative(folder, path)} -> ${specifier}`);
    }
  }
  return {
    files: [...seen].map((path) => relative(folder, path)).toSorted(),
    forbidden: packages.filter((line) => isForbidden(line.split(" -> ")[1] ?? "")),
    packages,
  };
}

function isForbidden(specifier: string): boolean {
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return true;
  return NODE_PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
