import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { McpConnectionSupervisor } from "../../src/composition/flows/supervise.ts";
import {
  SUPERVISOR_DEFAULTS,
  type SupervisorOptions,
} from "../../src/composition/flows/supervise-options.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { settle } from "../kit/fake-sessions.ts";
import { DOWN, FakeOpener, fixedRandom } from "../kit/supervised-world.ts";

function world(t: TestContext, options: Partial<SupervisorOptions> = {}) {
  const clock = new FakeClock();
  const opener = new FakeOpener();
  const supervisor = new McpConnectionSupervisor({
    open: opener.opens,
    clock,
    random: fixedRandom(),
    ...options,
  });
  t.after(async () => {
    const ended = supervisor.shutdown();
    await settle();
    await clock.advance(10_000);
    await ended;
    assert.equal(clock.pending, 0, "a timer was left");
  });
  const connect = async (serverId: string, identity?: object) => {
    const answer = supervisor.connect(serverId);
    await settle();
    const server = opener.last.succeed(identity);
    const outcome = await answer;
    assert.ok(outcome.ok);
    return { ...server, session: outcome.value };
  };
  return { clock, opener, supervisor, connect };
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `s${index}`);

test("C7b the defaults are the pinned ones", () => {
  assert.deepEqual(SUPERVISOR_DEFAULTS, {
    concurrency: 8,
    idleMs: 300_000,
    attemptMs: 60_000,
    reconnect: "lost",
  });
});

for (const wrong of [
  { concurrency: 0 },
  { concurrency: 1.5 },
  { idleMs: 0 },
  { idleMs: Number.NaN },
  { idleMs: 2 ** 31 },
  { attemptMs: 0 },
  { attemptMs: Infinity },
]) {
  test(`V7 ${JSON.stringify(wrong)} (${String(Object.values(wrong)[0])}) is refused at once`, () => {
    const ports = { open: new FakeOpener().opens, clock: new FakeClock(), random: fixedRandom() };

    assert.throws(() => new McpConnectionSupervisor({ ...ports, ...wrong }), TypeError);
  });
}

test("V7 the smallest and the largest numbers are taken", () => {
  const ports = { open: new FakeOpener().opens, clock: new FakeClock(), random: fixedRandom() };
  const taken = [
    { concurrency: 1, idleMs: 1, attemptMs: 1 },
    { idleMs: 2 ** 31 - 1, attemptMs: 2 ** 31 - 1 },
    { idleMs: Infinity },
  ].map((numbers) => new McpConnectionSupervisor({ ...ports, ...numbers }));

  assert.deepEqual(
    taken.map((one) => one.states().size),
    [0, 0, 0],
  );
});

test("V7 eight servers connect side by side, and the ninth when one of them is done", async (t) => {
  const { opener, supervisor } = world(t);
  const answers = names(9).map((name) => supervisor.connect(name));
  await settle();
  assert.equal(opener.openings.length, 8);

  opener.openings[3]?.succeed();
  await settle();

  assert.deepEqual(
    opener.openings.map(({ serverId }) => serverId),
    names(9),
  );
  for (const opening of opener.openings.filter((_, index) => index !== 3)) opening.succeed();
  assert.ok((await Promise.all(answers)).every(({ ok }) => ok));
});

test("V7 a failed connect leaves its place as well", async (t) => {
  const { opener, supervisor } = world(t, { concurrency: 1 });
  void supervisor.connect("a");
  void supervisor.connect("b");
  await settle();
  assert.equal(opener.openings.length, 1);

  opener.last.fail();
  await settle();

  assert.equal(opener.last.serverId, "b");
});

test("V7 servers that hang, however many, hold up the others for five seconds and no longer", async (t) => {
  const { clock, opener, supervisor } = world(t, { concurrency: 2 });
  for (const name of ["hangs", "hangs-too"]) void supervisor.connect(name);
  const answer = supervisor.connect("well");
  await settle();
  await clock.advance(4_999);
  assert.equal(opener.openings.length, 2);

  await clock.advance(1);

  assert.equal(opener.last.serverId, "well");
  opener.last.succeed();
  assert.ok((await answer).ok);
});

