import { sha256Hex } from "../sha256.ts";
import type { Workspace } from "./approval.ts";

/** What the machine says about a workspace's root folder. */
export interface ObservedFolder {
  /** Canonical absolute path: symbolic links resolved, spelled as the file system does. */
  readonly root: string;
  /**
   * Tells a replaced folder from the old one: file number and time of creation, decimal. Both survive a
   * checkout and a reboot; a folder that is made again gets others, even at the same path.
   */
  readonly inode: string;
  readonly createdNs: string;
}

/** What the registry keeps of a workspace that somebody trusted at least once. */
export interface WorkspaceRecord extends ObservedFolder {
  readonly generation: number;
  readonly trusted: boolean;
}

/** The generation of a workspace that nobody ever trusted: nothing is written about it. */
const FIRST_GENERATION = 1;

/**
 * Names the repository: a digest over its canonical root and what tells that folder from one put in its
 * place. A second clone elsewhere, and a new clone at the same path, are other repositories.
 */
export function repositoryIdentity(folder: ObservedFolder): string {
  return sha256Hex(JSON.stringify(["sallyport-repository-1", folder.root, folder.inode, folder.createdNs]));
}

/**
 * Names the place under Sallyport's home for what a person keeps about a workspace (`<home>/workspaces/<key>`). Made of
 * the canonical root alone, so that a new clone at the same path finds the person's `local` definitions again; they are
 * used only once that folder is trusted and each is approved again.
 */
export function workspaceKey(root: string): string {
  return sha256Hex(JSON.stringify(["sallyport-workspace-1", root])).slice(0, 32);
}

/** The workspace as it is now, given what the registry remembers under the same root. */
export function workspaceOf(folder: ObservedFolder, known: WorkspaceRecord | undefined): Workspace {
  const current = currentRecord(folder, known);
  return {
    repositoryIdentity: repositoryIdentity(folder),
    generation: current.generation,
    trusted: current.trusted,
  };
}

/**
 * What the registry should remember after a look. `undefined`: what it has is right. Only a folder that took
 * the place of a known one is news: the old trust must not come back with the old folder.
 */
export function recordAfterLook(
  folder: ObservedFolder,
  known: WorkspaceRecord | undefined,
): WorkspaceRecord | undefined {
  if (known === undefined || sameFolder(folder, known)) return undefined;
  return currentRecord(folder, known);
}

/** What the registry should remember after a decision about trust. `undefined`: nothing changes. */
export function recordAfterTrust(
  folder: ObservedFolder,
  known: WorkspaceRecord | undefined,
  trusted: boolean,
): WorkspaceRecord | undefined {
  const current = currentRecord(folder, known);
  if (current.trusted === trusted) return recordAfterLook(folder, known);
  // Withdrawing trust ends every approval given under it (A2): they carry the old generation.
  return { ...current, trusted, generation: trusted ? current.generation : current.generation + 1 };
}

function currentRecord(folder: ObservedFolder, known: WorkspaceRecord | undefined): WorkspaceRecord {
  const { root, inode, createdNs } = folder;
  if (known === undefined) {
    return { root, inode, createdNs, generation: FIRST_GENERATION, trusted: false };
  }
  if (sameFolder(folder, known)) return known;
  return { root, inode, createdNs, generation: known.generation + 1, trusted: false };
}

function sameFolder(left: ObservedFolder, right: ObservedFolder): boolean {
  return left.root === right.root && left.inode === right.inode && left.createdNs === right.createdNs;
}

/** Version word of the document. A larger one was written by a later Sallyport. */
export const WORKSPACES_VERSION = 1;

/** Workspaces by canonical root. */
export type WorkspaceRecords = ReadonlyMap<string, WorkspaceRecord>;

/** The document as it is written, sorted by root. */
export function workspaceDocument(records: WorkspaceRecords): {
  readonly version: number;
  readonly workspaces: readonly WorkspaceRecord[];
} {
  const workspaces = [...records.values()].toSorted((left, right) => (left.root < right.root ? -1 : 1));
  return { version: WORKSPACES_VERSION, workspaces };
}
