import type { ActivationStatus, ApprovedLaunchFacts } from "../../domain/activation/approval.ts";
import { isWorkspaceBound } from "../../domain/activation/subject.ts";
import {
  materialOf,
  type HeadersHelperSettings,
  type ServerDefinition,
} from "../../domain/definition/definition.ts";
import type { ApprovedLaunch } from "../../domain/launch/approved-launch.ts";
import { checkLaunch } from "../../domain/launch/check.ts";
import type { AuthReason } from "../../domain/oauth/refusal.ts";
import { refuse, type Outcome } from "../../domain/outcome.ts";
import type { FileProbe } from "../../ports/process-runner.ts";

/** One entry of the host's list: exactly this command with exactly these arguments. */
export interface AllowedHelper extends HeadersHelperSettings {
  /** Canonical path that the command has to lead to. Default: the command itself, which is then canonical. */
  readonly executable?: string;
  /** Whether the program may be a shell or another launcher (M4). Default: it may not. */
  readonly allowShell?: boolean;
}

/** What the host says at one moment. */
export interface HelperPermission {
  readonly allowedHelpers: readonly AllowedHelper[];
  /** Of the workspace at hand. Counts for `local`, `project` and `plugin` definitions. */
  readonly workspaceTrusted: boolean;
}

export interface HelperSurroundings {
  /** Canonical folder that the helper runs in. */
  readonly folder: string;
  /** The helper's whole environment: the base environment (M3), nothing of the definition. */
  readonly environment: ReadonlyMap<string, string>;
  readonly probe: FileProbe;
}

/** The helper that a definition names. Throws a `TypeError` with the code `no-headers-helper` for none. */
export function helperOf(definition: ServerDefinition): HeadersHelperSettings {
  const material = materialOf(definition);
  const helper = material.transport === "stdio" ? undefined : material.headersHelper;
  if (helper !== undefined) return helper;
  throw Object.assign(new TypeError("the definition has no headers helper"), { code: "no-headers-helper" });
}

/**
 * The list entry that an approval makes (M2): the helper that the fingerprint covers, at the real path that the
 * approver saw. `undefined`: the approval fixed no program.
 */
export function helperAllowedByApproval(
  definition: ServerDefinition,
  launch: Pick<ApprovedLaunchFacts, "executable" | "allowShell"> | undefined,
): AllowedHelper | undefined {
  if (launch === undefined) return undefined;
  const { executable, allowShell } = launch;
  return { ...helperOf(definition), executable, allowShell };
}

/**
 * Makes the permission that follows from approvals alone, as they are at each run: what the approver saw may run,
 * while the approval stands and its workspace is trusted.
 *
 * @param currentStatus matches the definition against the records as they are on disk now
 */
export function permissionByApproval(
  definition: ServerDefinition,
  currentStatus: () => Promise<ActivationStatus>,
): () => Promise<HelperPermission> {
  return async () => {
    const status = await currentStatus();
    // An approval counts in a trusted workspace only (A4): `approved` says both.
    if (status.status !== "approved") {
      return { allowedHelpers: [], workspaceTrusted: status.status !== "untrusted" };
    }
    const allowed = helperAllowedByApproval(definition, status.record.launch);
    return { allowedHelpers: allowed === undefined ? [] : [allowed], workspaceTrusted: true };
  };
}

/**
 * Decides whether a definition's helper may run now, and seals what may (U4). The program, the folder and the
 * words pass the checks of a server that is a program (X2). Refuses with `helper-untrusted`,
 * `helper-not-allowed`, or `helper-failed` where the program or the folder is not there.
 */
export async function approveHelper(
  definition: ServerDefinition,
  permission: HelperPermission,
  { folder, environment, probe }: HelperSurroundings,
): Promise<Outcome<ApprovedLaunch, AuthReason>> {
  if (isWorkspaceBound(definition.source) && !permission.workspaceTrusted) return refuse("helper-untrusted");
  const helper = helperOf(definition);
  const allowed = permission.allowedHelpers.find((entry) => isSameHelper(entry, helper));
  if (allowed === undefined) return refuse("helper-not-allowed");
  const { command, args, executable = command, allowShell = false } = allowed;
  const { name: serverId, fingerprint } = definition;
  const launch = await checkLaunch({
    request: { serverId, fingerprint, command, args, cwd: undefined, envKeys: [] },
    grant: {
      root: folder,
      executable,
      argv0: command,
      argumentVectors: [args],
      environment,
      allowedEnvKeys: [],
      allowedCodeChangingKeys: [],
      allowShell,
      generation: fingerprint,
    },
    look: (path) => probe.look(path),
    values: () => new Map(),
  });
  if (launch.ok) return launch;
  const { reason, detail } = launch.refusal;
  return refuse(reason === "authority" && detail !== "not-found" ? "helper-not-allowed" : "helper-failed");
}

function isSameHelper(one: HeadersHelperSettings, other: HeadersHelperSettings): boolean {
  return (
    one.command === other.command &&
    one.args.length === other.args.length &&
    one.args.every((arg, index) => arg === other.args[index])
  );
}
