import type { FieldChange } from "../../domain/activation/field-changes.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import { coveredFields } from "../../domain/definition/fingerprint.ts";
import { createSecretMask, secretsOf } from "../../domain/definition/known-secrets.ts";
import { projectServer } from "../../domain/definition/projection.ts";
import type { ServerProjection, ShownProblem } from "../../domain/definition/projection.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { ApprovalProposal, LaunchProposal } from "../../domain/host/approval-proposal.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { HostServer } from "../host/mcp-host.ts";
import { obstacleOf } from "./obstacle.ts";
import { shownError } from "./report.ts";
import type { ShownError } from "./report.ts";
import { codeChangingKeys, listedServer } from "./server-row.ts";
import type { ListedNote, ShownApproval } from "./server-row.ts";

/** A field that the fingerprint covers. Values of variables and headers are never shown. */
export interface ShownField {
  readonly path: string;
  readonly shown: string;
  /** X2: this variable changes which code runs. */
  readonly changesCode: boolean;
}

/** The document of `explain --json`. */
export interface Explanation {
  readonly name: string;
  readonly source: string;
  readonly origin: string;
  readonly status: ServerProjection["status"];
  readonly disabledBy?: "entry" | "overlay";
  readonly disabledReason?: string;
  readonly transport: string | null;
  readonly approval: ShownApproval;
  /** Why this entry is the one (D11). */
  readonly won: "only-entry" | "stronger-source" | "first-given";
  readonly shadowed: ServerProjection["shadowed"];
  readonly fingerprint: string | null;
  readonly covered: readonly ShownField[];
  /** Against the newest approval; empty when there was none, or when nothing changed. */
  readonly changes: readonly FieldChange[];
  /** What would be started, as this machine has it now. */
  readonly launch: LaunchProposal | null;
  /** What would be contacted. */
  readonly contact: { readonly url: string } | null;
  /** What an approval would have to allow by name (M4). */
  readonly needs: { readonly allowEnv: readonly string[]; readonly allowShell: boolean };
  readonly notes: readonly ListedNote[];
  readonly unsetVariables: ServerProjection["unsetVariables"];
  readonly problem?: ShownProblem;
  /** Why nothing can be approved as things are, or why the server could not be used even then. */
  readonly obstacle?: ShownError;
}

export interface ExplanationFacts {
  readonly server: HostServer;
  readonly changes: readonly FieldChange[];
  readonly proposal: Outcome<ApprovalProposal, Refusal>;
}

/** Puts together what is known about one name, whatever its status. Plain data without a secret. */
export function explainServer({ server: found, changes, proposal }: ExplanationFacts): Explanation {
  const { server } = found;
  const shown = projectServer(server);
  const definition = server.status === "unresolved" ? undefined : server.definition;
  const proposed = proposal.ok ? proposal.value : undefined;
  const row = listedServer(found);
  const obstacle = proposal.ok ? obstacleOf(proposal.value.definition) : proposal.refusal;
  return {
    name: shown.name,
    source: shown.source,
    origin: shown.origin,
    status: shown.status,
    ...(shown.disabledBy !== undefined && { disabledBy: shown.disabledBy }),
    ...(shown.disabledReason !== undefined && { disabledReason: shown.disabledReason }),
    transport: row.transport,
    approval: row.approval,
    won: reasonToWin(shown),
    shadowed: shown.shadowed,
    fingerprint: definition?.fingerprint ?? null,
    covered: definition === undefined ? [] : shownFields(definition),
    changes: changes.map(shownChange),
    launch: proposed?.launch === undefined ? null : shownLaunch(proposed.launch, proposed.definition),
    contact: shown.definition?.url === undefined ? null : { url: shown.definition.url },
    needs: { allowEnv: proposed?.missing.envKeys ?? [], allowShell: proposed?.missing.shell ?? false },
    notes: row.notes,
    unsetVariables: shown.unsetVariables,
    ...(shown.problem !== undefined && { problem: shown.problem }),
    ...(obstacle !== undefined && { obstacle: shownError(obstacle) }),
  };
}

function reasonToWin({ source, shadowed }: ServerProjection): Explanation["won"] {
  if (shadowed.length === 0) return "only-entry";
  return shadowed.some((entry) => entry.source !== source) ? "stronger-source" : "first-given";
}

/** Every field that changes authority, flagged where it changes which code runs (D16). */
export function shownFields(definition: ServerDefinition): readonly ShownField[] {
  const keys = new Set(codeChangingKeys(definition).map((key) => `env.${key}`));
  return coveredFields(definition).map(({ path, shown }) => {
    return { path: escapeForDisplay(path), shown, changesCode: keys.has(path) };
  });
}

function shownChange(change: FieldChange): FieldChange {
  return { ...change, path: escapeForDisplay(change.path) };
}

/** A path that a secret variable is part of shows as little of it as the command does. */
function shownLaunch(launch: LaunchProposal, definition: ServerDefinition): LaunchProposal {
  const mask = createSecretMask(secretsOf(definition));
  return {
    foundAt: escapeForDisplay(mask(launch.foundAt)),
    executable: escapeForDisplay(mask(launch.executable)),
    cwd: escapeForDisplay(mask(launch.cwd)),
    envKeys: launch.envKeys.map((key) => escapeForDisplay(key)),
    codeChangingEnvKeys: launch.codeChangingEnvKeys.map((key) => escapeForDisplay(key)),
    shell: launch.shell,
  };
}
