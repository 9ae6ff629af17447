import { cutText } from "../../domain/catalog/untrusted-text.ts";
import { escapeForDisplay } from "../../domain/display-text.ts";
import type { ShownStale } from "../../domain/freshness/stale.ts";
import type { CatalogKind, ItemRow, RejectedRow, ServerRow } from "./catalog-rows.ts";

/** Characters of a description that the overview shows; `--json` has all that was kept. */
const DESCRIPTION_LIMIT = 160;

export interface CatalogRows {
  readonly kind: CatalogKind;
  readonly servers: readonly ServerRow[];
  readonly items: readonly ItemRow[];
  readonly rejected: readonly RejectedRow[];
}

/** The catalog for people, a server at a time. Everything a server wrote is escaped. */
export function* catalogLines({ kind, servers, items, rejected }: CatalogRows): Generator<string> {
  if (servers.length === 0) yield `No server is approved, so there are no ${kind}.`;
  const itemsOf = byServer(items);
  const rejectedOf = byServer(rejected);
  for (const server of servers) {
    yield serverLine(server);
    for (const item of itemsOf.get(server.name) ?? []) yield* itemLines(item);
    for (const item of rejectedOf.get(server.name) ?? []) {
      yield `  rejected: "${escapeForDisplay(item.name)}" (${item.reason})`;
    }
  }
}

function byServer<Row extends { readonly server: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.server);
    if (group === undefined) groups.set(row.server, [row]);
    else group.push(row);
  }
  return groups;
}

/** Why a server is not connected is a line on stderr, once. */
function serverLine({ name, state, era, stale, push }: ServerRow): string {
  const standing: string[] = era === undefined ? [state] : [state, era];
  if (stale !== undefined) standing.push(staleText(stale));
  if (push !== undefined) standing.push("changes are not announced any more");
  return `${escapeForDisplay(name)} (${standing.join(", ")})`;
}

/** Every failure is a closed word of ours. */
function staleText({ reason, ageMs, failure }: ShownStale): string {
  const why = failure === undefined ? reason : `${reason}: ${failure}`;
  return `stale for ${Math.ceil(ageMs / 1_000)} s (${why})`;
}

function* itemLines({ name, bucket, reasons, description }: ItemRow): Generator<string> {
  const why = reasons.map(({ reason, path }) => (path === undefined ? reason : `${reason} at ${path}`));
  yield `  ${name}${bucket === "adopted" ? "" : ` (adapted: ${escapeForDisplay(why.join(", "))})`}`;
  if (description !== null && description !== "") yield `      ${shortText(description)}`;
}

/** A server's text on one short line, escaped. */
export function shortText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const cut = cutText(line, DESCRIPTION_LIMIT);
  return escapeForDisplay(cut.length < line.length ? `${cut}…` : cut);
}
