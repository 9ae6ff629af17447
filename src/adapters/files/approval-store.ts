import { approvalDocument, withRecord } from "../../domain/activation/approval-records.ts";
import type { ApprovalSnapshot } from "../../domain/activation/approval.ts";
import type { StoreReason, StoreRefusal } from "../../domain/activation/store-refusal.ts";
import { type Outcome, refuse } from "../../domain/outcome.ts";
import type { ApprovalStore } from "../../ports/approval-store.ts";
import type { Clock } from "../../ports/clock.ts";
import { createStateFile } from "./state-file.ts";

export interface FileApprovalStoreOptions {
  /** Sallyport's home: outside every workspace. Holds `approvals.json`, mode 0600. */
  readonly folder: string;
  readonly clock: Clock;
  /** How long to wait for another process that is writing, in milliseconds. Default 10,000. */
  readonly lockWaitMs?: number;
}

/**
 * Keeps approvals in one readable file. Loading writes nothing and creates nothing; a missing file holds no
 * record. What cannot be read strictly is refused, never taken for empty, and never overwritten.
 */
export function createFileApprovalStore(options: FileApprovalStoreOptions): ApprovalStore {
  const file = createStateFile<ApprovalSnapshot>({
    ...options,
    name: "approvals.json",
    decode: async (value) => (await documents()).decodeApprovalDocument(value),
    encode: approvalDocument,
    empty: { records: [] },
  });
  return {
    load: async (call) => asStoreOutcome(await file.load(call)),
    record: async (record, call) => {
      (await documents()).checkApprovalRecord(record);
      return asStoreOutcome(await file.update((snapshot) => withRecord(snapshot, record), call));
    },
  };
}

/** Its schemas are loaded with the first record that there is: most first runs find none. */
function documents(): Promise<typeof import("../../domain/activation/approval-document.ts")> {
  return import("../../domain/activation/approval-document.ts");
}

/** Puts the reason of a state file into the refusal that the ports speak of. */
export function asStoreOutcome<Value>(outcome: Outcome<Value, StoreReason>): Outcome<Value, StoreRefusal> {
  return outcome.ok ? outcome : refuse({ kind: "store", reason: outcome.refusal });
}
