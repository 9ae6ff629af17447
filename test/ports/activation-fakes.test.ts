import { createMemoryApprovalStore } from "../kit/memory-approval-store.ts";
import { createMemoryAuditLog } from "../kit/memory-audit-log.ts";
import { MemoryWorkspaceRegistry } from "../kit/memory-workspace-registry.ts";
import { approvalStoreContract } from "./approval-store.contract.ts";
import { auditLogContract } from "./audit-log.contract.ts";
import { workspaceRegistryContract } from "./workspace-registry.contract.ts";

approvalStoreContract("memory", async () => createMemoryApprovalStore());
auditLogContract("memory", async () => createMemoryAuditLog());
workspaceRegistryContract("memory", async () => {
  const registry = new MemoryWorkspaceRegistry();
  await registry.make("/work/one");
  await registry.make("/work/two");
  return {
    registry,
    folder: "/work/one",
    otherFolder: "/work/two",
    missingFolder: "/work/none",
    replace: (folder) => registry.replace(folder),
  };
});
