import type { ListState, ServerCatalog } from "../../domain/catalog/catalog.ts";
import type { ShownStale } from "../../domain/freshness/stale.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import type { ServerState } from "./host-catalog.ts";
import { unguarded, type ListName, type ListPart } from "./list-part.ts";
import type { GuardedCatalog } from "./pin-guard.ts";

/** What one session disclosed, of the kinds that were asked for. */
export interface ListedSession extends GuardedCatalog {
  /** Whose lists these are: once the session has another one they say nothing of it (C5). */
  readonly identity: SessionIdentity;
  readonly state: ServerState;
  /** Why the list of tools is not all of them. */
  readonly toolsFailure: PeerFailure | undefined;
}

/** One kind of list as it is now. */
export interface CurrentPart {
  readonly part: ListPart;
  readonly stale: ShownStale | undefined;
}

/** Puts the kinds of one server together; the same parts give the same object, by which others find what they made of it. */
export type Join = (serverId: string, parts: readonly ListPart[]) => ServerCatalog;

export function createJoin(): Join {
  const joined = new Map<
    string,
    { readonly of: readonly ServerCatalog[]; readonly catalog: ServerCatalog }
  >();
  return (serverId, parts) => {
    const catalogs = parts.map(({ guarded }) => guarded.catalog);
    const [only] = catalogs;
    if (only !== undefined && catalogs.length === 1) return only;
    const key = parts.map(({ kind }) => kind).join();
    const before = joined.get(key);
    if (before?.of.every((catalog, index) => catalog === catalogs[index]) === true) return before.catalog;
    const catalog: ServerCatalog = {
      serverId,
      tools: catalogs.flatMap(({ tools }) => tools),
      prompts: catalogs.flatMap(({ prompts }) => prompts),
      resources: catalogs.flatMap(({ resources }) => resources),
      rejected: catalogs.flatMap(({ rejected }) => rejected),
    };
    joined.set(key, { of: catalogs, catalog });
    return catalog;
  };
}

/** As if the server did not declare it. */
const NOT_ASKED: ListState = { complete: true, pages: [] };
const NOTHING_ASKED: Readonly<Record<ListName, ListState>> = {
  tools: NOT_ASKED,
  prompts: NOT_ASKED,
  resources: NOT_ASKED,
  resourceTemplates: NOT_ASKED,
};

export function listedSession(
  server: { readonly session: McpSession; readonly identity: SessionIdentity; readonly join: Join },
  current: readonly CurrentPart[],
): ListedSession {
  const { session, identity, join } = server;
  const lists = { ...NOTHING_ASKED };
  for (const one of current) Object.assign(lists, shownStates(one));
  const parts = current.map(({ part }) => part);
  const tools = parts.find(({ kind }) => kind === "tools");
  const catalog = join(session.serverId, parts);
  const guarded = { ...(tools?.guarded ?? unguarded(catalog)), catalog };
  return {
    ...guarded,
    identity,
    toolsFailure: tools?.failure,
    state: {
      name: session.serverId,
      state: "connected",
      identity,
      era: session.server.era,
      push: session.listPush,
      lists,
      ...(guarded.problem !== undefined && { pinProblem: guarded.problem }),
    },
  };
}

function shownStates({ part: { states }, stale }: CurrentPart): ListPart["states"] {
  if (stale === undefined) return states;
  return Object.fromEntries(Object.entries(states).map(([name, state]) => [name, { ...state, stale }]));
}
