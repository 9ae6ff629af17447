import { createFileAuditLog } from "../../../src/adapters/files/audit-log.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import { auditLogContract } from "../../ports/audit-log.contract.ts";

auditLogContract("file", async (t) => createFileAuditLog({ folder: `${await tempFolder(t)}/home` }));
