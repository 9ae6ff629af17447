import type { Clock } from "../../ports/clock.ts";
import type { KeptList } from "../flows/kept-list.ts";
import type { ListPart } from "./list-part.ts";
import type { CurrentPart } from "./listed-session.ts";

/**
 * How long a caller waits for a list that its server announced as changed. After that it gets the one that is kept,
 * and is told that it is stale: a server that is slow to list must not hold up everybody who calls it.
 */
export const PATIENCE_MS = 2_000;

/** One kind of list of one session. */
export interface Slot {
  readonly list: KeptList<ListPart>;
  /** The first reading while it runs, for who comes during it: what failed of it is not kept. */
  first: Promise<ListPart> | undefined;
  readonly end: AbortController;
}

/** With patience, but not for ever. */
export async function currentPart(slot: Slot, clock: Clock): Promise<CurrentPart | undefined> {
  const { list, first } = slot;
  if (list.value === undefined) return first?.then((part) => ({ part, stale: undefined }));
  // Else a list that was replaced since would be held by the promise that brought it.
  slot.first = undefined;
  const refreshed = list.use();
  if (refreshed !== undefined) {
    const over = new AbortController();
    const tired = clock.wait(PATIENCE_MS, { signal: over.signal }).catch(() => undefined);
    await Promise.race([refreshed, tired]);
    over.abort("over");
  }
  return { part: list.value, stale: list.stale };
}