test("V7 a server that hangs is told after its own deadline, and what it opens later is closed", async (t) => {
  const { clock, opener, supervisor } = world(t, { attemptMs: 20_000 });
  const answer = supervisor.connect("a");
  await settle();
  const hanging = opener.last;
  await clock.advance(19_999);
  assert.deepEqual([supervisor.state("a").status, hanging.signal.aborted], ["connecting", false]);

  await clock.advance(1);

  assert.deepEqual(await answer, {
    ok: false,
    refusal: {
      refusal: {
        kind: "session",
        reason: "timeout",
        serverId: "a",
        stage: "connect",
        ended: "timeout",
        limitMs: 20_000,
      },
    },
  });
  assert.equal(hanging.signal.aborted, true);
  const { peer } = hanging.succeed();
  await settle();
  assert.deepEqual([peer.closes, supervisor.state("a").status], [1, "failed"]);
});

test("V7 who waits for a place and is let go leaves the queue", async (t) => {
  const { opener, supervisor } = world(t, { concurrency: 1 });
  void supervisor.connect("a");
  const waiting = supervisor.connect("b");
  void supervisor.connect("c");
  await settle();

  await supervisor.release("b");
  opener.last.succeed();
  await settle();

  assert.equal((await waiting).ok, false);
  assert.deepEqual(
    opener.openings.map(({ serverId }) => serverId),
    ["a", "c"],
  );
});

test("V3 a new connection begins when the one before is gone", async (t) => {
  const { opener, supervisor, connect } = world(t);
  const { peer } = await connect("a");
  const { promise: stopped, resolve: finish } = Promise.withResolvers<void>();
  peer.close = () => stopped;
  peer.end(DOWN);

  const answer = supervisor.connect("a");
  await settle();
  assert.equal(opener.openings.length, 1, "the old child still ran");
  finish();
  await settle();

  assert.equal(opener.openings.length, 2);
  opener.last.succeed();
  assert.ok((await answer).ok);
});

test("V6 a connection that does not end is waited for ten seconds", async (t) => {
  const { clock, opener, supervisor, connect } = world(t);
  const { peer } = await connect("a");
  peer.close = () => new Promise(() => undefined);
  peer.end(DOWN);
  void supervisor.connect("a");
  await clock.advance(9_999);
  assert.equal(opener.openings.length, 1);

  await clock.advance(1);

  assert.equal(opener.openings.length, 2);
});

test("A6b what is let go is closed, answered and gone, and the next use asks again", async (t) => {
  const { opener, supervisor, connect } = world(t);
  const { peer } = await connect("a");
  const waiting = supervisor.connect("b");
  await settle();
  const opening = opener.last;

  const released = Promise.all([
    supervisor.release("a"),
    supervisor.release("b"),
    supervisor.release("never"),
  ]);
  await settle();
  const late = opening.succeed();
  await released;

  assert.deepEqual([peer.closes, late.peer.closes, opening.signal.aborted], [1, 1, true]);
  assert.equal((await waiting).ok, false);
  assert.deepEqual([supervisor.state("a"), supervisor.state("b")], [{ status: "idle" }, { status: "idle" }]);
  await connect("a");
  assert.equal(opener.openings.length, 3);
});

test("A6b a server that is let go while its retry waits is not tried again", async (t) => {
  const { clock, opener, supervisor, connect } = world(t);
  const { peer } = await connect("a");
  peer.end(DOWN);
  await settle();

  await supervisor.release("a");
  await clock.advance(3_600_000);

  assert.equal(opener.openings.length, 1);
});

