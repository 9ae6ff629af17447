import { isWorkspaceBound } from "../../domain/activation/subject.ts";
import type { DefinitionSource } from "../../domain/definition/definition.ts";
import { isAbsolutePath } from "../../domain/launch/paths.ts";

/** Where a stdio server may work, and where it would start. */
export interface WorkingFolder {
  /** The working directory has to be inside of it. */
  readonly root: string;
  readonly cwd: string;
}

/**
 * A server of a workspace works inside that workspace; a managed or user server works in the folder its
 * definition names, or else in the person's home folder: never in whatever folder the host was started from.
 *
 * `undefined`: the server belongs to a workspace and there is none.
 */
export function workingFolder(
  source: DefinitionSource,
  configuredCwd: string | undefined,
  places: { readonly workspaceFolder: string | undefined; readonly userFolder: string },
): WorkingFolder | undefined {
  if (!isWorkspaceBound(source)) {
    if (configuredCwd === undefined) return { root: places.userFolder, cwd: places.userFolder };
    const cwd = under(places.userFolder, configuredCwd);
    return { root: isAbsolutePath(configuredCwd) ? cwd : places.userFolder, cwd };
  }
  if (places.workspaceFolder === undefined) return undefined;
  const root = places.workspaceFolder;
  return { root, cwd: configuredCwd === undefined ? root : under(root, configuredCwd) };
}

function under(folder: string, path: string): string {
  return isAbsolutePath(path) ? path : `${folder}/${path}`;
}
