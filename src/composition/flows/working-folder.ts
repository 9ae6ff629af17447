import type { DefinitionSource } from "../../domain/definition/definition.ts";

/** Where a stdio server may work, and where it would start. */
export interface WorkingFolder {
  /** The working directory has to be inside of it. */
  readonly root: string;
  readonly cwd: string;
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

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
  if (source === "managed" || source === "user") {
    if (configuredCwd === undefined) return { root: places.userFolder, cwd: places.userFolder };
    const cwd = under(places.userFolder, configuredCwd);
    return { root: ABSOLUTE.test(configuredCwd) ? cwd : places.userFolder, cwd };
  }
  if (places.workspaceFolder === undefined) return undefined;
  const root = places.workspaceFolder;
  return { root, cwd: configuredCwd === undefined ? root : under(root, configuredCwd) };
}

function under(folder: string, path: string): string {
  return ABSOLUTE.test(path) ? path : `${folder}/${path}`;
}
