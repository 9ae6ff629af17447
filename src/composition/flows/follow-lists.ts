import type { ListKind } from "../../domain/catalog/list-kind.ts";
import { createReopenBudget, reopenDelayMs } from "../../domain/http/reopen.ts";
import type { ListPush } from "../../domain/session/list-push.ts";
import type { Clock } from "../../ports/clock.ts";
import type { McpPeer, SubscriptionEnd } from "../../ports/mcp-peer.ts";

export interface FollowListsOptions {
  /** What to subscribe to; at least one. */
  readonly kinds: readonly ListKind[];
  readonly clock: Clock;
  /** How long a server may take to agree to a subscription. Milliseconds. */
  readonly acknowledgeMs: number;
  readonly onChanged: (kind: ListKind) => void;
  readonly onPush: (push: ListPush) => void;
  readonly signal: AbortSignal;
}

/**
 * Keeps one subscription to list changes open until the signal aborts or it is given up (V4), within the bounds of a
 * GET stream (H3b): each opening that brought no change doubles the wait, and a minute holds 30 reopenings at most.
 * Never rejects.
 */
export async function followLists(
  peer: Pick<McpPeer, "subscribe">,
  options: FollowListsOptions,
): Promise<void> {
  const { clock, signal, onPush } = options;
  const budget = createReopenBudget();
  let fruitless = 0;
  while (!signal.aborted) {
    const opening = await openOnce(peer, options);
    if (signal.aborted) return;
    if (opening.agreed === "nothing") return onPush("none");
    // What was agreed to and ends so has broken a bound or the protocol.
    if (opening.end === "refused") return onPush(opening.agreed === "something" ? "no-push" : "none");
    fruitless = opening.useful ? 0 : fruitless + 1;
    const delayMs = reopenDelayMs(undefined, fruitless);
    if (budget.waitMs(clock.monotonicMs() + delayMs) > 0) return onPush("no-push");
    // One that nobody agreed to was never in flight: waiting for it must not keep a connection in use (V5).
    onPush(opening.agreed === "something" ? "waiting" : "none");
    try {
      await clock.wait(delayMs, { signal });
    } catch {
      return; // only the signal ends a wait early
    }
    budget.spend(clock.monotonicMs());
  }
}

interface Opening {
  readonly end: SubscriptionEnd;
  readonly agreed: "not-yet" | "nothing" | "something";
  readonly useful: boolean;
}

/** A server that does not agree in time may be silent for ever: it is left, and asked again later. */
async function openOnce(
  peer: Pick<McpPeer, "subscribe">,
  { kinds, clock, acknowledgeMs, signal, ...tell }: FollowListsOptions,
): Promise<Opening> {
  const leaving = new AbortController();
  const waiting = new AbortController();
  let agreed: Opening["agreed"] = "not-yet";
  let useful = false;
  clock.wait(acknowledgeMs, { signal: waiting.signal }).then(
    () => leaving.abort("late"),
    () => undefined, // Agreed, or over.
  );
  try {
    const end = await peer.subscribe(kinds, {
      signal: AbortSignal.any([signal, leaving.signal]),
      onAcknowledged: (honoured) => {
        waiting.abort("agreed");
        agreed = honoured.length === 0 ? "nothing" : "something";
        if (agreed === "something") tell.onPush("open");
        else leaving.abort("nothing to hear");
      },
      onChanged: (kind) => {
        useful = true;
        tell.onChanged(kind);
      },
    });
    return { end, agreed, useful };
  } finally {
    waiting.abort("over");
  }
}
