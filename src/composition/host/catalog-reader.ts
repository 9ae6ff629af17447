import type { ListKind } from "../../domain/catalog/list-kind.ts";
import type { ToolFilter } from "../../domain/definition/definition.ts";
import type { RefreshLimits } from "../../domain/freshness/limits.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { Clock } from "../../ports/clock.ts";
import { createKeptList } from "../flows/kept-list.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import { adoptPart, asReading, digestOf, partOf, readParts, unguarded } from "./list-part.ts";
import type { SessionGuard } from "./list-part.ts";
import { currentPart, type Slot } from "./list-slot.ts";
import { createJoin, listedSession, type Join, type ListedSession } from "./listed-session.ts";

/** A list of a server is another one now than the one that was handed out. */
export interface CatalogChange {
  /** The name in the host's own configuration. */
  readonly serverId: string;
  readonly kind: ListKind;
}

/** The catalogs of live sessions, each list read once an identity and again when it may have changed (V4, C5). */
export interface CatalogReader {
  of(session: McpSession, ask: ReadCatalog): Promise<ListedSession>;
  /** Drops the tools that are kept of a server, since they may be judged differently now. */
  forget(serverId: string): void;
}

export interface ReadCatalog {
  readonly filter: ToolFilter;
  readonly kinds: readonly ListKind[];
}

export interface CatalogReaderOptions {
  readonly clock: Clock;
  readonly limits: RefreshLimits;
  /** Whether list changes are subscribed to (V4), and gaps in what could be announced count. */
  readonly follow: boolean;
  /** Asked once for every list of tools that is read. Default: nothing is compared, and nothing held. */
  readonly guard?: SessionGuard;
  readonly onChanged?: (change: CatalogChange) => void;
  /** Aborted when the host closes: then nobody is told any more. */
  readonly closing?: AbortSignal;
}

/** What is kept of one identity of one session. */
interface Kept {
  readonly session: McpSession;
  readonly identity: SessionIdentity;
  readonly slots: Map<ListKind, Slot>;
  readonly join: Join;
  filter: ToolFilter;
}

export function createCatalogReader(options: CatalogReaderOptions): CatalogReader {
  const { clock, limits, follow, guard = async (_, { catalog }) => unguarded(catalog) } = options;
  const kept = new Map<string, Kept>();
  /** Of lists that were dropped: all that is left of them, to know whether the next ones say something else. */
  const digests = new Map<string, Map<ListKind, string>>();
  const known = new WeakSet<McpSession>();

  const tell = (serverId: string, kind: ListKind): void => options.onChanged?.({ serverId, kind });
  const drop = (server: Kept, kind: ListKind): void => {
    const slot = server.slots.get(kind);
    server.slots.delete(kind);
    slot?.end.abort("dropped");
    if (slot?.list.value === undefined || options.closing?.aborted === true) return;
    const { serverId } = server.session;
    const left = digests.get(serverId) ?? new Map<ListKind, string>();
    digests.set(serverId, left.set(kind, digestOf(slot.list.value)));
  };
  const dropAll = (server: Kept): void => {
    for (const kind of server.slots.keys()) drop(server, kind);
    if (kept.get(server.session.serverId) === server) kept.delete(server.session.serverId);
  };

  const start = (server: Kept, kinds: readonly ListKind[]): void => {
    const missing = kinds.filter((kind) => !server.slots.has(kind));
    if (missing.length === 0) return;
    const reading = readParts(server.session, missing, { filter: server.filter, guard });
    for (const kind of missing) {
      const end = new AbortController();
      const first = reading.then((parts) => partOf(parts, kind));
      const slot: Slot = {
        first,
        end,
        list: createKeptList(first.then(asReading), {
          clock,
          limits,
          read: async () => {
            const parts = await readParts(server.session, [kind], { filter: server.filter, guard });
            return asReading(partOf(parts, kind));
          },
          adopt: adoptPart,
          onChanged: () => tell(server.session.serverId, kind),
          signal: end.signal,
        }),
      };
      server.slots.set(kind, slot);
      void settleFirst(server, kind, slot);
    }
  };
  /** What failed is not kept: it is asked for again. What says something else than what was dropped is told. */
  const settleFirst = async (server: Kept, kind: ListKind, slot: Slot): Promise<void> => {
    const part = await slot.first?.catch(() => undefined);
    if (server.slots.get(kind) !== slot) return;
    if (part === undefined || !asReading(part).ok) {
      server.slots.delete(kind);
      slot.end.abort("failed");
      return;
    }
    const left = digests.get(server.session.serverId);
    const before = left?.get(kind);
    left?.delete(kind);
    if (before !== undefined && before !== digestOf(part)) tell(server.session.serverId, kind);
  };

  const listen = (session: McpSession): void => {
    if (known.has(session)) return;
    known.add(session);
    const now = (): Kept | undefined => {
      const server = kept.get(session.serverId);
      return server?.session === session ? server : undefined;
    };
    session.onListChanged((kind) => now()?.slots.get(kind)?.list.announced());
    session.onRenewed(() => {
      const server = now();
      if (server === undefined) return;
      const kinds = [...server.slots.keys()];
      dropAll(server);
      start(open(session, server.filter), kinds);
    });
    void session.closed.then(() => {
      const server = now();
      if (server !== undefined) dropAll(server);
    });
    if (!follow) return;
    let wasOpen = session.listPush === "open";
    session.onListPush((push) => {
      if (push !== "open") return;
      for (const { list } of now()?.slots.values() ?? []) {
        // The first reading was asked for together with the first opening: it is no older.
        if (wasOpen || list.value !== undefined) list.pushGap();
      }
      wasOpen = true;
    });
    session.followLists();
  };

  const open = (session: McpSession, filter: ToolFilter): Kept => {
    const current = kept.get(session.serverId);
    if (current?.identity === session.identity) return Object.assign(current, { filter });
    if (current !== undefined) dropAll(current);
    const { identity } = session;
    const server: Kept = { session, identity, filter, slots: new Map(), join: createJoin() };
    kept.set(session.serverId, server);
    listen(session);
    return server;
  };

  return {
    of: async (session, { filter, kinds }) => {
      const server = open(session, filter);
      start(server, kinds);
      const slots = kinds.flatMap((kind) => server.slots.get(kind) ?? []);
      const parts = await Promise.all(slots.map((slot) => currentPart(slot, clock)));
      return listedSession(
        server,
        parts.flatMap((part) => part ?? []),
      );
    },
    forget: (serverId) => {
      const server = kept.get(serverId);
      if (server !== undefined) drop(server, "tools");
    },
  };
}
