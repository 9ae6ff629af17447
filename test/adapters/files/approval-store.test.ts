import { createFileApprovalStore } from "../../../src/adapters/files/approval-store.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { approvalStoreContract } from "../../ports/approval-store.contract.ts";

approvalStoreContract("file", async (t) =>
  createFileApprovalStore({ folder: `${await tempFolder(t)}/home`, clock: createSystemClock() }),
);
