import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep, win32 } from "node:path";

import { workspaceKey } from "../../domain/activation/workspace-record.ts";
import type { HomeRefusal } from "../../domain/activation/store-refusal.ts";
import type { Environment } from "../../domain/definition/resolution.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";
import { codeOf } from "./owner-only.ts";

export interface HomeFolderOptions {
  /** The process environment, never a file's. */
  readonly environment: Environment;
  /** What the person wrote behind `--home`; relative to the current folder. */
  readonly homeFlag?: string;
  /** The workspace in use. Sallyport's home has to be apart from it. */
  readonly workspace?: string;
  /** Replaces the platform's configuration folder. Default: what `env-paths` says for `sallyport`. */
  readonly platformFolder?: string;
}

/**
 * Finds Sallyport's home (M1): `--home`, else `$SALLYPORT_HOME` (empty counts as unset), else the platform's configuration
 * folder. No file is read for it, and nothing is created. Answers the canonical path, whether it exists or not.
 *
 * Refuses `home-not-absolute` (a relative path out of the environment would let the current folder choose),
 * `home-in-workspace` (either inside the other: an agent writes files there) and `home-unusable`.
 */
export async function resolveHomeFolder(options: HomeFolderOptions): Promise<Outcome<string, HomeRefusal>> {
  const chosen = options.homeFlag === undefined ? await configuredHome(options) : resolve(options.homeFlag);
  if (!isAbsolute(chosen)) return refuse({ kind: "home", reason: "home-not-absolute" });
  const home = await canonicalPath(chosen);
  if (home === undefined) return refuse({ kind: "home", reason: "home-unusable" });
  if (options.workspace === undefined) return accept(home);

  const workspace = await canonicalPath(resolve(options.workspace));
  if (workspace === undefined) return accept(home);
  const apart = !isInside(home, workspace) && !isInside(workspace, home);
  return apart ? accept(home) : refuse({ kind: "home", reason: "home-in-workspace" });
}

/** Place of managed definitions: only an administrator can write there. */
export function managedConfigPath(platform: string, environment: Environment): string {
  if (platform === "win32") {
    return win32.join(environment("ProgramData") || "C:\\ProgramData", "sallyport", "mcp.json");
  }
  if (platform === "darwin") return "/Library/Application Support/sallyport/mcp.json";
  return "/etc/sallyport/mcp.json";
}

/** Place of the definitions that apply to every workspace of this person. */
export function userConfigPath(home: string): string {
  return join(home, "mcp.json");
}

/** Place of the definitions that this person keeps for one workspace, by its canonical root. */
export function localConfigPath(home: string, workspaceRoot: string): string {
  return join(home, "workspaces", workspaceKey(workspaceRoot), "mcp.json");
}

async function configuredHome(options: HomeFolderOptions): Promise<string> {
  const configured = options.environment("SALLYPORT_HOME");
  if (configured !== undefined && configured !== "") return configured;
  if (options.platformFolder !== undefined) return options.platformFolder;
  const { default: envPaths } = await import("env-paths");
  return envPaths("sallyport", { suffix: "" }).config;
}

/**
 * Resolves symbolic links in the part of a path that exists. `undefined`: the path cannot be looked at, or a link in it
 * leads nowhere, so that where it would be created is anybody's guess.
 */
async function canonicalPath(path: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await realpath(at), ...missing);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || (await isDanglingLink(at)) || dirname(at) === at) return undefined;
      missing.unshift(basename(at));
    }
  }
}

async function isDanglingLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

/**
 * Compares the way a case-insensitive file system does, on every platform: on others that refuses a folder
 * too many (`/srv/App` beside `/srv/app/home`), never one too few.
 */
function isInside(inner: string, outer: string): boolean {
  const [folded, parent] = [fold(inner), fold(outer)];
  return folded === parent || folded.startsWith(parent.endsWith(sep) ? parent : `${parent}${sep}`);
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
