import { RETRY_ATTEMPTS } from "../failure/backoff.ts";
import type { Classification, FailureClass, FailureReason } from "../failure/classify.ts";
import type { SessionIdentity } from "../session/identity.ts";

/** How the connection to one server stands (V1). */
export type ConnectionState =
  /** Nobody asked for it, or it was let go: the next use connects. */
  | { readonly status: "idle" }
  | {
      readonly status: "connecting";
      /** From 1, within one series of attempts. */
      readonly attempt: number;
      /** Whether a connection had been there and was lost. */
      readonly recovering: boolean;
    }
  | {
      readonly status: "connected";
      readonly identity: SessionIdentity;
      /** The attempt of its series that made it. */
      readonly attempt: number;
    }
  | {
      readonly status: "failed";
      readonly class: FailureClass;
      readonly reason: FailureReason;
      /** Attempts of this series that failed; 0 right after a connection that had lasted was lost. */
      readonly attempt: number;
      /** `pending`: it is tried again by itself. `manual`: when it is used again. */
      readonly retry: "pending" | "manual";
      readonly recovering: boolean;
    }
  /** The supervisor was shut down. Nothing leads out of it. */
  | { readonly status: "closed" };

export type ConnectionEvent =
  /** Somebody wants a session. */
  | { readonly type: "wanted" }
  /** A wait is over. */
  | { readonly type: "waited" }
  | { readonly type: "opened"; readonly identity: SessionIdentity }
  | {
      readonly type: "attempt-failed";
      readonly failure: Classification;
      readonly retryAfterMs?: number;
    }
  /** The server, the network or the machine ended it. `lasted`: it had been good for long enough to start counting anew. */
  | { readonly type: "lost"; readonly failure: Classification; readonly lasted: boolean }
  /** This host ended it: nothing is wrong. */
  | { readonly type: "ended" }
  /** The server made a new session of it (H3c). */
  | { readonly type: "renewed"; readonly identity: SessionIdentity }
  /** Nobody used it for the idle time (V5). */
  | { readonly type: "unused"; readonly inFlight: number }
  /** It may not, or need not, be there any more (A6b). The next use asks again. */
  | { readonly type: "released" }
  | { readonly type: "shutdown" };

/** What has to be done about a transition, in this order. */
export type ConnectionEffect =
  | { readonly do: "connect" }
  /** Gives up the attempt that is under way; what comes of it is closed. */
  | { readonly do: "abort-attempt" }
  /** Tells everybody who waits for this attempt how it ended. */
  | { readonly do: "answer-waiters" }
  | { readonly do: "wait"; readonly failures: number; readonly retryAfterMs?: number }
  | { readonly do: "stop-waiting" }
  | { readonly do: "watch-use" }
  /** Ends what is left of the connection that was there. */
  | { readonly do: "close" }
  /** Closes a session that nobody wants any more. */
  | { readonly do: "close-late" };

/**
 * What is tried again by itself: what had been connected and was lost (`lost`), whatever was asked for (`all`), or
 * nothing (`none`).
 */
export type ReconnectPolicy = "lost" | "all" | "none";

export interface Transition {
  readonly state: ConnectionState;
  readonly effects: readonly ConnectionEffect[];
}

const IDLE: ConnectionState = { status: "idle" };
const CLOSED: ConnectionState = { status: "closed" };
const CONNECT: ConnectionEffect = { do: "connect" };
const ABORT_ATTEMPT: ConnectionEffect = { do: "abort-attempt" };
const ANSWER: ConnectionEffect = { do: "answer-waiters" };
const STOP_WAITING: ConnectionEffect = { do: "stop-waiting" };
const WATCH_USE: ConnectionEffect = { do: "watch-use" };
const CLOSE: ConnectionEffect = { do: "close" };
const CLOSE_LATE: ConnectionEffect = { do: "close-late" };

/** The whole life of one connection (V1). Pure: what time and chance decide comes in with events. */
export function transition(
  state: ConnectionState,
  event: ConnectionEvent,
  policy: ReconnectPolicy,
): Transition {
  switch (event.type) {
    case "wanted":
    case "waited":
      return start(state, event.type);
    case "opened":
      if (state.status !== "connecting") return to(state, CLOSE_LATE);
      return to({ status: "connected", identity: event.identity, attempt: state.attempt }, ANSWER, WATCH_USE);
    case "attempt-failed":
      if (state.status !== "connecting") return to(state);
      return fail(state, event, { policy, answer: true });
    case "lost": {
      if (state.status !== "connected") return to(state);
      const series = { attempt: event.lasted ? 0 : state.attempt, recovering: true };
      return fail(series, event, { policy, answer: false });
    }
    case "ended":
      return state.status === "connected" ? to(IDLE, CLOSE) : to(state);
    case "renewed":
      if (state.status !== "connected") return to(state);
      return to({ ...state, identity: event.identity });
    case "unused":
      return state.status === "connected" && event.inFlight === 0 ? to(IDLE, CLOSE) : to(state);
    case "released":
      return state.status === "closed" ? to(state) : to(IDLE, ...leaving(state));
    case "shutdown":
      return state.status === "closed" ? to(state) : to(CLOSED, ...leaving(state));
  }
}

function to(state: ConnectionState, ...effects: readonly ConnectionEffect[]): Transition {
  return { state, effects };
}

/** A caller need not wait for a timer: its attempt is the next of the series, or the first of a new one. */
function start(state: ConnectionState, by: "wanted" | "waited"): Transition {
  const isWaiting = state.status === "failed" && state.retry === "pending";
  if (isWaiting) {
    const { attempt, recovering } = state;
    const next: ConnectionState = { status: "connecting", attempt: attempt + 1, recovering };
    return by === "waited" ? to(next, CONNECT) : to(next, STOP_WAITING, CONNECT);
  }
  if (by === "waited" || (state.status !== "idle" && state.status !== "failed")) return to(state);
  return to({ status: "connecting", attempt: 1, recovering: false }, CONNECT);
}

interface Series {
  readonly attempt: number;
  readonly recovering: boolean;
}

/** Only what passes by itself is tried again, for as often as V2 says, and where the policy wants it. */
function fail(
  { attempt, recovering }: Series,
  event: { readonly failure: Classification; readonly retryAfterMs?: number },
  { policy, answer }: { readonly policy: ReconnectPolicy; readonly answer: boolean },
): Transition {
  const wanted = policy === "all" || (policy === "lost" && recovering);
  const again = wanted && event.failure.class === "transient" && attempt < RETRY_ATTEMPTS;
  const { retryAfterMs } = event;
  return to(
    { status: "failed", ...event.failure, attempt, retry: again ? "pending" : "manual", recovering },
    answer ? ANSWER : CLOSE,
    ...(again
      ? [{ do: "wait" as const, failures: attempt, ...(retryAfterMs !== undefined && { retryAfterMs }) }]
      : []),
  );
}

function leaving(state: ConnectionState): readonly ConnectionEffect[] {
  switch (state.status) {
    case "connecting":
      return [ABORT_ATTEMPT, ANSWER];
    case "connected":
      return [CLOSE];
    case "failed":
      return state.retry === "pending" ? [STOP_WAITING] : [];
    case "idle":
    case "closed":
      break;
  }
  return [];
}