test("V5 an unused connection is closed after the idle time, and the next use connects again", async (t) => {
  const { clock, supervisor, connect } = world(t, { idleMs: 60_000 });
  const { peer, session } = await connect("a");
  await clock.advance(59_999);
  assert.equal(peer.closes, 0);

  await clock.advance(1);

  assert.deepEqual([peer.closes, supervisor.state("a")], [1, { status: "idle" }]);
  assert.notEqual((await connect("a")).session, session);
});

test("V5 asking for the session counts as a use", async (t) => {
  const { clock, supervisor, connect } = world(t, { idleMs: 60_000 });
  const { peer } = await connect("a");
  await clock.advance(59_000);
  await supervisor.connect("a");
  await clock.advance(59_999);
  assert.equal(peer.closes, 0);

  await clock.advance(1);

  assert.equal(peer.closes, 1);
});

test("V5 what came back by itself is closed when the idle time since the last use is over", async (t) => {
  const { clock, opener, supervisor, connect } = world(t, { idleMs: 60_000 });
  const { peer } = await connect("a");
  await clock.advance(30_000);
  await supervisor.connect("a");
  await clock.advance(10_000);
  peer.end(DOWN);
  await settle();
  await clock.advance(250);
  const again = opener.last.succeed();
  await settle();
  assert.equal(supervisor.state("a").status, "connected");

  await clock.advance(90_000 - 40_250 - 1);
  assert.equal(again.peer.closes, 0);
  await clock.advance(1);
  assert.deepEqual([again.peer.closes, supervisor.state("a").status], [1, "idle"]);
});

test("V5 what came back because somebody asked has its whole idle time", async (t) => {
  const { clock, connect } = world(t, { idleMs: 60_000 });
  const { peer } = await connect("a");
  await clock.advance(40_000);
  peer.end(DOWN);
  const { peer: again } = await connect("a");

  await clock.advance(59_999);
  assert.equal(again.closes, 0);
  await clock.advance(1);
  assert.equal(again.closes, 1);
});

test("V5 a server that ends itself whenever it is idle is not started for ever", async (t) => {
  const { clock, opener, supervisor, connect } = world(t, { idleMs: 300_000 });
  let { peer } = await connect("a");
  // Far more often than the idle time allows for.
  for (let time = 0; time < 50; time += 1) {
    await clock.advance(60_000);
    if (supervisor.state("a").status !== "connected") break;
    peer.end(DOWN);
    await settle();
    await clock.advance(250);
    ({ peer } = opener.last.succeed());
    await settle();
  }

  assert.deepEqual([supervisor.state("a").status, opener.openings.length], ["idle", 5]);
});

test("V5 an endless idle time closes nothing, and leaves no timer", async (t) => {
  const { clock, connect } = world(t, { idleMs: Infinity });
  const { peer } = await connect("a");
  await settle();

  assert.deepEqual([clock.pending, peer.closes], [0, 0]);
});

for (const era of ["legacy", "modern"] as const) {
  test(`V5 in the ${era} era a stream of list changes ${era === "modern" ? "is" : "is not"} a subscription in flight`, async (t) => {
    const { clock, connect } = world(t, { idleMs: 60_000 });
    const { session, peer } = await connect("a", {
      era,
      protocolVersion: era === "modern" ? "2026-07-28" : "2025-11-25",
      capabilities: new Map([["tools", { listChanged: true }]]),
    });
    session.followLists();
    peer.subscriptions.at(-1)?.onAcknowledged(["tools"]);
    await settle();

    await clock.advance(60_000);

    assert.equal(peer.closes, era === "modern" ? 0 : 1);
  });
}

/** Microtasks between a session's arrival and the moment in which it is handed over, and some more. */
for (const steps of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
  test(`V6 a session that is let go ${steps} microtasks after it came is closed`, async (t) => {
    const { opener, supervisor } = world(t);
    const answer = supervisor.connect("a");
    await settle();

    const { peer } = opener.last.succeed();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    await supervisor.release("a");
    await answer;

    assert.deepEqual([peer.closes, supervisor.state("a").status], [1, "idle"]);
  });
}
