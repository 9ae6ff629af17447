import {
  firstReading,
  nextFreshness,
  type FreshnessEffect,
  type FreshnessEvent,
} from "../../domain/freshness/list-freshness.ts";
import type { RefreshLimits } from "../../domain/freshness/limits.ts";
import type { ShownStale } from "../../domain/freshness/stale.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";

/** What one reading of a list brought, or the reason why it brought nothing to be kept. */
export type ListReading<Value> = Outcome<
  {
    readonly value: Value;
    /** How long the server says it stays good, from now. Milliseconds; `undefined`: it said nothing. */
    readonly ttlMs: number | undefined;
  },
  string
>;

export interface KeptListOptions<Value> {
  readonly clock: Clock;
  readonly limits: RefreshLimits;
  /** Reads it once more. What it rejects with counts as a failure. */
  readonly read: () => Promise<ListReading<Value>>;
  /** Makes out of both what is kept from now on; `changed`: it is another list to whoever uses it. */
  readonly adopt: (kept: Value, read: Value) => { readonly value: Value; readonly changed: boolean };
  /** Another list is kept now. Not called for the first one. */
  readonly onChanged: () => void;
  /** Ends it: nothing is read or told from then on, and no timer is left. */
  readonly signal: AbortSignal;
}

/** One list that was read and is kept, and is read again when it may have changed (V4). */
export interface KeptList<Value> {
  /** `undefined` while it is read for the first time. */
  readonly value: Value | undefined;
  readonly stale: ShownStale | undefined;
  announced(): void;
  pushGap(): void;
  /** Says that somebody wants the list. Answers, where the server announced another one, when that has been read. */
  use(): Promise<void> | undefined;
}

/** Carries out what the domain decides for one list, whose first reading is under way. */
export function createKeptList<Value>(
  first: Promise<ListReading<Value>>,
  options: KeptListOptions<Value>,
): KeptList<Value> {
  const { clock, limits, signal } = options;
  let state = firstReading(clock.monotonicMs());
  let value: Value | undefined;
  let waiters: (() => void)[] = [];

  const step = (event: FreshnessEvent): void => {
    if (signal.aborted) return;
    const next = nextFreshness(state, event, { nowMs: clock.monotonicMs(), limits });
    state = next.state;
    for (const effect of next.effects) carryOut(effect);
    if (state.phase !== "idle" && state.stale?.reason === "list-changed") return;
    for (const wake of waiters) wake();
    waiters = [];
  };
  const carryOut = (effect: FreshnessEffect): void => {
    if (effect.kind === "tell") options.onChanged();
    else if (effect.kind === "read") void take(options.read());
    else {
      clock.wait(effect.ms, { signal }).then(
        () => step({ kind: "due" }),
        () => undefined, // Only the signal ends a wait early.
      );
    }
  };
  const take = async (reading: Promise<ListReading<Value>>): Promise<void> => {
    const read = await reading.catch(() => UNEXPECTED);
    if (signal.aborted) return;
    if (!read.ok) return step({ kind: "failed", reason: read.refusal });
    const adopted = value === undefined ? undefined : options.adopt(value, read.value.value);
    value = adopted === undefined ? read.value.value : adopted.value;
    const changed = adopted?.changed === true;
    step({ kind: "read", changed, ttlMs: read.value.ttlMs });
  };
  signal.addEventListener("abort", () => {
    for (const wake of waiters) wake();
    waiters = [];
  });
  void take(first);

  return {
    get value() {
      return value;
    },
    get stale() {
      const { stale } = state;
      if (stale === undefined || value === undefined) return undefined;
      const { reason, sinceMs, failure } = stale;
      const ageMs = clock.monotonicMs() - sinceMs;
      return failure === undefined ? { reason, ageMs } : { reason, ageMs, failure };
    },
    announced: () => step({ kind: "announced" }),
    pushGap: () => step({ kind: "push-gap" }),
    use: () => {
      step({ kind: "used" });
      if (signal.aborted || state.phase === "idle" || state.stale?.reason !== "list-changed")
        return undefined;
      return new Promise((resolve) => waiters.push(resolve));
    },
  };
}

const UNEXPECTED = { ok: false, refusal: "unexpected" } as const;
