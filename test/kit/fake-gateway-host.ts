import { buildCatalog } from "../../src/domain/catalog/build.ts";
import type { CatalogTool } from "../../src/domain/catalog/catalog.ts";
import type { CallResult } from "../../src/domain/catalog/content-part.ts";
import { catalogName } from "../../src/domain/catalog/tool-name.ts";
import { accept, refuse } from "../../src/domain/outcome.ts";
import type { ToolCallOptions } from "../../src/composition/host/call-by-name.ts";
import type { CatalogChange } from "../../src/composition/host/catalog-reader.ts";
import type { ConnectionChange, ServerFailure } from "../../src/composition/host/connections.ts";
import type { GatewayHost } from "../../src/composition/serve/gateway.ts";
import type { ConnectionState } from "../../src/domain/supervision/transition.ts";
import type { HostCatalog, ServerState } from "../../src/composition/host/host-catalog.ts";
import type { HostServer, McpHost } from "../../src/composition/host/mcp-host.ts";
import { makeRecord } from "./activation.ts";
import { containerOf, resolvedIn } from "./definitions.ts";

interface FakeServer {
  tools: readonly string[];
  status: "approved" | "revoked";
  failure: ServerFailure | undefined;
  /** Whether its list can be read to its end. */
  complete: boolean;
  /** Listing waits for it. */
  held: Promise<void>;
}

export interface MadeCall {
  readonly tool: string;
  readonly args: unknown;
  readonly options: ToolCallOptions | undefined;
}

export const EMPTY_RESULT: CallResult = {
  isError: false,
  parts: [],
  structured: undefined,
  diagnostics: [],
  mismatches: [],
};

export const DOWN: ServerFailure = { refusal: { kind: "network", reason: "connection-refused" } };

/** A host whose servers a test adds, changes and takes away; it counts who was listed. */
export class FakeGatewayHost implements GatewayHost {
  readonly listed: string[] = [];
  readonly calls: MadeCall[] = [];
  /** How the next calls end. Default: an empty result. */
  answer: (call: MadeCall) => ReturnType<McpHost["call"]> = async ({ tool }) =>
    accept({ tool: this.toolOf(tool), result: EMPTY_RESULT });
  readonly #servers = new Map<string, FakeServer>();
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  readonly #watchers = new Set<(change: ConnectionChange) => void>();

  set(name: string, server: Partial<FakeServer>): void {
    const known: FakeServer = this.#servers.get(name) ?? {
      tools: [],
      status: "approved",
      failure: undefined,
      complete: true,
      held: Promise.resolve(),
    };
    this.#servers.set(name, { ...known, ...server });
  }

  /** What the server's own list is now, announced. */
  announce(serverId: string, tools: readonly string[]): void {
    this.set(serverId, { tools });
    for (const listener of this.#listeners) listener({ serverId, kind: "tools" });
  }

  /** What became of the connection to a server. */
  connection(name: string, status: "connected" | "lost" | "idle"): void {
    const state: ConnectionState =
      status === "connected"
        ? { status, identity: IDENTITY, attempt: 1 }
        : status === "idle"
          ? { status }
          : {
              status: "failed",
              class: "transient",
              reason: "lost",
              attempt: 0,
              retry: "pending",
              recovering: true,
            };
    for (const watcher of this.#watchers) watcher({ name, state });
  }

  get listeners(): number {
    return this.#listeners.size + this.#watchers.size;
  }

  onConnectionChanged(watcher: (change: ConnectionChange) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  servers(): readonly HostServer[] {
    return [...this.#servers].map(([name, { status }]) => ({
      server: resolvedIn([containerOf("user", { [name]: { command: "x" } })], name),
      approval:
        status === "approved" ? { status, record: makeRecord() } : { status, authority: "user" as const },
    }));
  }

  onCatalogChanged(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async catalog({ names = [], signal }: Parameters<McpHost["catalog"]>[0] = {}): Promise<HostCatalog> {
    const servers: ServerState[] = [];
    const tools: CatalogTool[] = [];
    for (const name of names) {
      this.listed.push(name);
      const server = this.#servers.get(name);
      await server?.held;
      signal?.throwIfAborted();
      if (server === undefined || server.failure !== undefined) {
        servers.push({ name, state: "failed", error: server?.failure ?? DOWN });
        continue;
      }
      servers.push({
        name,
        state: "connected",
        era: "modern",
        push: "open",
        identity: IDENTITY,
        lists: { ...LISTS, tools: { ...LIST, complete: server.complete } },
      });
      tools.push(...server.tools.map((tool) => toolNamed(name, tool)));
    }
    const catalogs = names.map((serverId) => ({
      serverId,
      tools: tools.filter((tool) => tool.serverId === serverId),
      prompts: [],
      resources: [],
      rejected: [],
    }));
    return { ...buildCatalog(catalogs), servers, changes: [] };
  }

  call(tool: string, args: unknown, options?: ToolCallOptions): ReturnType<McpHost["call"]> {
    const call = { tool, args, options };
    this.calls.push(call);
    return this.answer(call);
  }

  toolOf(name: string): CatalogTool {
    const [serverId = "", sourceName = ""] = name.split("__");
    return toolNamed(serverId, sourceName);
  }
}

export function failWith(failure: ServerFailure): () => ReturnType<McpHost["call"]> {
  return async () => refuse(failure);
}

const LIST = { complete: true, pages: [] } as const;
const LISTS = { tools: LIST, prompts: LIST, resources: LIST, resourceTemplates: LIST } as const;
const IDENTITY = {
  serverId: "any",
  protocolVersion: "2026-07-28",
  serverVersion: "1",
  serverInfoProvided: true,
  carrierGeneration: "1",
} as const;

function toolNamed(serverId: string, sourceName: string): CatalogTool {
  return {
    name: catalogName(serverId, "tool", sourceName),
    serverId,
    sourceName,
    bucket: "adopted",
    reasons: [],
    title: undefined,
    description: `Tool ${sourceName}`,
    inputSchema: { type: "object" },
    outputSchema: undefined,
    annotations: {},
  };
}
