import type { ToolFilter } from "../definition/definition.ts";
import { accept, refuse } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { RejectReason } from "./adapt-reason.ts";
import { admitPrompt, admitResource } from "./admit-item.ts";
import { admitTool } from "./admit-tool.ts";
import type { CatalogResource, RejectedItem, ServerCatalog } from "./catalog.ts";
import { isJsonObject, own } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { passesFilter } from "./tool-filter.ts";
import type { CatalogKind } from "./tool-name.ts";
import { cleanText } from "./untrusted-text.ts";

/** What a server's lists held, raw. A list that was not asked for is `undefined`. */
export interface DisclosedLists {
  readonly serverId: string;
  readonly tools?: readonly unknown[] | undefined;
  readonly prompts?: readonly unknown[] | undefined;
  readonly resources?: readonly unknown[] | undefined;
  readonly resourceTemplates?: readonly unknown[] | undefined;
  /** The definition's `tools` (D5). Absent: every tool passes. */
  readonly filter?: ToolFilter | undefined;
  /** Before 2026-07-28 (`legacy`, the default) an `outputSchema` that is no object schema is dropped. */
  readonly era?: "legacy" | "modern" | undefined;
  /** How calls travel; what a tool asks to have in HTTP headers counts there alone (K5b). Default `http`. */
  readonly carrier?: "http" | "stdio" | undefined;
}

/** K1: entries of one list; the rest is rejected one by one. */
export const ITEM_LIMIT = 10_000;
const NAME_LENGTH_LIMIT = 1024;
const URI_LENGTH_LIMIT = 8192;
/** What is kept of the name of something rejected. */
export const REJECTED_NAME_LIMIT = 256;
const EVERY_TOOL: ToolFilter = { allow: undefined, deny: [] };

/**
 * Admits what one server disclosed, item by item (K1, K2): a malformed item costs that item. Everything ends
 * in exactly one place, in the server's order. Of items with an equal name (resources: URI) none is kept, so
 * that it does not depend on the order which one is called. Pure.
 */
export function buildServerCatalog(lists: DisclosedLists): ServerCatalog {
  const { serverId } = lists;
  const rejected: RejectedItem[] = [];
  const filter = lists.filter ?? EVERY_TOOL;
  const { era = "legacy", carrier = "http" } = lists;
  const tools = admitList(
    lists.tools,
    { kind: "tool", serverId, key: "name", rejected },
    (item, sourceName) =>
      passesFilter(filter, sourceName)
        ? admitTool(item, { serverId, sourceName, era, carrier })
        : refuse("filtered"),
  );
  const prompts = admitList(
    lists.prompts,
    { kind: "prompt", serverId, key: "name", rejected },
    (item, sourceName) => accept(admitPrompt(item, { serverId, sourceName })),
  );
  const resources = [
    ...admitResources(lists.resources, { kind: "resource", serverId, key: "uri", rejected }),
    ...admitResources(lists.resourceTemplates, { kind: "template", serverId, key: "uriTemplate", rejected }),
  ];
  return { serverId, tools, prompts, resources, rejected };
}

interface ListOrigin<Kind extends CatalogKind> {
  readonly kind: Kind;
  readonly serverId: string;
  /** The property that identifies an item of this list. */
  readonly key: "name" | "uri" | "uriTemplate";
  readonly rejected: RejectedItem[];
}

function admitResources(
  list: readonly unknown[] | undefined,
  origin: ListOrigin<"resource" | "template">,
): readonly CatalogResource[] {
  const { kind, serverId } = origin;
  return admitList(list, origin, (item, sourceName) =>
    accept(admitResource(item, { kind, serverId, sourceName })),
  );
}

function admitList<Item>(
  list: readonly unknown[] | undefined,
  origin: ListOrigin<CatalogKind>,
  admit: (item: JsonObject, identity: string) => Outcome<Item, RejectReason>,
): readonly Item[] {
  const items = list ?? [];
  const counts = countIdentities(items, origin.key);
  return items.flatMap((raw, index) => {
    const outcome = admitOne(raw, index, origin, counts, admit);
    if (outcome.ok) return [outcome.value];
    const sourceName = cleanText(identityOf(raw, origin.key) ?? "", REJECTED_NAME_LIMIT).text;
    origin.rejected.push({
      kind: origin.kind,
      serverId: origin.serverId,
      sourceName,
      reason: outcome.refusal,
    });
    return [];
  });
}

function admitOne<Item>(
  raw: unknown,
  index: number,
  origin: ListOrigin<CatalogKind>,
  counts: ReadonlyMap<string, number>,
  admit: (item: JsonObject, identity: string) => Outcome<Item, RejectReason>,
): Outcome<Item, RejectReason> {
  if (index >= ITEM_LIMIT) return refuse("too-many-items");
  if (!isJsonObject(raw)) return refuse("not-an-object");
  const identity = identityOf(raw, origin.key);
  const named = origin.key === "name";
  if (identity === undefined) return refuse(named ? "name-missing" : "uri-missing");
  if (identity === "") return refuse(named ? "name-empty" : "uri-missing");
  if (identity.length > (named ? NAME_LENGTH_LIMIT : URI_LENGTH_LIMIT)) {
    return refuse(named ? "name-too-long" : "uri-too-long");
  }
  if ((counts.get(identity) ?? 0) > 1) return refuse("duplicate");
  return admit(raw, identity);
}

function countIdentities(items: readonly unknown[], key: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const identity = identityOf(item, key);
    if (identity !== undefined) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  }
  return counts;
}

function identityOf(item: unknown, key: string): string | undefined {
  const identity = isJsonObject(item) ? own(item, key) : undefined;
  return typeof identity === "string" ? identity : undefined;
}
