import assert from "node:assert/strict";
import { test } from "node:test";

import { createSession } from "../../src/composition/flows/session.ts";
import type { McpSession } from "../../src/composition/flows/mcp-session.ts";
import { watchUses, whenUnused } from "../../src/composition/flows/supervise-session.ts";
import { accept } from "../../src/domain/outcome.ts";
import type { SkillEntry } from "../../src/domain/skills/skill.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { FakePeer } from "../kit/fake-peer.ts";
import { fakeSessionOptions, settle } from "../kit/fake-sessions.ts";

/** A session whose server answers when the test says so. */
function held() {
  const release: (() => void)[] = [];
  const peer = new FakePeer(
    () => new Promise((resolve) => release.push(() => resolve(accept({ tools: [] })))),
  );
  const clock = new FakeClock();
  const raw = createSession(peer, fakeSessionOptions());
  return {
    ...watchUses(raw, { clock, usedMs: clock.monotonicMs() }),
    raw,
    clock,
    peer,
    answer: () => release.splice(0).forEach((one) => one()),
  };
}

const REQUESTS: Readonly<Record<string, (session: McpSession) => Promise<unknown>>> = {
  discover: (session) => session.discover(),
  callTool: (session) => session.callTool("echo", {}),
  getPrompt: (session) => session.getPrompt("greet", {}),
  readResource: (session) => session.readResource("note://one"),
};

const ENTRY: SkillEntry = {
  serverId: "s",
  carrierGeneration: "generation-1",
  uri: "skill://a/SKILL.md",
  name: "a",
  untrustedDescription: "",
  untrustedFrontmatter: {},
  untrustedRawFrontmatter: {},
  textChanges: [],
  manifest: { kind: "dynamic" },
  contentFingerprint: "0".repeat(64),
};
const ASK_SKILLS = {
  list: async (session: McpSession) => session.skills?.list(),
  get: async (session: McpSession) => session.skills?.get("skill://a/SKILL.md"),
  read: async (session: McpSession) => session.skills?.read(ENTRY, "skill://a/SKILL.md"),
};

for (const [name, ask] of Object.entries(REQUESTS)) {
  test(`V5 \`${name}\` is in flight until it is answered, and that is its last use`, async () => {
    const { session, uses, clock, answer } = held();
    const before = uses.inFlight();
    const asked = ask(session);
    const during = uses.inFlight();
    await clock.advance(5_000);

    answer();
    await asked;
    await settle();

    assert.deepEqual([before, during, uses.inFlight()], [0, 1, 0]);
    assert.equal(uses.lastMs, clock.monotonicMs());
  });
}

for (const name of ["list", "get", "read"] as const) {
  test(`V5 \`skills.${name}\` is in flight until it is answered`, async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const waits = (): Promise<never> => promise;
    const raw = createSession(new FakePeer(() => ({})), fakeSessionOptions());
    const skills = { list: waits, get: waits, read: waits };
    const { session, uses } = watchUses({ ...raw, skills }, { clock: new FakeClock(), usedMs: 0 });
    const asked = ASK_SKILLS[name](session);
    const during = uses.inFlight();

    reject(new Error("enough"));
    await assert.rejects(asked, /enough/);
    await settle();

    assert.deepEqual([during, uses.inFlight()], [1, 0]);
  });
}

test("V5 a request that is aborted is not in flight any more", async () => {
  const { session, uses } = held();
  const abort = new AbortController();
  const asked = session.readResource("note://one", { signal: abort.signal });
  abort.abort(new Error("enough"));

  await assert.rejects(asked, /enough/);
  await settle();

  assert.equal(uses.inFlight(), 0);
});

test("V5 everything else of a session is its own, what it renews included", async () => {
  const { session, raw, peer } = held();

  assert.deepEqual([session.serverId, session.carrier, session.ended], ["s", "http", undefined]);
  assert.equal(session.identity, raw.identity);
  peer.renew({ serverInfo: { name: "fake", version: "9" } });
  assert.equal(session.identity, raw.identity);
  assert.equal(session.closed, raw.closed);
  await session.close();
  assert.equal(session.ended, raw.ended);
});

test("V5 every member of a session is known here: one that asks the server has to be counted", () => {
  const { raw } = held();

  assert.deepEqual(
    Object.keys(raw)
      .filter((name) => !(name in REQUESTS))
      .toSorted(),
    [
      "carrier",
      "close",
      "closed",
      "compatibilityDiagnostics",
      "ended",
      "followLists",
      "identity",
      "listPush",
      "onListChanged",
      "onListPush",
      "onNotification",
      "onRenewed",
      "server",
      "serverId",
      "skills",
    ],
  );
});

test("V5 the idle time starts anew with the last use, to the millisecond", async () => {
  const { uses, clock } = held();
  let unused: boolean | undefined;
  const signal = new AbortController().signal;
  void whenUnused(uses, { idleMs: 1_000, clock, signal }).then((answer) => (unused = answer));
  await clock.advance(999);
  uses.touch();

  await clock.advance(999);
  assert.equal(unused, undefined);
  await clock.advance(1);
  assert.equal(unused, true);
});

test("V5 the idle time does not end while a request is in flight, and counts from its end", async () => {
  const { session, uses, clock, answer } = held();
  let unused: boolean | undefined;
  const signal = new AbortController().signal;
  void whenUnused(uses, { idleMs: 1_000, clock, signal }).then((gone) => (unused = gone));
  const call = session.callTool("echo", {});
  await clock.advance(10_500);
  answer();
  await call;
  await settle();

  await clock.advance(999);
  assert.equal(unused, undefined);
  await clock.advance(1);
  assert.equal(unused, true);
});

test("V6 watching ends with its signal and leaves no timer", async () => {
  const { uses, clock } = held();
  const control = new AbortController();
  const watching = whenUnused(uses, { idleMs: 1_000, clock, signal: control.signal });
  control.abort();

  assert.deepEqual([await watching, clock.pending], [false, 0]);
});
