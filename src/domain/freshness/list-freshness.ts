import type { RefreshLimits } from "./limits.ts";
import type { Stale, StaleReason } from "./stale.ts";

/** How far one kept list can be believed, and what is being done about it (V4). A value: see {@link nextFreshness}. */
export interface ListFreshness {
  /** `waiting`: it will be read again once its time has come. `reading`: it is being read, the first time too. */
  readonly phase: "idle" | "waiting" | "reading";
  /** `undefined`: as fresh as anybody knows. */
  readonly stale: Stale | undefined;
  /** Of `reading`: what came meanwhile, and when it came first. The answer may be older than that. */
  readonly meanwhile: { readonly kind: "push-gap" | "announced"; readonly sinceMs: number } | undefined;
  /** When the last readings started, oldest first; as many as a window may hold. */
  readonly startsMs: readonly number[];
  /** When the list stops being good by the server's own word; `undefined`: it gave none. */
  readonly goodUntilMs: number | undefined;
}

export type FreshnessEvent =
  /** The server says that the list changed. */
  | { readonly kind: "announced" }
  /** The server can say so again, after it could not. */
  | { readonly kind: "push-gap" }
  /** Somebody wants the list. */
  | { readonly kind: "used" }
  /** The wait that was asked for is over. */
  | { readonly kind: "due" }
  /** The list was read; `changed`: what is kept of it differs from what was kept before. */
  | { readonly kind: "read"; readonly changed: boolean; readonly ttlMs: number | undefined }
  /** It could not be read; what was kept stays. */
  | { readonly kind: "failed"; readonly reason: string };

export type FreshnessEffect =
  | { readonly kind: "read" }
  | { readonly kind: "wait"; readonly ms: number }
  /** Tell whoever uses the list that it is another one now. */
  | { readonly kind: "tell" };

export interface FreshnessStep {
  readonly state: ListFreshness;
  readonly effects: readonly FreshnessEffect[];
}

/** A list that is being read for the first time. */
export function firstReading(nowMs: number): ListFreshness {
  return {
    phase: "reading",
    stale: undefined,
    meanwhile: undefined,
    startsMs: [nowMs],
    goodUntilMs: undefined,
  };
}

/**
 * Decides what follows from an event. Pure and total: what makes no sense in a state changes nothing. One reading
 * runs at a time and one more is pending at most, however often a server announces.
 */
export function nextFreshness(
  state: ListFreshness,
  event: FreshnessEvent,
  at: { readonly nowMs: number; readonly limits: RefreshLimits },
): FreshnessStep {
  switch (event.kind) {
    case "announced":
      if (state.phase === "reading")
        return still(meanwhile(staleFor(state, "list-changed", at.nowMs), "announced", at.nowMs));
      return state.phase === "waiting"
        ? still(state)
        : readSoon(staleFor(state, "list-changed", at.nowMs), at);
    case "push-gap":
      if (state.phase === "reading")
        return still(meanwhile(state, state.meanwhile?.kind ?? "push-gap", at.nowMs));
      return still(state.stale === undefined ? staleFor(state, "push-gap", at.nowMs) : state);
    case "used":
      return use(state, at);
    case "due":
      return state.phase === "waiting" ? readSoon(state, at) : still(state);
    case "read":
      return state.phase === "reading" ? afterReading(state, event, at) : still(state);
    case "failed":
      return state.phase === "reading" ? afterFailure(state, event.reason, at) : still(state);
  }
}

type At = Parameters<typeof nextFreshness>[2];

function still(state: ListFreshness): FreshnessStep {
  return { state, effects: [] };
}

/** The age counts from the first sign, whatever makes the list stale by now. */
function staleFor(state: ListFreshness, reason: StaleReason, nowMs: number): ListFreshness {
  return { ...state, stale: { reason, sinceMs: state.stale?.sinceMs ?? nowMs } };
}

function meanwhile(state: ListFreshness, kind: "push-gap" | "announced", nowMs: number): ListFreshness {
  return { ...state, meanwhile: { kind, sinceMs: state.meanwhile?.sinceMs ?? nowMs } };
}

/** What nobody announced, or what failed, is read again only for somebody who wants it: no host without a user polls. */
function use(state: ListFreshness, at: At): FreshnessStep {
  if (state.phase !== "idle") return still(state);
  const { goodUntilMs } = state;
  const aged = state.stale === undefined && goodUntilMs !== undefined && at.nowMs >= goodUntilMs;
  const known = aged ? staleFor(state, "aged", goodUntilMs) : state;
  if (known.stale === undefined || waitMs(known, at).ms > 0) return still(known);
  return readSoon(known, at);
}

function afterReading(
  state: ListFreshness,
  { changed, ttlMs }: Extract<FreshnessEvent, { readonly kind: "read" }>,
  at: At,
): FreshnessStep {
  const goodUntilMs = ttlMs === undefined ? undefined : at.nowMs + Math.max(ttlMs, at.limits.minAgeMs);
  const read: ListFreshness = {
    ...state,
    phase: "idle",
    stale: undefined,
    meanwhile: undefined,
    goodUntilMs,
  };
  const step = takeUp(read, state.meanwhile, at);
  return changed ? { ...step, effects: [{ kind: "tell" }, ...step.effects] } : step;
}

function afterFailure(state: ListFreshness, failure: string, at: At): FreshnessStep {
  const sinceMs = state.stale?.sinceMs ?? at.nowMs;
  const stale: Stale = { reason: "refresh-failed", sinceMs, failure };
  return takeUp({ ...state, phase: "idle", stale, meanwhile: undefined }, state.meanwhile, at);
}

function takeUp(idle: ListFreshness, came: ListFreshness["meanwhile"], at: At): FreshnessStep {
  if (came === undefined) return still(idle);
  if (came.kind === "announced") return readSoon(staleFor(idle, "list-changed", came.sinceMs), at);
  return still(idle.stale === undefined ? staleFor(idle, "push-gap", came.sinceMs) : idle);
}

/** Reads now where that is allowed, and waits until it is where not. */
function readSoon(state: ListFreshness, at: At): FreshnessStep {
  const { ms, noisy } = waitMs(state, at);
  if (ms <= 0) {
    const startsMs = [...state.startsMs, at.nowMs].slice(-at.limits.perWindow);
    return {
      state: { ...state, phase: "reading", meanwhile: undefined, startsMs },
      effects: [{ kind: "read" }],
    };
  }
  const waiting: ListFreshness = { ...state, phase: "waiting" };
  return {
    state: noisy ? staleFor(waiting, "noisy", at.nowMs) : waiting,
    effects: [{ kind: "wait", ms }],
  };
}

function waitMs(
  { startsMs }: ListFreshness,
  { nowMs, limits }: At,
): { readonly ms: number; readonly noisy: boolean } {
  const last = startsMs.at(-1);
  const interval = last === undefined ? 0 : last + limits.minIntervalMs - nowMs;
  const oldest = startsMs[startsMs.length - limits.perWindow];
  const window = oldest === undefined ? 0 : oldest + limits.windowMs - nowMs;
  return { ms: Math.max(interval, window), noisy: window > Math.max(0, interval) };
}
