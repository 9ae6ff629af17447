import { accept, refuse, type Outcome } from "../../domain/outcome.ts";
import { decodeFreshness, type Freshness } from "../../domain/session/freshness.ts";
import { estimateJsonSize } from "../../domain/session/json-size.ts";
import type { SessionReason, SessionStage } from "../../domain/session/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Deadline } from "./deadline.ts";
import type { McpPeer, PeerFailure } from "../../ports/mcp-peer.ts";

/** K1, for each list. */
export interface ListLimits {
  readonly pages: number;
  readonly entries: number;
  /** Of all pages together, as JSON text. */
  readonly bytes: number;
}

/** One kind of list, as far as it could be read. Items are raw and untrusted. */
export interface ListedItems {
  readonly items: readonly unknown[];
  readonly pages: readonly Freshness[];
  /** Why it is incomplete; what was read before stays. */
  readonly failure: PeerFailure | undefined;
}

export interface ListQuery {
  readonly method: string;
  /** The field of a page that holds the items. */
  readonly field: string;
  readonly stage: SessionStage;
}

export interface ListOptions {
  readonly serverId: string;
  readonly clock: Clock;
  readonly limits: ListLimits;
  /** Of one page; progress restarts it, up to `maxTotalMs`. */
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
  /** Over everything that is listed at once. */
  readonly deadline: Deadline;
}

interface Page {
  readonly items: readonly unknown[];
  readonly freshness: Freshness;
  readonly next: string | undefined;
  readonly bytes: number;
}

/**
 * Reads one list to its last page, or to the first thing wrong with it (K1). Any string is a cursor, the
 * empty one too, and goes back unchanged. A page whose next cursor was seen before is not kept: it may be
 * the same page again, for ever. Rejects only with the reason of the deadline's outer signal.
 */
export async function listPages(peer: McpPeer, query: ListQuery, options: ListOptions): Promise<ListedItems> {
  const { limits, deadline } = options;
  const seen = new Set<string>();
  const items: unknown[] = [];
  const pages: Freshness[] = [];
  let bytes = 0;
  let cursor: string | undefined;
  const stopped = (failure: PeerFailure | undefined): ListedItems => ({ items, pages, failure });
  const refused = (reason: SessionReason): ListedItems =>
    stopped({ refusal: { ...at(query, options), reason } });
  for (;;) {
    if (pages.length === limits.pages) return refused("list-limit");
    const page = await readPage(peer, { query, cursor, bytesLeft: limits.bytes - bytes }, options).catch(
      (reason: unknown) => {
        if (!deadline.expired()) throw reason;
        return refuse({ refusal: { ...at(query, options), reason: "timeout", ended: "timeout" } } as const);
      },
    );
    if (!page.ok) return stopped(page.refusal);
    const { next } = page.value;
    if (next !== undefined && seen.has(next)) return refused("cursor-repeated");
    const room = limits.entries - items.length;
    for (const item of page.value.items.slice(0, room)) items.push(item);
    pages.push(page.value.freshness);
    bytes += page.value.bytes;
    if (page.value.items.length > room) return refused("list-limit");
    if (next === undefined) return stopped(undefined);
    seen.add(next);
    cursor = next;
  }
}

async function readPage(
  peer: McpPeer,
  ask: { readonly query: ListQuery; readonly cursor: string | undefined; readonly bytesLeft: number },
  options: ListOptions,
): Promise<Outcome<Page, PeerFailure>> {
  const { query, cursor, bytesLeft } = ask;
  const { timeoutMs, maxTotalMs, deadline, clock } = options;
  const refused = (reason: SessionReason): Outcome<Page, PeerFailure> =>
    refuse({ refusal: { ...at(query, options), reason } });
  const answer = await peer.request(query.method, cursor === undefined ? {} : { cursor }, {
    signal: deadline.signal,
    stage: query.stage,
    timeoutMs,
    maxTotalMs,
  });
  if (!answer.ok) return answer;
  const { [query.field]: items, nextCursor } = answer.value;
  if (!Array.isArray(items)) return refused("invalid-response");
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== "string") {
    return refused("invalid-response");
  }
  const { era } = peer.identity;
  const freshness = decodeFreshness(answer.value, { era, receivedAtMs: clock.nowMs() });
  if (!freshness.ok) return refused(freshness.refusal);
  const bytes = estimateJsonSize(answer.value, bytesLeft);
  if (bytes > bytesLeft) return refused("list-limit");
  return accept({ items, freshness: freshness.value, next: nextCursor ?? undefined, bytes });
}

function at(query: ListQuery, { serverId }: ListOptions) {
  return { kind: "session", serverId, stage: query.stage } as const;
}
