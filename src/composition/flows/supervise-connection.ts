import { backoffMs, chanceOf } from "../../domain/failure/backoff.ts";
import { classify } from "../../domain/failure/classify.ts";
import { endedHere, evidenceOf, FAULT } from "../../domain/failure/evidence.ts";
import { accept } from "../../domain/outcome.ts";
import { transition } from "../../domain/supervision/transition.ts";
import type {
  ConnectionEffect,
  ConnectionEvent,
  ConnectionState,
} from "../../domain/supervision/transition.ts";
import type { McpSession } from "./mcp-session.ts";
import { closedAnswer, createWaiters, refusedAnswer, thrownAnswer } from "./supervise-answers.ts";
import type { ConnectAnswer, Waiters } from "./supervise-answers.ts";
import { runAttempt } from "./supervise-attempt.ts";
import type { AttemptEnd } from "./supervise-attempt.ts";
import { withinEndingLimit } from "./supervise-ending.ts";
import type { ConnectionFailure, SupervisorSettings } from "./supervise-options.ts";
import type { Places } from "./supervise-places.ts";
import { watchUses, whenUnused } from "./supervise-session.ts";
import type { Uses } from "./supervise-session.ts";

/** One server, and at most one connection to it. */
export interface SupervisedConnection {
  readonly state: ConnectionState;
  /** The connection that is there, which counts as used by that; `undefined` when there is none to use. */
  ready(): ConnectAnswer | undefined;
  /** Joins the attempt that is under way, or starts one. Rejects with what `open` threw. */
  want(): ConnectAnswer;
  /** Ends everything, for good or until the next use. Settles once it is gone, within a bound; never rejects. */
  end(how: "released" | "shutdown"): Promise<void>;
}

export interface ConnectionContext {
  readonly serverId: string;
  readonly settings: SupervisorSettings;
  readonly places: Places;
  readonly onState: (state: ConnectionState) => void;
}

interface Live {
  readonly session: McpSession;
  readonly uses: Uses;
  readonly answer: ConnectAnswer;
  readonly sinceMs: number;
  /** Aborts once it is not the connection any more. */
  readonly over: AbortController;
}

interface Attempt {
  readonly control: AbortController;
  /** Settles once nothing is left of it. */
  readonly run: Promise<void>;
}

/** A connection that lived shorter did not work: its loss goes on with the attempts that led to it. The cap of V2. */
const LASTED_MS = 30_000;

