import assert from "node:assert/strict";
import { getEventListeners } from "node:events";

import * as fc from "fast-check";

import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import { McpConnectionSupervisor } from "../../src/composition/flows/supervise.ts";
import type { ConnectionFailure } from "../../src/composition/flows/supervise-options.ts";
import { accept, type Outcome } from "../../src/domain/outcome.ts";
import type { JsonObject } from "../../src/domain/json-value.ts";
import type { ReconnectPolicy } from "../../src/domain/supervision/transition.ts";
import type { PeerFailure } from "../../src/ports/mcp-peer.ts";
import { FakeClock } from "./fake-clock.ts";
import { settle } from "./fake-sessions.ts";
import { DENIED, DOWN, type FakeServer, FakeOpener, fixedRandom, type Opening } from "./supervised-world.ts";

/** One failure of every class (V2), two of those that pass. */
const FAILURES: readonly ConnectionFailure[] = [
  DOWN,
  DENIED,
  {
    refusal: {
      kind: "session",
      reason: "http-status",
      serverId: "a",
      stage: "connect",
      code: 429,
      retryAfterMs: 9_000,
    },
  },
  { refusal: { kind: "auth", reason: "sign-in-required", serverId: "a" } },
  { refusal: { kind: "stdio", reason: "start", detail: "not-found" } },
  { refusal: { kind: "session", reason: "version-unsupported", serverId: "a", stage: "connect" } },
];

/** How a connection ends by itself: lost in a way that passes, or not, or by our own doing. */
const ENDS: readonly PeerFailure[] = [
  DOWN,
  { refusal: { kind: "stdio", reason: "early-exit", detail: "signalled" } },
  { refusal: { kind: "stdio", reason: "receive-invalid", detail: "junk-lines" } },
  { refusal: { kind: "stdio", reason: "cancelled", detail: "by-request" } },
];

const SERVERS = ["a", "b", "c"] as const;
const IDLE_MS = 60_000;

type Step =
  | { readonly do: "connect"; readonly server: number }
  | { readonly do: "abort"; readonly which: number }
  | { readonly do: "open"; readonly which: number }
  | { readonly do: "refuse"; readonly which: number; readonly how: number }
  | { readonly do: "fault"; readonly which: number }
  | { readonly do: "lose"; readonly which: number; readonly how: number }
  | { readonly do: "call"; readonly which: number }
  | { readonly do: "answer" }
  | { readonly do: "wait"; readonly ms: number }
  /** Some microtasks: what happens in the middle of somebody else's turn. */
  | { readonly do: "hop"; readonly count: number }
  | { readonly do: "release"; readonly server: number }
  | { readonly do: "shutdown" };

const small = fc.nat({ max: 7 });
const server = fc.nat({ max: SERVERS.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("connect" as const), server }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("abort" as const), which: small }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("open" as const), which: small }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("refuse" as const), which: small, how: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fault" as const), which: small }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("lose" as const), which: small, how: small }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("call" as const), which: small }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("answer" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 250, 5_000, IDLE_MS) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("hop" as const), count: fc.nat({ max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const), server }) },
);
const steps = fc.tuple(
  fc.array(step, { minLength: 10, maxLength: 60, size: "max" }),
  // Now and then it goes on after the end.
  fc.oneof({ weight: 3, arbitrary: fc.constant<readonly Step[]>([]) }, fc.array(step, { maxLength: 8 })),
);

interface Caller {
  readonly control: AbortController;
  answers: number;
}

/** A supervisor, the world that plays with it, and what was seen of both. */
class Model {
  readonly clock = new FakeClock();
  readonly opener: FakeOpener;
  readonly supervisor: McpConnectionSupervisor;
  readonly callers: Caller[] = [];
  readonly servers: FakeServer[] = [];
  readonly sessions: McpSession[] = [];
  readonly #settled = new Set<Opening>();
  readonly #unwatch = new Map<Opening, () => void>();
  readonly #answers: (() => void)[] = [];
  readonly #inFlight = new Map<McpSession["identity"], number>();
  readonly #letGo = new Set<string>();
  #calls = 0;
  #unanswered = 0;

