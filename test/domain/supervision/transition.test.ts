import assert from "node:assert/strict";
import { test } from "node:test";

import type { Classification } from "../../../src/domain/failure/classify.ts";
import type { SessionIdentity } from "../../../src/domain/session/identity.ts";
import {
  type ConnectionEvent,
  type ConnectionState,
  type ReconnectPolicy,
  transition,
} from "../../../src/domain/supervision/transition.ts";

const IDENTITY: SessionIdentity = {
  serverId: "s",
  protocolVersion: "2025-11-25",
  serverVersion: "1",
  serverInfoProvided: true,
  carrierGeneration: "g1",
};
const DOWN: Classification = { class: "transient", reason: "unreachable" };
const FOR_GOOD: Classification = { class: "config", reason: "own-rule" };

const idle: ConnectionState = { status: "idle" };
const closed: ConnectionState = { status: "closed" };
const connecting = (attempt: number, recovering = false): ConnectionState => ({
  status: "connecting",
  attempt,
  recovering,
});
const connected = (attempt = 1): ConnectionState => ({ status: "connected", identity: IDENTITY, attempt });
const failed = (
  attempt: number,
  retry: "pending" | "manual",
  more: { readonly recovering?: boolean; readonly failure?: Classification } = {},
): ConnectionState => ({
  status: "failed",
  ...(more.failure ?? DOWN),
  attempt,
  retry,
  recovering: more.recovering ?? true,
});

interface Row {
  readonly name: string;
  readonly from: ConnectionState;
  readonly event: ConnectionEvent;
  readonly to: ConnectionState;
  readonly effects: readonly string[];
  readonly policy?: ReconnectPolicy;
}

const wanted: ConnectionEvent = { type: "wanted" };
const waited: ConnectionEvent = { type: "waited" };
const opened: ConnectionEvent = { type: "opened", identity: IDENTITY };
const attemptFailed: ConnectionEvent = { type: "attempt-failed", failure: DOWN };
const lost: ConnectionEvent = { type: "lost", failure: DOWN, lasted: true };
const released: ConnectionEvent = { type: "released" };
const shutdown: ConnectionEvent = { type: "shutdown" };

