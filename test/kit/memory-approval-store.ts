import { checkApprovalRecord } from "../../src/domain/activation/approval-document.ts";
import { withRecord } from "../../src/domain/activation/approval-records.ts";
import type { ApprovalSnapshot } from "../../src/domain/activation/approval.ts";
import { accept } from "../../src/domain/outcome.ts";
import type { ApprovalStore } from "../../src/ports/approval-store.ts";

/** Keeps approvals as long as the test runs. */
export function createMemoryApprovalStore(initial: ApprovalSnapshot = { records: [] }): ApprovalStore {
  let snapshot = initial;
  return {
    load: async ({ signal }) => {
      signal.throwIfAborted();
      return accept(snapshot);
    },
    record: async (record, { signal }) => {
      signal.throwIfAborted();
      checkApprovalRecord(record);
      snapshot = withRecord(snapshot, record);
      return accept(snapshot);
    },
  };
}
