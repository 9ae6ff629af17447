import type { ActivationStatus, ApprovalRecord } from "../../domain/activation/approval.ts";
import type { StdioDetail, StdioRefusal } from "../../domain/launch/refusal.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { ExecutableFinder } from "../../ports/executable-finder.ts";
import type { FileProbe } from "../../ports/process-runner.ts";
import type { LaunchGrant, LaunchRequest, StdioAuthority } from "../../ports/stdio-authority.ts";
import type { WorkingFolder } from "./working-folder.ts";

export interface ApprovedAuthorityContext {
  /** Matches the definition against the records as they are on disk now. */
  currentStatus(): Promise<ActivationStatus>;
  /** Where the server has to stay, and where it would start now. `undefined`: it belongs to no workspace at hand. */
  readonly folder: WorkingFolder | undefined;
  readonly finder: ExecutableFinder;
  readonly probe: FileProbe;
  /** What every child gets, whatever its definition says (M3). */
  readonly environment: ReadonlyMap<string, string>;
}

/**
 * A stdio authority whose answers come out of the approvals alone (M2): what the approver saw is what may
 * run. The command is looked up again and has to lead to the very file that was approved.
 */
export function createApprovedAuthority(
  serverId: string,
  fingerprint: string,
  context: ApprovedAuthorityContext,
): StdioAuthority {
  const approvedRecord = async (): Promise<ApprovalRecord | undefined> => {
    const status = await context.currentStatus();
    return status.status === "approved" ? status.record : undefined;
  };
  return {
    decide: async (request) => {
      const record = await approvedRecord();
      if (request.serverId !== serverId || request.fingerprint !== fingerprint || record === undefined) {
        return deny("not-approved");
      }
      return decideFromRecord(request, record, context);
    },
    generation: async () => {
      const record = await approvedRecord();
      return record === undefined ? "none" : `${record.authority}/${record.decidedAtMs}`;
    },
  };
}

async function decideFromRecord(
  request: LaunchRequest,
  record: ApprovalRecord,
  context: ApprovedAuthorityContext,
): Promise<Outcome<LaunchGrant, StdioRefusal>> {
  const { launch } = record;
  if (launch === undefined || context.folder === undefined) return deny("no-launch-facts");
  const root = await context.probe.look(context.folder.root);
  const cwd = await context.probe.look(context.folder.cwd);
  if (root === undefined || cwd?.realPath !== launch.cwd) return deny("cwd-changed");
  const found = await context.finder.find(request.command, launch.cwd);
  if (found === undefined) return deny("executable-missing");
  if (found.realPath !== launch.executable) return deny("executable-changed");
  return accept({
    root: root.realPath,
    executable: launch.executable,
    argv0: found.foundAt,
    // The fingerprint that matched covers every argument, so the vector approved is the vector requested.
    argumentVectors: [request.args],
    environment: context.environment,
    allowedEnvKeys: launch.envKeys,
    allowedCodeChangingKeys: launch.codeChangingEnvKeys,
    allowShell: launch.allowShell,
    generation: `${record.authority}/${record.decidedAtMs}`,
  });
}

function deny(detail: StdioDetail): Outcome<never, StdioRefusal> {
  return refuse({ kind: "stdio", reason: "authority", detail });
}
