import type { HoldReason } from "../../domain/catalog/adapt-reason.ts";
import { buildServerCatalog } from "../../domain/catalog/build-server-catalog.ts";
import type { ListState, ServerCatalog } from "../../domain/catalog/catalog.ts";
import { writeJson } from "../../domain/catalog/json-text.ts";
import type { ListKind } from "../../domain/catalog/list-kind.ts";
import type { ToolFilter } from "../../domain/definition/definition.ts";
import { accept, refuse } from "../../domain/outcome.ts";
import { sha256Hex } from "../../domain/sha256.ts";
import type { DiscoveredLists } from "../flows/discover.ts";
import type { ListReading } from "../flows/kept-list.ts";
import type { McpSession } from "../flows/mcp-session.ts";
import type { PeerFailure } from "../../ports/mcp-peer.ts";
import type { GuardedCatalog } from "./pin-guard.ts";

export type ListName = keyof DiscoveredLists;

/** One kind of list of one server, admitted and held against its pins. */
export interface ListPart {
  readonly kind: ListKind;
  /** Of this kind alone. */
  readonly guarded: GuardedCatalog;
  readonly states: Partial<Readonly<Record<ListName, ListState>>>;
  /** Why it is not all of it. */
  readonly failure: PeerFailure | undefined;
}

/** For holding what a session disclosed against its pins. */
export type SessionGuard = (
  session: McpSession,
  listed: { readonly catalog: ServerCatalog; readonly tools: readonly unknown[] },
) => Promise<GuardedCatalog>;

const NAMES: Readonly<Record<ListKind, readonly ListName[]>> = {
  tools: ["tools"],
  prompts: ["prompts"],
  resources: ["resources", "resourceTemplates"],
};

/**
 * Reads lists of one session, all under one deadline. Without a signal: callers share it, and one that leaves must not
 * take it from the others. It ends with the session.
 */
export async function readParts(
  session: McpSession,
  kinds: readonly ListKind[],
  { filter, guard }: { readonly filter: ToolFilter; readonly guard: SessionGuard },
): Promise<ReadonlyMap<ListKind, ListPart>> {
  const lists = await session.discover({ kinds: kinds.flatMap((kind) => NAMES[kind]) });
  const parts = await Promise.all(
    kinds.map(async (kind): Promise<ListPart> => {
      const names = NAMES[kind];
      const catalog = buildServerCatalog({
        serverId: session.serverId,
        filter,
        era: session.server.era,
        carrier: session.carrier,
        ...Object.fromEntries(names.map((name) => [name, lists[name].items])),
      });
      const guarded =
        kind === "tools" ? await guard(session, { catalog, tools: lists.tools.items }) : unguarded(catalog);
      return {
        kind,
        guarded,
        states: Object.fromEntries(names.map((name) => [name, lists[name].state])),
        failure: names.map((name) => lists[name].failure).find((failure) => failure !== undefined),
      };
    }),
  );
  return new Map(parts.map((part) => [part.kind, part]));
}

export function partOf(parts: ReadonlyMap<ListKind, ListPart>, kind: ListKind): ListPart {
  const part = parts.get(kind);
  // Whoever looks for a kind has asked for it.
  if (part === undefined) throw new TypeError("a kind of list was not read");
  return part;
}

const NOTHING_HELD: ReadonlyMap<string, HoldReason> = new Map();

export function unguarded(catalog: ServerCatalog): GuardedCatalog {
  return { catalog, held: NOTHING_HELD, changes: [] };
}

/** What failed is asked for again; a list that is too long stays so, and would cost every call all its pages. */
export function asReading(part: ListPart): ListReading<ListPart> {
  if (part.guarded.problem !== undefined) return refuse(part.guarded.problem.reason);
  for (const { complete, incompleteReason: reason } of Object.values(part.states)) {
    if (!complete && reason !== "list-limit" && reason !== "cursor-repeated")
      return refuse(reason ?? "incomplete");
  }
  return accept({ value: part, ttlMs: ttlOf(part) });
}

/** The shortest of its pages: once one of them is old, so is the list. */
function ttlOf({ states }: ListPart): number | undefined {
  const given = Object.values(states).flatMap(({ pages }) =>
    pages.flatMap(({ ttlMs }) => (ttlMs === undefined ? [] : [ttlMs])),
  );
  return given.length === 0 ? undefined : given.reduce((least, ttlMs) => Math.min(least, ttlMs));
}

/** A list that says the same keeps its very objects, since what was made of them is found by them. */
export function adoptPart(
  kept: ListPart,
  read: ListPart,
): { readonly value: ListPart; readonly changed: boolean } {
  if (digestOf(kept) !== digestOf(read)) return { value: read, changed: true };
  return { value: { ...read, guarded: kept.guarded }, changed: false };
}

/**
 * Digests all of a part that anybody can see: what was admitted and rejected, what is not as it was pinned, and whether
 * it is all. The order in which the server listed it is not seen anywhere.
 */
export function digestOf({ guarded, states }: ListPart): string {
  const { tools, prompts, resources, rejected } = guarded.catalog;
  const items = [...tools, ...prompts, ...resources].toSorted(byName);
  const refused = rejected.toSorted(
    (a, b) => compare(a.sourceName, b.sourceName) || compare(a.reason, b.reason),
  );
  const ends = Object.values(states).map(({ complete, incompleteReason }) => [complete, incompleteReason]);
  const changes = guarded.changes.toSorted(byName);
  return sha256Hex(writeJson([items, refused, changes, ends], { keys: "sorted", layout: "compact" }));
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