const ROWS: readonly Row[] = [
  {
    name: "V1 an idle server that is wanted is connected",
    from: idle,
    event: wanted,
    to: connecting(1),
    effects: ["connect"],
  },
  {
    name: "V3 one more caller changes nothing about a pending connect",
    from: connecting(2),
    event: wanted,
    to: connecting(2),
    effects: [],
  },
  {
    name: "V3 one more caller changes nothing about a connection",
    from: connected(),
    event: wanted,
    to: connected(),
    effects: [],
  },
  {
    name: "V1 an opened session answers who waits, and its use is watched",
    from: connecting(3, true),
    event: opened,
    to: connected(3),
    effects: ["answer-waiters", "watch-use"],
  },
  {
    name: "V2 a first connect that fails is not tried again where only what was lost is",
    from: connecting(1),
    event: attemptFailed,
    to: failed(1, "manual", { recovering: false }),
    effects: ["answer-waiters"],
  },
  {
    name: "V2 a first connect that fails is tried again where everything is",
    from: connecting(1),
    event: attemptFailed,
    policy: "all",
    to: failed(1, "pending", { recovering: false }),
    effects: ["answer-waiters", "wait 1"],
  },
  {
    name: "V2 what the server asked for is part of the wait",
    from: connecting(1, true),
    event: { ...attemptFailed, retryAfterMs: 7_000 },
    to: failed(1, "pending"),
    effects: ["answer-waiters", "wait 1 after 7000"],
  },
  {
    name: "V2 a failure that does not pass by itself is left to who uses it next",
    from: connecting(2, true),
    event: { type: "attempt-failed", failure: FOR_GOOD },
    policy: "all",
    to: failed(2, "manual", { failure: FOR_GOOD }),
    effects: ["answer-waiters"],
  },
  {
    name: "V2 the fourth failure is tried again",
    from: connecting(4, true),
    event: attemptFailed,
    to: failed(4, "pending"),
    effects: ["answer-waiters", "wait 4"],
  },
  {
    name: "V2 the fifth failure is the last",
    from: connecting(5, true),
    event: attemptFailed,
    to: failed(5, "manual"),
    effects: ["answer-waiters"],
  },
  {
    name: "V2 a lost connection that had lasted starts a new series",
    from: connected(4),
    event: lost,
    to: failed(0, "pending"),
    effects: ["close", "wait 0"],
  },
  {
    name: "V2 one that had not lasted goes on with the series that made it",
    from: connected(4),
    event: { ...lost, lasted: false },
    to: failed(4, "pending"),
    effects: ["close", "wait 4"],
  },
  {
    name: "V2 a server that dies again and again at once is left alone after five attempts",
    from: connected(5),
    event: { ...lost, lasted: false },
    to: failed(5, "manual"),
    effects: ["close"],
  },
  {
    name: "V2 nothing is tried again where nothing is wanted to be",
    from: connected(),
    event: lost,
    policy: "none",
    to: failed(0, "manual"),
    effects: ["close"],
  },
  {
    name: "V2 the next attempt follows the wait",
    from: failed(2, "pending"),
    event: waited,
    to: connecting(3, true),
    effects: ["connect"],
  },
  {
    name: "V3 who comes during a wait starts the attempt now",
    from: failed(2, "pending"),
    event: wanted,
    to: connecting(3, true),
    effects: ["stop-waiting", "connect"],
  },
  {
    name: "V1 who comes after all attempts starts a new series",
    from: failed(5, "manual"),
    event: wanted,
    to: connecting(1),
    effects: ["connect"],
  },
  {
    name: "V1 a wait that was stopped starts nothing",
    from: failed(5, "manual"),
    event: waited,
    to: failed(5, "manual"),
    effects: [],
  },
  {
    name: "V1 a connection that this host ended is no failure",
    from: connected(),
    event: { type: "ended" },
    to: idle,
    effects: ["close"],
  },
  {
    name: "V5 a connection that nobody uses is closed",
    from: connected(),
    event: { type: "unused", inFlight: 0 },
    to: idle,
    effects: ["close"],
  },
  {
    name: "V5 a connection with something in flight is not",
    from: connected(),
    event: { type: "unused", inFlight: 1 },
    to: connected(),
    effects: [],
  },
  {
    name: "H3c a renewed session is another identity of the same connection",
    from: connected(2),
    event: { type: "renewed", identity: { ...IDENTITY, carrierGeneration: "g2" } },
    to: { status: "connected", identity: { ...IDENTITY, carrierGeneration: "g2" }, attempt: 2 },
    effects: [],
  },
  {
    name: "A6b letting go of a pending connect gives it up and answers",
    from: connecting(1),
    event: released,
    to: idle,
    effects: ["abort-attempt", "answer-waiters"],
  },
  {
    name: "A6b letting go of a connection closes it",
    from: connected(),
    event: released,
    to: idle,
    effects: ["close"],
  },
  {
    name: "A6b letting go of a failed server ends its wait",
    from: failed(1, "pending"),
    event: released,
    to: idle,
    effects: ["stop-waiting"],
  },
  {
    name: "V6 shutting down answers who waits",
    from: connecting(1),
    event: shutdown,
    to: closed,
    effects: ["abort-attempt", "answer-waiters"],
  },
  {
    name: "V6 shutting down closes",
    from: connected(),
    event: shutdown,
    to: closed,
    effects: ["close"],
  },
  {
    name: "V6 shutting down ends a wait",
    from: failed(0, "pending"),
    event: shutdown,
    to: closed,
    effects: ["stop-waiting"],
  },
  {
    name: "V6 a session that arrives after the shutdown is closed",
    from: closed,
    event: opened,
    to: closed,
    effects: ["close-late"],
  },
  {
    name: "V6 a session that arrives after it was let go is closed",
    from: idle,
    event: opened,
    to: idle,
    effects: ["close-late"],
  },
  { name: "V6 shutting down twice does nothing", from: closed, event: shutdown, to: closed, effects: [] },
  { name: "V6 nothing starts after the shutdown", from: closed, event: wanted, to: closed, effects: [] },
];

for (const { name, from, event, policy = "lost", ...expected } of ROWS) {
  test(name, () => {
    const { state, effects } = transition(from, event, policy);

    const told = effects.map((effect) =>
      effect.do === "wait"
        ? `wait ${effect.failures}${effect.retryAfterMs === undefined ? "" : ` after ${effect.retryAfterMs}`}`
        : effect.do,
    );
    assert.deepEqual({ to: state, effects: told }, expected);
  });
}
