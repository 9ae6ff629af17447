import { isJsonObject } from "../json-value.ts";

/** Our choice: half of the requests that a listener serves at once stay free for calls (R8). */
export const SUBSCRIPTIONS_LIMIT = 8;

/** How many places one caller may have: half of them, so that nobody holds all. One at least. */
export function halfOf(limit: number): number {
  return Math.max(1, Math.floor(limit / 2));
}

/** A request of 2026-07-28 whose answer lasts for as long as its client likes. */
export function isSubscription(message: unknown): boolean {
  return isJsonObject(message) && message["method"] === "subscriptions/listen";
}

/** Counts what each caller has. Remembers nobody who has nothing. */
export class CallerCount {
  readonly #counts: Map<string, number> = new Map();

  /** Takes a place for `caller`, unless `limit` are taken already. */
  take(caller: string, limit: number): boolean {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= limit) return false;
    this.#counts.set(caller, count + 1);
    return true;
  }

  leave(caller: string): void {
    const count = this.#counts.get(caller) ?? 0;
    if (count > 1) this.#counts.set(caller, count - 1);
    else this.#counts.delete(caller);
  }
}
