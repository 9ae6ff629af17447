import type { ListState } from "../../domain/catalog/catalog.ts";
import type { Clock } from "../../ports/clock.ts";
import type { McpPeer, PeerFailure } from "../../ports/mcp-peer.ts";
import { startDeadline } from "./deadline.ts";
import { listPages, type ListedItems, type ListLimits, type ListQuery } from "./list-pages.ts";

/** One kind of list as a server gave it: raw, untrusted items, to be admitted one by one. */
export interface DiscoveredList {
  /** Whether the server declares the capability; if not, nothing was asked. */
  readonly declared: boolean;
  readonly items: readonly unknown[];
  readonly state: ListState;
  /** Why it is incomplete. */
  readonly failure: PeerFailure | undefined;
}

export interface DiscoveredLists {
  readonly tools: DiscoveredList;
  readonly prompts: DiscoveredList;
  readonly resources: DiscoveredList;
  readonly resourceTemplates: DiscoveredList;
}

export interface DiscoverOptions {
  readonly serverId: string;
  readonly clock: Clock;
  readonly limits: ListLimits;
  /** Of one page, restarted by progress; milliseconds. */
  readonly timeoutMs: number;
  /** Of one page, never restarted. */
  readonly maxTotalMs: number;
  /** Over all lists together. */
  readonly deadlineMs: number;
  /** What to list; default: everything. A kind that is left out is as if it were not declared. */
  readonly kinds?: readonly (keyof DiscoveredLists)[];
  readonly signal: AbortSignal;
}

const QUERIES = {
  tools: { method: "tools/list", field: "tools", stage: "list-tools" },
  prompts: { method: "prompts/list", field: "prompts", stage: "list-prompts" },
  resources: { method: "resources/list", field: "resources", stage: "list-resources" },
  resourceTemplates: {
    method: "resources/templates/list",
    field: "resourceTemplates",
    stage: "list-resource-templates",
  },
} as const satisfies Readonly<Record<keyof DiscoveredLists, ListQuery>>;

const METHOD_NOT_FOUND = -32_601;

/**
 * Lists what a server declares and nothing else, all kinds side by side under one deadline (K1). What one
 * kind fails with is that kind's: a broken prompts list loses no tool. Rejects only with the signal's reason.
 */
export async function discover(peer: McpPeer, options: DiscoverOptions): Promise<DiscoveredLists> {
  const { capabilities } = peer.identity;
  const deadline = startDeadline(options.deadlineMs, options);
  const list = async (kind: keyof DiscoveredLists, capability: string): Promise<DiscoveredList> => {
    if (!capabilities.has(capability) || options.kinds?.includes(kind) === false) return NOT_DECLARED;
    return stated(await listPages(peer, QUERIES[kind], { ...options, deadline }));
  };
  try {
    const [tools, prompts, resources, resourceTemplates] = await Promise.all([
      list("tools", "tools"),
      list("prompts", "prompts"),
      list("resources", "resources"),
      list("resourceTemplates", "resources").then(withoutTemplates),
    ]);
    return { tools, prompts, resources, resourceTemplates };
  } finally {
    deadline.end();
  }
}

const NOT_DECLARED: DiscoveredList = {
  declared: false,
  items: [],
  state: { complete: true, pages: [] },
  failure: undefined,
};

/** Says of a list how far it was read. */
export function stated({ items, pages, failure }: ListedItems): DiscoveredList {
  const state: ListState =
    failure === undefined
      ? { complete: true, pages }
      : { complete: false, incompleteReason: failure.refusal.reason, pages };
  return { declared: true, items, state, failure };
}

/** `resources` says nothing about templates: a server that does not know the method has none. */
function withoutTemplates(list: DiscoveredList): DiscoveredList {
  const refusal = list.failure?.refusal;
  const unknown =
    refusal?.kind === "session" && refusal.reason === "protocol-error" && refusal.code === METHOD_NOT_FOUND;
  return unknown && list.items.length === 0 ? NOT_DECLARED : list;
}
