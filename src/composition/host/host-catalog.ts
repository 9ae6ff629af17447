import { buildCatalog } from "../../domain/catalog/build.ts";
import type { Catalog, ListState } from "../../domain/catalog/catalog.ts";
import { LIST_KINDS, type ListKind } from "../../domain/catalog/list-kind.ts";
import type { ToolChange } from "../../domain/activation/pins.ts";
import type { StoreRefusal } from "../../domain/activation/store-refusal.ts";
import type { ToolFilter } from "../../domain/definition/definition.ts";
import { isOwnRule } from "../../domain/host/own-rule.ts";
import { accept } from "../../domain/outcome.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { SessionIdentity } from "../../domain/session/identity.ts";
import type { ListPush } from "../../domain/session/list-push.ts";
import { orAbandon } from "../flows/abandon.ts";
import type { CatalogReader } from "./catalog-reader.ts";
import type { Connections, ServerFailure } from "./connections.ts";
import type { ListedSession } from "./listed-session.ts";
import type { ShownTools } from "./shown-tools.ts";

/** How one server stands in a catalog. Nothing that was asked for is left out in silence. */
export type ServerState =
  | {
      readonly name: string;
      readonly state: "connected";
      readonly identity: SessionIdentity;
      readonly era: "legacy" | "modern";
      /** Whether the server's list changes reach this host as it announces them. */
      readonly push: ListPush;
      /** What could not be read to its end says so here, list by list (K1), and what may have changed since (V4). */
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

export const EVERY_KIND: readonly ListKind[] = LIST_KINDS;

export interface CatalogQuery {
  readonly names: readonly string[];
  readonly kinds: readonly ListKind[];
  readonly filterOf: (name: string) => ToolFilter;
  /** Default: tools are shown as they were admitted. */
  readonly shown?: ShownTools;
  readonly signal: AbortSignal;
}

/**
 * Connects and joins what came (M6): one server's failure hides no other's tools. How many connect side by side is the
 * supervisor's to say; a bound here as well would let servers that hang hold up the others (V7).
 */
export async function readHostCatalog(
  query: CatalogQuery,
  connections: Connections,
  reader: CatalogReader,
): Promise<HostCatalog> {
  const listed = await Promise.all(
    query.names.map(async (name): Promise<Listed> => {
      const read = await readServer(name, query, { connections, reader });
      if (read.ok) return read.value;
      const state = isOwnRule(read.refusal.refusal) ? "refused" : "failed";
      return { state: { name, state, error: read.refusal }, listed: undefined };
    }),
  );
  const read = listed.flatMap((one) => (one.listed === undefined ? [] : [one.listed]));
  const joined = buildCatalog(read.map(({ catalog }) => catalog));
  return {
    ...joined,
    tools: query.shown?.(joined.tools) ?? joined.tools,
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
