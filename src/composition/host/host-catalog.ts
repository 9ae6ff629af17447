import { buildCatalog } from "../../domain/catalog/build.ts";
import { buildServerCatalog } from "../../domain/catalog/build-server-catalog.ts";
import type { Catalog, ListState, ServerCatalog } from "../../domain/catalog/catalog.ts";
import type { ToolChange } from "../../domain/activation/pins.ts";
import type { StoreRefusal } from "../../domain/activation/store-refusal.ts";
import type { HoldReason } from "../../domain/catalog/adapt-reason.ts";
import type { ToolFilter } from "../../domain/definition/definition.ts";
import { isOwnRule } from "../../domain/host/own-rule.ts";
import { accept } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import { orAbandon } from "../flows/abandon.ts";
import { sideBySide } from "../flows/side-by-side.ts";
import type { Connections, ServerFailure } from "./connections.ts";
import type { GuardedCatalog } from "./pin-guard.ts";

/** How one server stands in a catalog. Nothing that was asked for is left out in silence. */
export type ServerState =
  | {
      readonly name: string;
      readonly state: "connected";
      readonly identity: SessionIdentity;
      readonly era: "legacy" | "modern";
      /** What could not be read to its end says so here, list by list (K1). */
      readonly lists: Readonly<Record<"tools" | "prompts" | "resources" | "resourceTemplates", ListState>>;
      /** Present: what was pinned of it cannot be read or written, so that nobody knows what changed (A7). */
      readonly pinProblem?: StoreRefusal;
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
  /** Tools that are not as they were pinned, held or not (A7). For `acceptTools`, once a person has seen them. */
  readonly changes: readonly ToolChange[];
}

interface Listed {
  readonly state: ServerState;
  readonly listed: ListedSession | undefined;
}

/** What a server can disclose. */
export type ListKind = "tools" | "prompts" | "resources";

/** The catalog of one live session, built once an identity of it and kind of question. */
export interface CatalogReader {
  of(session: McpSession, ask: ReadCatalog): Promise<ListedSession>;
  /** Drops what is kept of a server, since it may be judged differently now. */
  forget(serverId: string): void;
}

export interface ReadCatalog {
  readonly filter: ToolFilter;
  readonly kinds: readonly ListKind[];
}

export interface ListedSession extends GuardedCatalog {
  readonly state: ServerState;
  /** Why the list of tools is not all of them. */
  readonly toolsFailure: ServerFailure | undefined;
}

export const EVERY_KIND: readonly ListKind[] = ["tools", "prompts", "resources"];

/** For holding what a session disclosed against its pins. */
export type SessionGuard = (
  session: McpSession,
  listed: { readonly catalog: ServerCatalog; readonly tools: readonly unknown[] },
) => Promise<GuardedCatalog>;

/** Without a guard nothing is compared, and nothing held. */
const UNGUARDED: SessionGuard = async (_, { catalog }) => ({
  catalog,
  held: new Map<string, HoldReason>(),
  changes: [],
});

/** `guard` is asked once for every list that is read. */
export function createCatalogReader(guard: SessionGuard = UNGUARDED): CatalogReader {
  const forgotten = new Map<string, number>();
  const known = new WeakMap<SessionIdentity, Map<string, Promise<ListedSession>>>();
  return {
    of: (session, ask) => {
      const kept = known.get(session.identity) ?? new Map<string, Promise<ListedSession>>();
      known.set(session.identity, kept);
      const key = `${forgotten.get(session.serverId) ?? 0} ${ask.kinds.toSorted().join()}`;
      const already = kept.get(key);
      if (already !== undefined) return already;
      const listed = list(session, ask, guard);
      kept.set(key, listed);
      const forget = (): void => void kept.delete(key);
      // What failed is asked for again; a list that is too long stays so, and would cost every call all its pages.
      listed.then(({ state }) => isFinal(state) || forget(), forget);
      return listed;
    },
    forget: (serverId) => void forgotten.set(serverId, (forgotten.get(serverId) ?? 0) + 1),
  };
}

function isFinal(state: ServerState): boolean {
  if (state.state === "connected" && state.pinProblem !== undefined) return false;
  const lists = state.state === "connected" ? Object.values(state.lists) : [];
  return lists.every(
    ({ complete, incompleteReason: reason }) =>
      complete || reason === "list-limit" || reason === "cursor-repeated",
  );
}

/** Without a signal: callers share it, and one that leaves must not take it from the others. It ends with the session. */
async function list(
  session: McpSession,
  { filter, kinds }: ReadCatalog,
  guard: SessionGuard,
): Promise<ListedSession> {
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
    carrier: session.carrier,
  });
  const guarded = await guard(session, { catalog, tools: lists.tools.items });
  return {
    ...guarded,
    toolsFailure: lists.tools.failure,
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
      ...(guarded.problem !== undefined && { pinProblem: guarded.problem }),
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
    return { state: { name, state, error: read.refusal }, listed: undefined };
  });
  const read = listed.flatMap((one) => (one.listed === undefined ? [] : [one.listed]));
  return {
    ...buildCatalog(read.map(({ catalog }) => catalog)),
    servers: listed.map(({ state }) => state),
    changes: read.flatMap(({ changes }) => changes),
  };
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
  const listed = await orAbandon(reader.of(session.value, { filter, kinds }), signal);
  return accept({ state: listed.state, listed });
}
