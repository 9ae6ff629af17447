import type { ActivationStatus, ApprovalSnapshot, Workspace } from "../../domain/activation/approval.ts";
import type { StoreRefusal } from "../../domain/activation/store-refusal.ts";
import type { ServerDefinition, ToolFilter } from "../../domain/definition/definition.ts";
import type { ResolvedServer } from "../../domain/definition/resolution.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { loadDecisions, loadHostState, statusIn } from "../flows/host-state.ts";
import type { HostState } from "../flows/host-state.ts";
import type { HostSettings, QuietParts } from "./default-parts.ts";
import { McpHostError } from "./mcp-host-error.ts";
import type { HostServer } from "./mcp-host.ts";

/** What one host knows at the moment, and how that is replaced. */
export interface StateHolder {
  readonly now: HostState;
  /** Whether the definition may be used by the decisions as they are on disk now: others may have withdrawn theirs. */
  freshStatus(definition: ServerDefinition, signal: AbortSignal): Promise<ActivationStatus>;
  reload(signal: AbortSignal): Promise<void>;
  setSnapshot(snapshot: ApprovalSnapshot): void;
  setWorkspace(workspace: Workspace): void;
  servers(): readonly HostServer[];
  server(name: string): HostServer | undefined;
  names(): readonly string[];
  approvedNames(): readonly string[];
  filterOf(name: string): ToolFilter;
}

const EVERY_TOOL: ToolFilter = { allow: undefined, deny: [] };

/** @throws McpHostError when a store cannot be trusted, here and whenever it is read again. */
export async function holdState(
  parts: QuietParts,
  settings: HostSettings,
  signal: AbortSignal,
): Promise<StateHolder> {
  const ports = { ...parts, ...settings };
  let state = valueOf(await loadHostState(ports, signal));
  const all = (): readonly ResolvedServer[] => state.resolution.servers;
  return {
    get now() {
      return state;
    },
    freshStatus: async (definition, at) => statusIn(valueOf(await loadDecisions(ports, at)), definition),
    reload: async (at) => {
      let before: HostState | undefined;
      // What was decided during the reading may not be in what was read: it must not be undone.
      while (state !== before) {
        before = state;
        const read = valueOf(await loadHostState(ports, at));
        if (state === before) state = before = read;
      }
    },
    setSnapshot: (snapshot) => {
      state = { ...state, snapshot };
    },
    setWorkspace: (workspace) => {
      state = { ...state, workspace };
    },
    servers: () => all().map((server) => withApproval(server, state)),
    server: (name) => {
      const server = state.byName.get(name);
      return server && withApproval(server, state);
    },
    names: () => all().map(({ name }) => name),
    approvedNames: () =>
      all()
        .filter((server) => isApproved(server, state))
        .map(({ name }) => name),
    filterOf: (name) => {
      const server = state.byName.get(name);
      return server === undefined || server.status === "unresolved" ? EVERY_TOOL : server.definition.tools;
    },
  };
}

function valueOf<Value>(loaded: Outcome<Value, StoreRefusal>): Value {
  if (!loaded.ok) throw new McpHostError(loaded.refusal);
  return loaded.value;
}

function withApproval(server: ResolvedServer, state: HostState): HostServer {
  const approval = server.status === "unresolved" ? undefined : statusIn(state, server.definition);
  return { server, approval };
}

function isApproved(server: ResolvedServer, state: HostState): boolean {
  return server.status === "resolved" && statusIn(state, server.definition).status === "approved";
}