  constructor(reconnect: ReconnectPolicy, concurrency: number) {
    this.opener = new FakeOpener(
      () =>
        new Promise((resolve: (answer: Outcome<JsonObject, PeerFailure>) => void) => {
          this.#answers.push(() => resolve(accept({})));
        }),
    );
    this.opener.linger = async () => {
      for (let hop = 0; hop < this.#calls % 9; hop += 1) await Promise.resolve();
    };
    this.supervisor = new McpConnectionSupervisor({
      open: (serverId, call) => {
        const opened = this.opener.opens(serverId, call);
        this.#watchAbort(this.opener.last, this.opener.openings.length);
        return opened;
      },
      clock: this.clock,
      random: fixedRandom(),
      idleMs: IDLE_MS,
      reconnect,
      concurrency,
    });
  }

  async run(one: Step): Promise<void> {
    switch (one.do) {
      case "connect":
        this.#connect(SERVERS[one.server] ?? "a");
        break;
      case "abort":
        this.callers.at(-1 - one.which)?.control.abort(new Error("left"));
        break;
      case "open":
        this.#open(this.#pending(one.which));
        break;
      case "refuse":
        this.#end(this.#pending(one.which), (opening) => opening.fail(FAILURES[one.how % FAILURES.length]));
        break;
      case "fault":
        this.#end(this.#pending(one.which), (opening) => opening.fault(new Error("disk full")));
        break;
      case "lose":
        this.#alive(one.which)?.peer.end(ENDS[one.how % ENDS.length] ?? DOWN);
        break;
      case "call":
        this.#call(this.sessions.at(-1 - one.which));
        break;
      case "answer":
        this.#answers.shift()?.();
        break;
      case "wait":
        await this.clock.advance(one.ms);
        break;
      case "hop":
        for (let count = 0; count < one.count; count += 1) await Promise.resolve();
        break;
      case "release":
        this.#letGo.add(SERVERS[one.server] ?? "a");
        await this.supervisor.release(SERVERS[one.server] ?? "a");
        this.#letGo.delete(SERVERS[one.server] ?? "a");
        break;
      case "shutdown":
        for (const serverId of SERVERS) this.#letGo.add(serverId);
        await this.supervisor.shutdown();
        break;
    }
    this.check();
  }

  /** What holds at every moment. */
  check(): void {
    assert.ok(this.opener.most <= 1, "two connections of one server");
    for (const [serverId, state] of this.supervisor.states()) {
      if (state.status !== "connected") continue;
      const mine = this.servers.some(({ session }) => session.identity === state.identity);
      assert.ok(mine, `${serverId} is connected to nothing that was opened`);
    }
  }

  /** What holds once everything is over. */
  async finish(): Promise<void> {
    await this.run({ do: "shutdown" });
    for (const answer of this.#answers.splice(0)) answer();
    await settle();
    const asked = this.servers.flatMap(({ peer }) => peer.asked.map(({ params }) => params["name"]));
    assert.equal(new Set(asked).size, asked.length, "a call was sent twice");
    assert.deepEqual(
      this.callers.map(({ answers }) => answers),
      this.callers.map(() => 1),
      "a waiter was not answered exactly once",
    );
    assert.equal(this.#unanswered, 0, "a call was never answered");
    assert.equal(this.clock.pending, 0, "a timer was left");
    assert.deepEqual(
      [...this.opener.open.values()].filter((open) => open !== 0),
      [],
      "a session was left",
    );
    const signals = [
      ...this.callers.map(({ control }) => control.signal),
      ...this.opener.openings.map((one) => one.signal),
    ];
    assert.ok(
      signals.every((signal) => getEventListeners(signal, "abort").length === 0),
      "a listener was left",
    );
  }

  #connect(serverId: string): void {
    const caller: Caller = { control: new AbortController(), answers: 0 };
    this.callers.push(caller);
    this.supervisor.connect(serverId, { signal: caller.control.signal }).then(
      (outcome) => {
        caller.answers += 1;
        if (!outcome.ok) return;
        assert.equal(outcome.value.serverId, serverId);
        this.sessions.push(outcome.value);
      },
      () => (caller.answers += 1),
    );
  }

  #open(opening: Opening | undefined): void {
    this.#end(opening, (one) => {
      const opened = one.succeed();
      this.servers.push(opened);
      const { peer, session } = opened;
      const close = peer.close.bind(peer);
      peer.close = () => {
        const allowed = peer.ended !== undefined || this.#letGo.has(one.serverId);
        const busy = this.#inFlight.get(session.identity) ?? 0;
        assert.ok(allowed || busy === 0, "closed for being idle with a call in flight");
        return close();
      };
    });
  }

  #call(session: McpSession | undefined): void {
    if (session === undefined) return;
    const { identity } = session;
    const count = (by: number): void =>
      void this.#inFlight.set(identity, (this.#inFlight.get(identity) ?? 0) + by);
    this.#unanswered += 1;
    count(1);
    void session.callTool(`call-${(this.#calls += 1)}`, {}).finally(() => {
      count(-1);
      this.#unanswered -= 1;
    });
  }

  #end(opening: Opening | undefined, how: (opening: Opening) => void): void {
    if (opening === undefined) return;
    this.#settled.add(opening);
    this.#unwatch.get(opening)?.();
    how(opening);
  }

  #pending(which: number): Opening | undefined {
    const pending = this.opener.openings.filter((opening) => !this.#settled.has(opening));
    return pending[which % Math.max(1, pending.length)];
  }

  #alive(which: number): FakeServer | undefined {
    const alive = this.servers.filter(({ peer }) => peer.ended === undefined);
    return alive[which % Math.max(1, alive.length)];
  }

  /** Whoever opens notices that it was aborted, soon: every second time too late, with a session. */
  #watchAbort(opening: Opening, index: number): void {
    const notice = async (): Promise<void> => {
      for (let hop = 0; hop < index % 5; hop += 1) await Promise.resolve();
      if (this.#settled.has(opening)) return;
      if (index % 2 === 0) this.#open(opening);
      else this.#end(opening, (one) => one.fail());
    };
    const stop = (): void => void notice();
    opening.signal.addEventListener("abort", stop, { once: true });
    this.#unwatch.set(opening, () => opening.signal.removeEventListener("abort", stop));
  }
}

/** Runs random orders of events through a supervisor, and looks for what must never happen. */
export async function checkSupervisor(numRuns: number): Promise<void> {
  const policy = fc.constantFrom<ReconnectPolicy>("lost", "all", "none");
  await fc.assert(
    fc.asyncProperty(
      steps,
      policy,
      fc.constantFrom(1, 8),
      async ([before, after], reconnect, concurrency) => {
        const model = new Model(reconnect, concurrency);
        for (const one of before) await model.run(one);
        if (after.length > 0) await model.run({ do: "shutdown" });
        for (const one of after) await model.run(one);
        await model.finish();
      },
    ),
    { numRuns },
  );
}
