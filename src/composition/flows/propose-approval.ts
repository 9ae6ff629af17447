import type { ApprovalRecord, ActivationSubject, Workspace } from "../../domain/activation/approval.ts";
import { fieldChanges } from "../../domain/activation/field-changes.ts";
import { activationSubject, isWorkspaceBound } from "../../domain/activation/subject.ts";
import { materialOf } from "../../domain/definition/definition.ts";
import type { Material, ServerDefinition } from "../../domain/definition/definition.ts";
import { coveredFields } from "../../domain/definition/fingerprint.ts";
import type { ResolvedServer } from "../../domain/definition/resolution.ts";
import type { ApprovalProposal, LaunchProposal } from "../../domain/host/approval-proposal.ts";
import type { HostRefusal } from "../../domain/host/refusal.ts";
import { showArguments } from "../../domain/definition/shown.ts";
import { isCodeChangingKey } from "../../domain/launch/execution-variables.ts";
import { hidesProgram } from "../../domain/launch/hidden-program.ts";
import { isShell } from "../../domain/launch/shells.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { ExecutableFinder } from "../../ports/executable-finder.ts";
import type { FileProbe } from "../../ports/process-runner.ts";
import { workingFolder } from "./working-folder.ts";

export interface ProposalContext {
  readonly finder: ExecutableFinder;
  readonly probe: FileProbe;
  readonly workspace: Workspace | undefined;
  readonly workspaceFolder: string | undefined;
  readonly userFolder: string;
  readonly records: readonly ApprovalRecord[];
}

/** What the approver allows besides the definition itself. */
export interface ApprovalTerms {
  readonly allowEnv: readonly string[];
  readonly allowShell: boolean;
}

/** Looks at everything an approval would fix. Starts nothing, contacts nothing, writes nothing. */
export async function proposeApproval(
  server: ResolvedServer,
  terms: ApprovalTerms,
  context: ProposalContext,
): Promise<Outcome<ApprovalProposal, HostRefusal>> {
  const serverId = server.name;
  if (server.status === "unresolved") return refuse({ kind: "host", reason: "unresolved", serverId });
  const { definition } = server;
  if (server.status === "misconfigured") return refuse(unsetVariable(definition));
  if (isWorkspaceBound(definition.source) && context.workspace === undefined) {
    return refuse({ kind: "host", reason: "no-workspace", serverId });
  }
  const material = materialOf(definition);
  const unknown = terms.allowEnv.filter((key) => !(material.transport === "stdio" && material.env.has(key)));
  if (unknown.length > 0)
    return refuse({ kind: "host", reason: "env-key-not-defined", serverId, keys: unknown });
  const program = programOf(material);
  const launch =
    program === undefined ? accept(undefined) : await proposeLaunch(definition, program, context);
  if (!launch.ok) return launch;

  const subject = activationSubject(definition, context.workspace);
  const covered = coveredFields(definition);
  const previous = newestApproval(subject, context.records);
  return accept({
    definition,
    subject,
    covered,
    changes: previous === undefined ? [] : fieldChanges(previous.covered, covered),
    launch: launch.value,
    missing: {
      envKeys: launch.value?.codeChangingEnvKeys.filter((key) => !terms.allowEnv.includes(key)) ?? [],
      shell: launch.value?.shell === true && !terms.allowShell,
    },
  });
}

/** What approving a server lets this machine run: the server itself, or the program that prints its headers. */
interface Program {
  readonly command: string;
  /** The command and its arguments as they are shown. */
  readonly shown: readonly string[];
  readonly cwd: string | undefined;
  readonly envKeys: readonly string[];
}

function programOf(material: Material): Program | undefined {
  if (material.transport === "stdio") {
    const { command, args, cwd, env } = material;
    const shown = showArguments([command, ...args]);
    return { command: command.text, shown, cwd: cwd?.text, envKeys: [...env.keys()].toSorted() };
  }
  const { headersHelper } = material;
  if (headersHelper === undefined) return undefined;
  const words = [headersHelper.command, ...headersHelper.args].map((text) => ({ text, stretches: [] }));
  return { command: headersHelper.command, shown: showArguments(words), cwd: undefined, envKeys: [] };
}

async function proposeLaunch(
  definition: ServerDefinition,
  { command, shown, cwd: configuredCwd, envKeys }: Program,
  context: ProposalContext,
): Promise<Outcome<LaunchProposal, HostRefusal>> {
  const serverId = definition.name;
  if (hidesProgram(shown)) return refuse({ kind: "host", reason: "program-hidden", serverId });
  const folder = workingFolder(definition.source, configuredCwd, context);
  if (folder === undefined) return refuse({ kind: "host", reason: "no-workspace", serverId });
  const cwd = await context.probe.look(folder.cwd);
  if (cwd?.kind !== "folder") return refuse({ kind: "host", reason: "cwd-not-found", serverId });
  const found = await context.finder.find(command, cwd.realPath);
  if (found === undefined) return refuse({ kind: "host", reason: "executable-not-found", serverId });
  return accept({
    foundAt: found.foundAt,
    executable: found.realPath,
    cwd: cwd.realPath,
    envKeys,
    codeChangingEnvKeys: envKeys.filter((key) => isCodeChangingKey(key)),
    shell: isShell(found.realPath) || isShell(found.foundAt),
  });
}

/** D8: nothing with a literal `${X}` in it is approved, started or contacted. */
export function unsetVariable(definition: ServerDefinition): HostRefusal {
  const keys = [...new Set(definition.unsetVariables.map(({ variable }) => variable))];
  return { kind: "host", reason: "unset-variable", serverId: definition.name, keys };
}

/** The newest approval of the same server by anybody, in this workspace or in none. */
export function newestApproval(
  subject: ActivationSubject,
  records: readonly ApprovalRecord[],
): ApprovalRecord | undefined {
  return records
    .filter(
      (record) =>
        record.decision === "approved" &&
        record.subject.serverId === subject.serverId &&
        record.subject.workspace?.repositoryIdentity === subject.workspace?.repositoryIdentity,
    )
    .reduce<ApprovalRecord | undefined>(
      (newest, record) => (newest === undefined || record.decidedAtMs > newest.decidedAtMs ? record : newest),
      undefined,
    );
}
