import type { ActivationStatus, ApprovalSnapshot, Workspace } from "../../domain/activation/approval.ts";
import { matchActivation } from "../../domain/activation/match.ts";
import type { StoreRefusal } from "../../domain/activation/store-refusal.ts";
import { activationSubject, isWorkspaceBound } from "../../domain/activation/subject.ts";
import type { ServerDefinition } from "../../domain/definition/definition.ts";
import type { Environment, ResolvedServer, Resolution } from "../../domain/definition/resolution.ts";
import { resolveServers } from "../../domain/definition/resolve.ts";
import { accept } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { ApprovalStore, WorkspaceRegistry } from "../../ports/approval-store.ts";
import type { ConfigPlace, ConfigSource } from "../../ports/config-source.ts";

/** What the host knows before it talks to anybody. Replaced as a whole, never changed in place. */
export interface HostState {
  readonly resolution: Resolution;
  readonly byName: ReadonlyMap<string, ResolvedServer>;
  readonly workspace: Workspace | undefined;
  readonly snapshot: ApprovalSnapshot;
}

export interface HostStatePorts {
  readonly configSource: ConfigSource;
  readonly approvals: ApprovalStore;
  readonly workspaces: WorkspaceRegistry;
  readonly places: readonly ConfigPlace[];
  readonly environment: Environment;
  readonly workspaceFolder: string | undefined;
}

/** What people decided, and where: all that a status depends on besides the definition. */
export type Decisions = Pick<HostState, "workspace" | "snapshot">;

/** Reads approvals and the workspace again. What cannot be read fails the load. */
export async function loadDecisions(
  ports: Pick<HostStatePorts, "approvals" | "workspaces" | "workspaceFolder">,
  signal: AbortSignal,
): Promise<Outcome<Decisions, StoreRefusal>> {
  const [snapshot, workspace] = await Promise.all([
    ports.approvals.load({ signal }),
    ports.workspaceFolder === undefined
      ? accept(undefined)
      : ports.workspaces.inspect(ports.workspaceFolder, { signal }),
  ]);
  if (!snapshot.ok) return snapshot;
  if (!workspace.ok) return workspace;
  return accept({ workspace: workspace.value, snapshot: snapshot.value });
}

/** Reads configuration, approvals and the workspace side by side. A store that cannot be read fails the load. */
export async function loadHostState(
  ports: HostStatePorts,
  signal: AbortSignal,
): Promise<Outcome<HostState, StoreRefusal>> {
  const [containers, decisions] = await Promise.all([
    ports.configSource.read(ports.places, { signal }),
    loadDecisions(ports, signal),
  ]);
  if (!decisions.ok) return decisions;
  const resolution = resolveServers(containers, { environment: ports.environment });
  return accept({
    resolution,
    byName: new Map(resolution.servers.map((server) => [server.name, server])),
    ...decisions.value,
  });
}

/** Whether a definition may be used by the decisions at hand (A3). Synchronous, no I/O. */
export function statusIn(state: Decisions, definition: ServerDefinition): ActivationStatus {
  const { workspace, snapshot } = state;
  // Without a workspace nothing that belongs to one can be trusted; there is no subject to look up either.
  if (isWorkspaceBound(definition.source) && workspace === undefined) return { status: "untrusted" };
  const subject = activationSubject(definition, workspace);
  return matchActivation(subject, snapshot, workspace === undefined ? {} : { workspace });
}
