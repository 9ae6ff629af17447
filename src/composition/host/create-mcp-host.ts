import { fieldChanges } from "../../domain/activation/field-changes.ts";
import type { ApprovalRecord } from "../../domain/activation/approval.ts";
import { trustEvent } from "../../domain/activation/audit-event.ts";
import { activationSubject } from "../../domain/activation/subject.ts";
import { coveredFields } from "../../domain/definition/fingerprint.ts";
import type { ToolFilter } from "../../domain/definition/definition.ts";
import type { ResolvedServer } from "../../domain/definition/resolution.ts";
import { refuse } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Refusal } from "../../domain/refusal.ts";
import {
  approveServer,
  denyServer,
  proposalContext,
  recordOf,
  withSnapshot,
} from "../flows/change-approvals.ts";
import type { Decided } from "../flows/decide-server.ts";
import { loadHostState, statusIn } from "../flows/host-state.ts";
import type { HostState } from "../flows/host-state.ts";
import { newestApproval, proposeApproval } from "../flows/propose-approval.ts";
import { createCaller } from "./call-by-name.ts";
import { createCarriers } from "./carriers.ts";
import { createConnections } from "./connections.ts";
import { hostSettings, quietParts } from "./default-parts.ts";
import { createCatalogReader, EVERY_KIND, readHostCatalog } from "./host-catalog.ts";
import type { McpHostOptions } from "./host-options.ts";
import { McpHostError } from "./mcp-host-error.ts";
import type { HostServer, McpHost } from "./mcp-host.ts";

const EVERY_TOOL: ToolFilter = { allow: undefined, deny: [] };
/** V7. */
const CONCURRENCY = 8;

/**
 * Composes everything for an application: reads the configuration, resolves it, matches approvals, and
 * connects what is approved when it is first used. Starting one contacts nobody and starts nothing.
 *
 * @throws McpHostError when there is no safe home folder, no such workspace, or a store that cannot be trusted.
 */
export async function createMcpHost(options: McpHostOptions = {}): Promise<McpHost> {
  const settings = await hostSettings(options);
  const parts = quietParts(options, settings);
  const closing = new AbortController();
  const load = async (signal: AbortSignal): Promise<HostState> => {
    const loaded = await loadHostState({ ...parts, ...settings }, signal);
    if (!loaded.ok) throw new McpHostError(loaded.refusal);
    return loaded.value;
  };
  let state = await load(closing.signal);

  const carriers = createCarriers(options, settings, parts);
  const connections = createConnections({
    options,
    parts,
    carriers,
    state: () => state,
    freshState: load,
    signal: closing.signal,
  });
  const reader = createCatalogReader();
  const filterOf = (name: string): ToolFilter => {
    const server = state.byName.get(name);
    return server === undefined || server.status === "unresolved" ? EVERY_TOOL : server.definition.tools;
  };
  const approvedNames = (): readonly string[] =>
    state.resolution.servers.filter((server) => isApproved(server, state)).map(({ name }) => name);
  const call = createCaller({
    connections,
    reader,
    options,
    names: () => state.resolution.servers.map(({ name }) => name),
    approvedNames,
    filterOf,
    concurrency: options.concurrency ?? CONCURRENCY,
    signal: closing.signal,
  });

  const flowContext = (authority: "managed" | "user" | "local" = "user") => ({
    ...parts,
    ...settings,
    state,
    authority,
    signal: closing.signal,
  });
  const settle = async (decided: Outcome<Decided, Refusal>): Promise<Outcome<ApprovalRecord, Refusal>> => {
    if (decided.ok) {
      state = withSnapshot(state, decided.value.snapshot);
      await connections.closeUnapproved();
    }
    return recordOf(decided);
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      closing.abort(new DOMException("the host was closed", "AbortError"));
      await connections.close();
      await carriers.close();
    })();
    return closed;
  };

  return {
    servers: () => state.resolution.servers.map((server) => hostServer(server, state)),
    server: (name) => {
      const server = state.byName.get(name);
      return server === undefined ? undefined : hostServer(server, state);
    },
    get sourceProblems() {
      return state.resolution.sourceProblems;
    },
    get sourceWarnings() {
      return state.resolution.sourceWarnings;
    },
    get workspace() {
      return state.workspace;
    },
    reload: async () => {
      state = await load(closing.signal);
      await connections.closeUnapproved();
    },
    propose: async (name, terms = {}) => {
      const server = state.byName.get(name);
      if (server === undefined) return refuse({ kind: "host", reason: "unknown-server", serverId: name });
      return proposeApproval(server, { ...NO_TERMS, ...terms }, proposalContext(flowContext()));
    },
    changes: (name) => {
      const server = state.byName.get(name);
      if (server === undefined || server.status === "unresolved") return [];
      const { definition } = server;
      const previous = newestApproval(activationSubject(definition, state.workspace), state.snapshot.records);
      return previous === undefined ? [] : fieldChanges(previous.covered, coveredFields(definition));
    },
    approve: async (name, { authority, seen, ...terms } = {}) =>
      settle(await approveServer(name, { terms: { ...NO_TERMS, ...terms }, seen }, flowContext(authority))),
    reject: async (name, { authority } = {}) =>
      settle(await denyServer(name, "rejected", flowContext(authority))),
    revoke: async (name, { authority } = {}) =>
      settle(await denyServer(name, "revoked", flowContext(authority))),
    setTrusted: async (trusted) => {
      const { workspaceFolder } = settings;
      if (workspaceFolder === undefined)
        return refuse({ kind: "host", reason: "no-workspace", serverId: "" });
      const changed = await parts.workspaces.setTrusted(workspaceFolder, trusted, { signal: closing.signal });
      if (!changed.ok) return changed;
      await parts.audit.append(trustEvent(changed.value, parts.clock.nowMs()));
      state = { ...state, workspace: changed.value };
      await connections.closeUnapproved();
      return changed;
    },
    connect: (name, call) => connections.connect(name, call),
    catalog: ({ names, kinds, signal } = {}) =>
      readHostCatalog(
        {
          names: names ?? approvedNames(),
          kinds: kinds ?? EVERY_KIND,
          filterOf,
          concurrency: options.concurrency ?? CONCURRENCY,
          signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
        },
        connections,
        reader,
      ),
    call,
    audit: ({ signal } = {}) => parts.audit.events({ signal: signal ?? closing.signal }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const NO_TERMS = { allowEnv: [], allowShell: false } as const;

function hostServer(server: ResolvedServer, state: HostState): HostServer {
  return {
    server,
    approval: server.status === "unresolved" ? undefined : statusIn(state, server.definition),
  };
}

function isApproved(server: ResolvedServer, state: HostState): boolean {
  return server.status === "resolved" && statusIn(state, server.definition).status === "approved";
}
