import type { Catalog, RejectedItem, ServerCatalog } from "./catalog.ts";
import { REJECTED_NAME_LIMIT } from "./build-server-catalog.ts";
import type { CatalogKind } from "./tool-name.ts";
import { cleanText } from "./untrusted-text.ts";

export { buildServerCatalog } from "./build-server-catalog.ts";
export type { DisclosedLists } from "./build-server-catalog.ts";

interface Named {
  readonly name: string;
  readonly serverId: string;
  readonly sourceName: string;
}

/**
 * Merges the catalogs of several servers into one, found by catalog name (K3). Independent of the order of the
 * servers. Where two items of a kind have the same name, neither is kept (`name-clash`): a call by that name
 * must not depend on who was listed first.
 */
export function buildCatalog(servers: readonly ServerCatalog[]): Catalog {
  const clashes: RejectedItem[] = [];
  const tools = byName(
    servers.flatMap((server) => server.tools),
    () => "tool",
    clashes,
  );
  const prompts = byName(
    servers.flatMap((server) => server.prompts),
    () => "prompt",
    clashes,
  );
  const resources = byName(
    servers.flatMap((server) => server.resources),
    (item) => item.kind,
    clashes,
  );
  const rejected = [...servers.flatMap((server) => server.rejected), ...clashes].toSorted(byPlace);
  return { tools, prompts, resources, rejected };
}

function byName<Item extends Named>(
  items: readonly Item[],
  kindOf: (item: Item) => CatalogKind,
  clashes: RejectedItem[],
): ReadonlyMap<string, Item> {
  const counts = new Map<string, number>();
  for (const { name } of items) counts.set(name, (counts.get(name) ?? 0) + 1);
  const kept = items.filter((item) => {
    if (counts.get(item.name) === 1) return true;
    const { serverId } = item;
    const sourceName = cleanText(item.sourceName, REJECTED_NAME_LIMIT).text;
    clashes.push({ kind: kindOf(item), serverId, sourceName, reason: "name-clash" });
    return false;
  });
  return new Map(kept.toSorted((a, b) => compareText(a.name, b.name)).map((item) => [item.name, item]));
}

function byPlace(a: RejectedItem, b: RejectedItem): number {
  return (
    compareText(a.serverId, b.serverId) ||
    compareText(a.kind, b.kind) ||
    compareText(a.sourceName, b.sourceName)
  );
}

/* By code unit: a locale would make the order differ between machines. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
