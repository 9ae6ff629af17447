import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import { McpConnectionSupervisor } from "../../src/composition/flows/supervise.ts";
import type { ConnectionFailure, SupervisorOptions } from "../../src/composition/flows/supervise-options.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { settle } from "../kit/fake-sessions.ts";
import { DENIED, DOWN, FakeOpener, fixedRandom } from "../kit/supervised-world.ts";

interface World {
  readonly supervisor: McpConnectionSupervisor;
  readonly opener: FakeOpener;
  readonly clock: FakeClock;
}

/** A supervisor over servers that a test plays; it closes idle connections after 60 s. */
function world(t: TestContext, options: Partial<SupervisorOptions> = {}): World {
  const clock = new FakeClock();
  const opener = new FakeOpener();
  const supervisor = new McpConnectionSupervisor({
    open: opener.opens,
    clock,
    random: fixedRandom(),
    idleMs: 60_000,
    ...options,
  });
  t.after(async () => {
    const ended = supervisor.shutdown();
    // Whatever a test left hanging is waited for no longer than its bound.
    await settle();
    await clock.advance(10_000);
    await ended;
    assert.equal(clock.pending, 0, "a timer was left");
  });
  return { supervisor, opener, clock };
}

function sessionOf(outcome: Outcome<McpSession, ConnectionFailure>): McpSession {
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}

const CLOSED = { ok: false, refusal: { refusal: closedRefusal("a") } };

function closedRefusal(serverId: string): object {
  return { kind: "session", reason: "closed", serverId, stage: "connect" };
}

/** Connects one server, and answers its session and the server behind it. */
async function connected({ supervisor, opener }: World, serverId = "a") {
  const answer = supervisor.connect(serverId);
  await settle();
  const server = opener.last.succeed();
  return { peer: server.peer, raw: server.session, session: sessionOf(await answer) };
}

test("V1 nothing is opened before somebody asks, and the states follow a connection's life", async (t) => {
  const { supervisor, opener } = world(t);
  const seen: string[] = [];
  supervisor.onChange((serverId, { status }) => seen.push(`${serverId} ${status}`));
  assert.deepEqual([supervisor.state("a"), opener.openings.length], [{ status: "idle" }, 0]);

  const answer = supervisor.connect("a");
  assert.deepEqual(supervisor.state("a"), { status: "connecting", attempt: 1, recovering: false });
  await settle();
  const { session, peer } = opener.last.succeed();
  const given = sessionOf(await answer);
  assert.deepEqual(supervisor.state("a"), { status: "connected", identity: session.identity, attempt: 1 });
  peer.renew({ serverInfo: { name: "fake", version: "2" } });
  assert.deepEqual(supervisor.states().get("a"), {
    status: "connected",
    identity: session.identity,
    attempt: 1,
  });
  await given.close();
  await settle();

  assert.deepEqual(supervisor.state("a"), { status: "idle" });
  assert.deepEqual(seen, ["a connecting", "a connected", "a connected", "a idle"]);
});

test("V1 every listener hears the changes in their order, those that a listener makes too, and none after it left", async (t) => {
  const { supervisor, opener } = world(t);
  const seen: string[] = [];
  supervisor.onChange((_, { status }) => {
    if (status === "connecting" && seen.length === 0) void supervisor.release("a");
    throw new Error("a listener's own fault");
  });
  const stop = supervisor.onChange((_, { status }) => seen.push(status));

  const answer = await supervisor.connect("a");
  stop();
  void supervisor.connect("a");
  await settle();
  opener.last.fail();

  assert.deepEqual([seen, answer.ok], [["connecting", "idle"], false]);
});

test("V3 callers during a pending connect share it, and those after it get the same session", async (t) => {
  const { supervisor, opener } = world(t);

  const answers = [supervisor.connect("a"), supervisor.connect("a")];
  await settle();
  answers.push(supervisor.connect("a"));
  opener.last.succeed();
  const [first, ...others] = (await Promise.all(answers)).map(sessionOf);
  const later = sessionOf(await supervisor.connect("a"));

  assert.ok([...others, later].every((session) => session === first));
  assert.equal(opener.openings.length, 1);
});

test("V3 a caller that aborts leaves alone, with its own reason, and the connect goes on", async (t) => {
  const { supervisor, opener } = world(t);
  const leaving = new AbortController();
  const reason = new Error("had enough");

  const one = supervisor.connect("a", { signal: leaving.signal });
  const other = supervisor.connect("a");
  await settle();
  leaving.abort(reason);
  await assert.rejects(one, reason);
  opener.last.succeed();

  assert.ok((await other).ok);
  assert.equal(opener.last.signal.aborted, false);
});

