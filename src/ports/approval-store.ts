import type { ApprovalRecord, ApprovalSnapshot, Workspace } from "../domain/activation/approval.ts";
import type { StoreRefusal } from "../domain/activation/store-refusal.ts";
import type { Outcome } from "../domain/outcome.ts";

export type { StoreRefusal };

/** For remembering who approved what, outside every workspace. */
export interface ApprovalStore {
  load(options: { readonly signal: AbortSignal }): Promise<Outcome<ApprovalSnapshot, StoreRefusal>>;
  /** Adds or replaces the record of the same server id, authority and repository (A5). Whole or not at all. */
  record(
    record: ApprovalRecord,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<ApprovalSnapshot, StoreRefusal>>;
}

/** For telling one workspace from another, and whether its owner trusts it. */
export interface WorkspaceRegistry {
  /** The workspace as it is now; a folder that was replaced has a new generation and is no longer trusted. */
  inspect(
    folder: string,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<Workspace, StoreRefusal>>;
  setTrusted(
    folder: string,
    trusted: boolean,
    options: { readonly signal: AbortSignal },
  ): Promise<Outcome<Workspace, StoreRefusal>>;
}