/** Carries out what `transition` decides. One thing: everything in it is about the one connection of now. */
export function createSupervisedConnection(context: ConnectionContext): SupervisedConnection {
  const { serverId, places, settings } = context;
  const { open, clock, random, idleMs, attemptMs, reconnect } = settings;
  let state: ConnectionState = { status: "idle" };
  let waiters: Waiters | undefined;
  let attempt: Attempt | undefined;
  let backoff: AbortController | undefined;
  let live: Live | undefined;
  /** Whether somebody asked since the last connection came about; and when the last one was used last. */
  let isWanted = false;
  let usedMs = clock.monotonicMs();
  /** Settles once what was there before is gone: two connections of one server are never open at a time. */
  let gone: Promise<void> = Promise.resolve();

  /** `answer` is for those who wait for the attempt that this event ends. */
  const apply = (event: ConnectionEvent, answer?: ConnectAnswer): void => {
    const next = transition(state, event, reconnect);
    const hasChanged = next.state !== state;
    state = next.state;
    for (const effect of next.effects) carryOut(effect, answer ?? closedAnswer(serverId));
    if (hasChanged) context.onState(state);
  };

  const carryOut = (effect: ConnectionEffect, answer: ConnectAnswer): void => {
    switch (effect.do) {
      case "connect":
        waiters = createWaiters();
        attempt = startAttempt();
        break;
      case "abort-attempt":
        if (attempt !== undefined) gone = withinEndingLimit(attempt.run, clock);
        attempt?.control.abort("given up");
        attempt = undefined;
        break;
      case "answer-waiters":
        waiters?.settle(answer);
        waiters = undefined;
        break;
      case "wait":
        backoff = startBackoff(backoffMs({ ...effect, chance: chanceOf(random.bytes(4)) }));
        break;
      case "stop-waiting":
        backoff?.abort("stopped");
        break;
      case "watch-use":
        if (live !== undefined) void watch(live);
        break;
      case "close":
        if (live === undefined) break;
        live.over.abort("closed");
        usedMs = live.uses.lastMs;
        gone = withinEndingLimit(live.session.close(), clock);
        live = undefined;
        break;
      case "close-late":
        // The attempt closes what it opened and nobody took.
        break;
    }
  };

  const startAttempt = (): Attempt => {
    const control = new AbortController();
    const onEnd = (end: AttemptEnd): boolean => {
      if (attempt !== own) return false;
      attempt = undefined;
      gone = withinEndingLimit(own.run, clock);
      return take(end);
    };
    const { signal } = control;
    const run = runAttempt({ serverId, open, places, clock, attemptMs, before: gone, signal, onEnd });
    const own: Attempt = { control, run };
    return own;
  };

  /** Answers whether a session was taken. */
  const take = (end: AttemptEnd): boolean => {
    if (end.end === "threw") {
      apply({ type: "attempt-failed", failure: classify(FAULT) }, thrownAnswer(end.error));
      return false;
    }
    const failure = end.end === "refused" ? end.failure : end.session.ended;
    if (end.end === "opened" && failure === undefined) {
      live = createLive(end.session);
      apply({ type: "opened", identity: end.session.identity }, live.answer);
      return true;
    }
    if (failure !== undefined) {
      const evidence = evidenceOf(failure.refusal);
      const retryAfterMs = evidence.kind === "session" ? evidence.retryAfterMs : undefined;
      const verdict = { failure: classify(evidence), ...(retryAfterMs !== undefined && { retryAfterMs }) };
      apply({ type: "attempt-failed", ...verdict }, refusedAnswer(failure));
    }
    return false;
  };

  const createLive = (raw: McpSession): Live => {
    // What a timer brought back is used no more than what was lost: else a server that ends itself when it is idle
    // would be started again and again for ever.
    const { session, uses } = watchUses(raw, { clock, usedMs: isWanted ? clock.monotonicMs() : usedMs });
    isWanted = false;
    const answer = Promise.resolve(accept(session));
    const own: Live = { session, uses, answer, sinceMs: clock.monotonicMs(), over: new AbortController() };
    raw.onRenewed(() => {
      if (live === own) apply({ type: "renewed", identity: raw.identity });
    });
    void raw.closed.then((failure) => ended(own, failure));
    return own;
  };

  /** Told by the session itself, or seen by whoever would have been given it. */
  const ended = (own: Live, failure: ConnectionFailure): void => {
    if (live !== own) return;
    const evidence = evidenceOf(failure.refusal);
    const lasted = clock.monotonicMs() - own.sinceMs >= LASTED_MS;
    apply(endedHere(evidence) ? { type: "ended" } : { type: "lost", failure: classify(evidence), lasted });
  };

  const watch = async (own: Live): Promise<void> => {
    if (!(await whenUnused(own.uses, { idleMs, clock, signal: own.over.signal }))) return;
    if (live === own) apply({ type: "unused", inFlight: own.uses.inFlight() });
  };

  const startBackoff = (waitMs: number): AbortController => {
    const control = new AbortController();
    clock.wait(waitMs, { signal: control.signal }).then(
      () => {
        // Stopped in the very turn in which the time was up: whoever stopped it is connecting already.
        if (!control.signal.aborted) apply({ type: "waited" });
      },
      () => undefined,
    );
    return control;
  };

  return {
    get state() {
      return state;
    },
    ready: () => {
      if (live === undefined) return undefined;
      const failure = live.session.ended;
      if (failure !== undefined) {
        ended(live, failure);
        return undefined;
      }
      live.uses.touch();
      return live.answer;
    },
    want: () => {
      isWanted = true;
      apply({ type: "wanted" });
      return waiters?.answer ?? closedAnswer(serverId);
    },
    end: (how) => {
      apply({ type: how });
      return gone;
    },
  };
}