test("V3 a caller whose signal was aborted before starts nothing", async (t) => {
  const { supervisor, opener } = world(t);
  const reason = new Error("too late");

  await assert.rejects(supervisor.connect("a", { signal: AbortSignal.abort(reason) }), reason);
  await settle();

  assert.deepEqual([opener.openings.length, supervisor.state("a").status], [0, "idle"]);
});

test("V2 a caller is told of a failure at once, and the next one gets an attempt of its own", async (t) => {
  const { supervisor, opener, clock } = world(t);
  const first = supervisor.connect("a");
  await settle();
  opener.last.fail();

  assert.deepEqual(await first, { ok: false, refusal: DOWN });
  assert.deepEqual(supervisor.state("a"), {
    status: "failed",
    class: "transient",
    reason: "unreachable",
    attempt: 1,
    retry: "manual",
    recovering: false,
  });
  await clock.advance(3_600_000);
  assert.equal(opener.openings.length, 1, "what never was there is not tried again by itself");
  const second = supervisor.connect("a");
  await settle();
  opener.last.succeed();
  assert.ok((await second).ok);
  assert.equal(opener.openings.length, 2);
});

test("V2 what `open` throws is told to who waits, and is no reason to try again", async (t) => {
  const { supervisor, opener, clock } = world(t, { reconnect: "all" });
  const fault = new Error("disk full");
  const answer = supervisor.connect("a");
  await settle();
  opener.last.fault(fault);

  await assert.rejects(answer, fault);
  await clock.advance(3_600_000);
  assert.equal(opener.openings.length, 1);
  const { status, ...state } = { class: undefined, ...supervisor.state("a") };
  assert.deepEqual([status, state.class], ["failed", "config"]);
});

test("V2 a lost connection comes back by itself, after waits that double, and five attempts at most", async (t) => {
  const { supervisor, opener, clock } = world(t);
  const { peer } = await connected({ supervisor, opener, clock });
  await clock.advance(30_000);
  peer.end(DOWN);
  await settle();

  // Half of each window: chance is fixed.
  for (const [attempt, waitMs] of [250, 250, 500, 1_000, 2_000].entries()) {
    await clock.advance(waitMs - 1);
    assert.equal(opener.openings.length, attempt + 1, `attempt ${attempt + 1} came too early`);
    await clock.advance(1);
    assert.equal(opener.openings.length, attempt + 2, `attempt ${attempt + 1} did not come`);
    opener.last.fail();
    await settle();
  }
  await clock.advance(3_600_000);

  assert.equal(opener.openings.length, 6);
  assert.deepEqual(supervisor.state("a"), {
    status: "failed",
    class: "transient",
    reason: "unreachable",
    attempt: 5,
    retry: "manual",
    recovering: true,
  });
});

test("V2 a retry waits for as long as the server asked", async (t) => {
  const busy: ConnectionFailure = {
    refusal: {
      kind: "session",
      reason: "http-status",
      serverId: "a",
      stage: "connect",
      code: 503,
      retryAfterMs: 7_000,
    },
  };
  const { supervisor, opener, clock } = world(t, { reconnect: "all", random: fixedRandom(0) });
  const answer = supervisor.connect("a");
  await settle();
  opener.last.fail(busy);
  assert.deepEqual(await answer, { ok: false, refusal: busy });

  await clock.advance(6_999);
  assert.equal(opener.openings.length, 1);
  await clock.advance(1);
  assert.equal(opener.openings.length, 2);
});

for (const [livedMs, attempt] of [
  [29_999, 1],
  [30_000, 0],
] as const) {
  test(`V2 a connection that lived ${livedMs} ms is lost with attempt ${attempt}`, async (t) => {
    const { supervisor, opener, clock } = world(t);
    const { peer } = await connected({ supervisor, opener, clock });
    await clock.advance(livedMs);
    peer.end(DOWN);
    await settle();

    const state = supervisor.state("a");
    assert.deepEqual([state.status, state.status === "failed" && state.attempt], ["failed", attempt]);
  });
}

test("V2 a policy refusal is never tried again, not even of what was lost", async (t) => {
  const { supervisor, opener, clock } = world(t);
  const { peer } = await connected({ supervisor, opener, clock });
  peer.end(DOWN);
  await settle();
  await clock.advance(500);
  opener.last.fail(DENIED);
  await settle();
  await clock.advance(3_600_000);

  assert.equal(opener.openings.length, 2);
  const state = supervisor.state("a");
  assert.deepEqual([state.status, state.status === "failed" && state.reason], ["failed", "own-rule"]);
});

