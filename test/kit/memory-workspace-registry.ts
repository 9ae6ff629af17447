import type { Workspace } from "../../src/domain/activation/approval.ts";
import {
  type ObservedFolder,
  type WorkspaceRecord,
  recordAfterLook,
  recordAfterTrust,
  workspaceOf,
} from "../../src/domain/activation/workspace-record.ts";
import { type Outcome, accept, refuse } from "../../src/domain/outcome.ts";
import type { StoreRefusal, WorkspaceRegistry } from "../../src/ports/approval-store.ts";

/** Folders that exist by name only. `replace` puts a new folder in the place of the old one. */
export class MemoryWorkspaceRegistry implements WorkspaceRegistry {
  readonly #records = new Map<string, WorkspaceRecord>();
  readonly #folders = new Map<string, ObservedFolder>();
  #made = 0;

  async make(folder: string): Promise<void> {
    this.#made += 1;
    this.#folders.set(folder, { root: folder, inode: `${this.#made}`, createdNs: `${this.#made}` });
  }

  async replace(folder: string): Promise<void> {
    await this.make(folder);
  }

  async inspect(
    folder: string,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<Workspace, StoreRefusal>> {
    options.signal.throwIfAborted();
    return this.#keep(folder, recordAfterLook);
  }

  async setTrusted(
    folder: string,
    trusted: boolean,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<Workspace, StoreRefusal>> {
    options.signal.throwIfAborted();
    return this.#keep(folder, (observed, known) => recordAfterTrust(observed, known, trusted));
  }

  #keep(
    folder: string,
    next: (observed: ObservedFolder, known: WorkspaceRecord | undefined) => WorkspaceRecord | undefined,
  ): Outcome<Workspace, StoreRefusal> {
    const observed = this.#folders.get(folder);
    if (observed === undefined) return refuse({ kind: "store", reason: "workspace-missing" });
    const record = next(observed, this.#records.get(folder));
    if (record !== undefined) this.#records.set(folder, record);
    return accept(workspaceOf(observed, this.#records.get(folder)));
  }
}
