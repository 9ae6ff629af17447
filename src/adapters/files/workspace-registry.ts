import { realpath, stat } from "node:fs/promises";

import {
  type ObservedFolder,
  type WorkspaceRecord,
  type WorkspaceRecords,
  recordAfterLook,
  recordAfterTrust,
  workspaceDocument,
  workspaceOf,
} from "../../domain/activation/workspace-record.ts";
import type { StoreReason } from "../../domain/activation/store-refusal.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";
import type { WorkspaceRegistry } from "../../ports/approval-store.ts";
import type { Clock } from "../../ports/clock.ts";
import { asStoreOutcome } from "./approval-store.ts";
import { codeOf } from "./owner-only.ts";
import { createStateFile } from "./state-file.ts";

export interface FileWorkspaceRegistryOptions {
  /** Sallyport's home: outside every workspace. Holds `workspaces.json`, mode 0600. */
  readonly folder: string;
  readonly clock: Clock;
  /** How long to wait for another process that is writing, in milliseconds. Default 10,000. */
  readonly lockWaitMs?: number;
}

/**
 * Remembers which workspaces their owner trusts. Nothing is ever written into a workspace, and looking at one that nobody
 * trusted writes nothing at all. A folder is its own workspace: trusting it trusts no folder in it or above it.
 */
export function createFileWorkspaceRegistry(options: FileWorkspaceRegistryOptions): WorkspaceRegistry {
  const file = createStateFile<WorkspaceRecords>({
    ...options,
    name: "workspaces.json",
    // Its schemas are loaded with the first record that there is.
    decode: async (value) => {
      const { decodeWorkspaceDocument } = await import("../../domain/activation/workspace-document.ts");
      return decodeWorkspaceDocument(value);
    },
    encode: workspaceDocument,
    empty: new Map(),
  });
  return {
    inspect: async (folder, call) => {
      const observed = await observe(folder);
      if (!observed.ok) return asStoreOutcome(observed);
      const loaded = await file.load(call);
      if (!loaded.ok) return asStoreOutcome(loaded);
      const known = loaded.value.get(observed.value.root);
      if (recordAfterLook(observed.value, known) !== undefined) {
        // Best effort: the answer is `not trusted` with or without the note, so a read-only home may look.
        await file.update(
          (all) => withChange(all, recordAfterLook(observed.value, all.get(observed.value.root))),
          call,
        );
      }
      return accept(workspaceOf(observed.value, known));
    },
    setTrusted: async (folder, trusted, call) => {
      const observed = await observe(folder);
      if (!observed.ok) return asStoreOutcome(observed);
      const { root } = observed.value;
      const written = await file.update(
        (all) => withChange(all, recordAfterTrust(observed.value, all.get(root), trusted)),
        call,
      );
      if (!written.ok) return asStoreOutcome(written);
      return accept(workspaceOf(observed.value, written.value.get(root)));
    },
  };
}

function withChange(all: WorkspaceRecords, record: WorkspaceRecord | undefined): WorkspaceRecords {
  return record === undefined ? all : new Map([...all, [record.root, record]]);
}

async function observe(folder: string): Promise<Outcome<ObservedFolder, StoreReason>> {
  try {
    const root = await realpath(folder);
    const stats = await stat(root, { bigint: true });
    if (!stats.isDirectory()) return refuse("workspace-missing");
    return accept({ root, inode: `${stats.ino}`, createdNs: `${stats.birthtimeNs}` });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return refuse("workspace-missing");
  }
}