test("V3 who comes while a retry waits starts it now, and shares it", async (t) => {
  const { supervisor, opener, clock } = world(t);
  const { peer } = await connected({ supervisor, opener, clock });
  peer.end(DOWN);
  await settle();
  assert.equal(clock.pending, 1);

  const answers = [supervisor.connect("a"), supervisor.connect("a")];
  await settle();
  assert.equal(opener.openings.length, 2);
  const { session: raw } = opener.last.succeed();
  const [one, other] = (await Promise.all(answers)).map(sessionOf);
  await clock.advance(30_000);

  assert.equal(one, other);
  assert.equal(one?.identity, raw.identity);
  assert.equal(opener.openings.length, 2, "the timer of the retry still ran");
});

test("V3 a call that a lost connection cut is not repeated", async (t) => {
  const { supervisor, opener, clock } = world(t);
  const { session, peer } = await connected({ supervisor, opener, clock });
  const call = session.callTool("send-money", {});
  await call;
  peer.end(DOWN);
  await settle();
  await clock.advance(500);
  const again = opener.last.succeed();
  await settle();

  assert.deepEqual(
    peer.asked.map(({ method }) => method),
    ["tools/call"],
  );
  assert.deepEqual(again.peer.asked, []);
});

test("V1 an ended connection is not handed out, even before it has told", async (t) => {
  const { supervisor, opener, clock } = world(t);
  const { peer, session } = await connected({ supervisor, opener, clock });
  // Known already, while `closed` has not settled: what a caller sees whose call has just failed.
  peer.ended = DOWN;

  const answer = supervisor.connect("a");
  await settle();
  opener.last.succeed();

  assert.notEqual(sessionOf(await answer), session);
  assert.equal(opener.openings.length, 2);
});

test("V1 a session that ended while it was opened is a failure", async (t) => {
  const { supervisor, opener } = world(t);
  const answer = supervisor.connect("a");
  await settle();
  opener.last.succeed().peer.end(DOWN);

  assert.deepEqual(await answer, { ok: false, refusal: DOWN });
  assert.equal(supervisor.state("a").status, "failed");
});

test("V6 shutting down tells who waits, gives up what is under way and closes what comes late", async (t) => {
  const { supervisor, opener, clock } = world(t);
  const { peer } = await connected({ supervisor, opener, clock }, "b");
  const waiting = [supervisor.connect("a"), supervisor.connect("a")];
  await settle();
  const opening = opener.last;

  const ended = supervisor.shutdown();

  assert.deepEqual(await Promise.all(waiting), [CLOSED, CLOSED]);
  assert.equal(opening.signal.aborted, true);
  assert.equal(peer.closes, 1);
  const late = opening.succeed();
  await ended;
  assert.equal(late.peer.closes, 1);
  assert.equal(supervisor.state("b").status, "closed");
  assert.deepEqual(await supervisor.connect("a"), CLOSED);
  assert.equal(opener.openings.length, 2);
});

test("V6 shutting down is idempotent, and does not wait for what never ends", async (t) => {
  const { supervisor, clock } = world(t, { open: () => new Promise(() => undefined) });
  void supervisor.connect("a");
  await settle();
  const ended = supervisor.shutdown();
  assert.equal(supervisor.shutdown(), ended);
  let isOver = false;
  void ended.then(() => (isOver = true));

  await clock.advance(9_999);
  assert.equal(isOver, false);
  await clock.advance(1);
  assert.equal(isOver, true);
  assert.equal(clock.pending, 0);
});

test("V6 a pending retry ends with the shutdown", async (t) => {
  const { supervisor, opener, clock } = world(t);
  const { peer } = await connected({ supervisor, opener, clock });
  peer.end(DOWN);
  await settle();
  await supervisor.shutdown();
  assert.equal(clock.pending, 0);

  await clock.advance(60_000);
  assert.equal(opener.openings.length, 1);
});

test("V6 a supervisor ends with its scope", async () => {
  const clock = new FakeClock();
  const opener = new FakeOpener();
  const inner = async (): Promise<McpConnectionSupervisor> => {
    await using supervisor = new McpConnectionSupervisor({
      open: opener.opens,
      clock,
      random: fixedRandom(),
    });
    const answer = supervisor.connect("a");
    await settle();
    opener.last.succeed();
    await answer;
    return supervisor;
  };

  const supervisor = await inner();

  assert.deepEqual([supervisor.state("a").status, clock.pending, opener.open.get("a")], ["closed", 0, 0]);
});
