import { buildCatalog } from "../../domain/catalog/build.ts";
import { buildServerCatalog } from "../../domain/catalog/build-server-catalog.ts";
import type { Catalog, ListState, ServerCatalog } from "../../domain/catalog/catalog.ts";
import type { ToolFilter } from "../../domain/definition/definition.ts";
import { isOwnRule } from "../../domain/host/own-rule.ts";
import { accept } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import { orAbandon } from "../flows/abandon.ts";
import { sideBySide } from "../flows/side-by-side.ts";
import type { Connections, ServerFailure } from "./connections.ts";

/** How one server stands in a catalog. Nothing that was asked for is left out in silence. */
export type ServerState =
  | {
      readonly name: string;
      readonly state: "connected";
      readonly identity: SessionIdentity;
      readonly era: "legacy" | "modern";
      /** What could not be read to its end says so here, list by list (K1). */
      readonly lists: Readonly<Record<"tools" | "prompts" | "resources" | "resourceTemplates", ListState>>;
    }
  | {
      readonly name: string;
      /** `refused`: the host's own rules said no, nothing was started or contacted. `failed`: it was tried. */
      readonly state: "refused" | "failed";
      readonly error: ServerFailure;
    };

export interface HostCatalog extends Catalog {
  /** In the order asked for. */
  readonly servers: readonly ServerState[];
}

interface Listed {
  readonly state: ServerState;
  readonly catalog: ServerCatalog | undefined;
}

/** What a server can disclose. */
export type ListKind = "tools" | "prompts" | "resources";

/** The catalog of one live session, built once an identity of it and kind of question. */
export interface CatalogReader {
  of(session: McpSession, ask: ReadCatalog): Promise<ListedSession>;
}

export interface ReadCatalog {
  readonly filter: ToolFilter;
  readonly kinds: readonly ListKind[];
}

export interface ListedSession {
  readonly catalog: ServerCatalog;
  readonly state: ServerState;
}

export const EVERY_KIND: readonly ListKind[] = ["tools", "prompts", "resources"];

export function createCatalogReader(): CatalogReader {
  const known = new WeakMap<SessionIdentity, Map<string, Promise<ListedSession>>>();
  return {
    of: (session, ask) => {
      const kept = known.get(session.identity) ?? new Map<string, Promise<ListedSession>>();
      known.set(session.identity, kept);
      const key = ask.kinds.toSorted().join();
      const already = kept.get(key);
      if (already !== undefined) return already;
      const listed = list(session, ask);
      kept.set(key, listed);
      const forget = (): void => void kept.delete(key);
      // What failed is asked for again; a list that is too long stays so, and would cost every call all its pages.
      listed.then(({ state }) => isFinal(state) || forget(), forget);
      return listed;
    },
  };
}

function isFinal(state: ServerState): boolean {
  const lists = state.state === "connected" ? Object.values(state.lists) : [];
  return lists.every(
    ({ complete, incompleteReason: reason }) =>
      complete || reason === "list-limit" || reason === "cursor-repeated",
  );
}

/** Without a signal: callers share it, and one that leaves must not take it from the others. It ends with the session. */
async function list(session: McpSession, { filter, kinds }: ReadCatalog): Promise<ListedSession> {
  const lists = await session.discover({
    kinds: kinds.flatMap((kind) => (kind === "resources" ? ["resources", "resourceTemplates"] : [kind])),
  });
  const catalog = buildServerCatalog({
    serverId: session.serverId,
    tools: lists.tools.items,
    prompts: lists.prompts.items,
    resources: lists.resources.items,
    resourceTemplates: lists.resourceTemplates.items,
    filter,
    era: session.server.era,
  });
  return {
    catalog,
    state: {
      name: session.serverId,
      state: "connected",
      identity: lists.identity,
      era: session.server.era,
      lists: {
        tools: lists.tools.state,
        prompts: lists.prompts.state,
        resources: lists.resources.state,
        resourceTemplates: lists.resourceTemplates.state,
      },
    },
  };
}

export interface CatalogQuery {
  readonly names: readonly string[];
  readonly kinds: readonly ListKind[];
  readonly filterOf: (name: string) => ToolFilter;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** Connects side by side and joins what came (V7, M6): one server's failure hides no other's tools. */
export async function readHostCatalog(
  query: CatalogQuery,
  connections: Connections,
  reader: CatalogReader,
): Promise<HostCatalog> {
  const listed = await sideBySide(query.names, query.concurrency, async (name): Promise<Listed> => {
    const read = await readServer(name, query, { connections, reader });
    if (read.ok) return read.value;
    const state = isOwnRule(read.refusal.refusal) ? "refused" : "failed";
    return { state: { name, state, error: read.refusal }, catalog: undefined };
  });
  const catalogs = listed.flatMap(({ catalog }) => (catalog === undefined ? [] : [catalog]));
  return { ...buildCatalog(catalogs), servers: listed.map(({ state }) => state) };
}

async function readServer(
  name: string,
  query: CatalogQuery,
  { connections, reader }: { readonly connections: Connections; readonly reader: CatalogReader },
): Promise<Outcome<Listed, ServerFailure>> {
  const { kinds, signal } = query;
  signal.throwIfAborted();
  const session = await connections.connect(name, { signal });
  if (!session.ok) return session;
  const filter = query.filterOf(name);
  return accept(await orAbandon(reader.of(session.value, { filter, kinds }), signal));
}
