import assert from "node:assert/strict";
import { test } from "node:test";

import { PATIENCE_MS } from "../../../src/composition/host/list-slot.ts";
import { settle } from "../../kit/fake-sessions.ts";
import { keptWorld, namesOf, stateOf, tools } from "../../kit/kept-catalogs.ts";

const CHANGE = { serverId: "s", kind: "tools" } as const;
/** Longer than the interval between two readings. */
const LATER_MS = 5_000;

test("V4 an announced list is read again in the background, and told once when it is another one", async () => {
  const world = keptWorld();
  const session = world.open();
  await world.read(session);
  await world.clock.advance(LATER_MS);

  world.served = tools("a", "b");
  await world.announce();

  assert.deepEqual([world.asked(), world.changes], [2, [CHANGE]]);
  const listed = await world.read(session);
  assert.deepEqual([namesOf(listed), stateOf(listed)?.stale, world.asked()], [["a", "b"], undefined, 2]);
});

test("V4 a list that says the same in another order is not told, and its objects stay", async () => {
  const world = keptWorld();
  world.served = tools("a", "b");
  const session = world.open();
  const before = await world.read(session);
  await world.clock.advance(LATER_MS);

  world.served = tools("b", "a");
  await world.announce();

  const after = await world.read(session);
  assert.equal(world.asked(), 2);
  assert.deepEqual(world.changes, []);
  assert.equal(after.catalog, before.catalog);
});

test("V4 a list is stale from the moment it is announced, and who comes then waits for the new one", async () => {
  const world = keptWorld();
  const session = world.open();
  await world.read(session);
  await world.clock.advance(500);
  world.served = tools("b");
  await world.announce();
  assert.equal(world.asked(), 1);

  const reading = world.read(session);
  await settle();
  await world.clock.advance(500);

  assert.deepEqual(namesOf(await reading), ["b"]);
  assert.equal(world.asked(), 2);
});

test("V4 a server that is slow to list again holds nobody for longer than the patience, and the old list says so", async () => {
  const world = keptWorld();
  const session = world.open();
  await world.read(session);
  await world.clock.advance(LATER_MS);
  world.served = "never";
  await world.announce();
  let done = false;
  const reading = world.read(session).finally(() => (done = true));

  await world.clock.advance(PATIENCE_MS - 1);
  assert.equal(done, false);
  await world.clock.advance(1);

  const listed = await reading;
  assert.deepEqual(namesOf(listed), ["a"]);
  assert.deepEqual(stateOf(listed)?.stale, { reason: "list-changed", ageMs: PATIENCE_MS });
});

test("V4 a failed refresh keeps the old list with reason and age, and the next use reads it again", async () => {
  const world = keptWorld();
  const session = world.open();
  await world.read(session);
  await world.clock.advance(LATER_MS);
  world.served = "broken";
  await world.announce();
  await world.clock.advance(3_000);

  world.served = tools("b");
  const stale = await world.read(session);
  await settle();
  const fresh = await world.read(session);

  assert.deepEqual(namesOf(stale), ["a"]);
  assert.deepEqual(stateOf(stale)?.stale, {
    reason: "refresh-failed",
    ageMs: 3_000,
    failure: "invalid-response",
  });
  assert.equal(stateOf(stale)?.complete, true);
  assert.deepEqual([namesOf(fresh), stateOf(fresh)?.stale], [["b"], undefined]);
  assert.deepEqual(world.changes, [CHANGE]);
});

test("V4 a server that announces with each answer is read ten times a minute, is said to be noisy, and holds nobody", async () => {
  const world = keptWorld();
  const session = world.open();
  await world.read(session);
  for (let second = 0; second < 59; second += 1) {
    await world.announce();
    await world.clock.advance(1_000);
  }

  await world.announce();
  const listed = await world.read(session);

  assert.equal(world.asked(), 10);
  assert.equal(stateOf(listed)?.stale?.reason, "noisy");
  assert.deepEqual(world.changes, []);
});

test("C5 H3c a renewed session drops what was kept, and its lists are read again without anybody asking", async () => {
  const world = keptWorld();
  const session = world.open();
  const before = await world.read(session);
  world.served = tools("b");

  world.peer.renew({ serverInfo: { name: "fake", version: "2.0.0" } });
  await settle();

  assert.deepEqual([world.asked(), world.changes], [2, [CHANGE]]);
  const after = await world.read(session);
  assert.deepEqual(namesOf(after), ["b"]);
  assert.notDeepEqual(before.state, after.state);
});

test("C5 a renewed session whose lists say the same tells nobody, and its objects are new", async () => {
  const world = keptWorld();
  const session = world.open();
  const before = await world.read(session);

  world.peer.renew({});
  await settle();

  const after = await world.read(session);
  assert.deepEqual([world.asked(), world.changes], [2, []]);
  assert.notEqual(after.catalog, before.catalog);
});

test("V4 what a reconnected server changed while nobody listened is told with its first list", async () => {
  const world = keptWorld();
  await world.read(world.open());
  const next = keptWorldOf(world);
  world.served = tools("a", "c");
  await world.peer.close();
  await settle();

  await world.read(next);
  await settle();

  assert.deepEqual(world.changes, [CHANGE]);
});

test("V6 a session that ended leaves no timer, and an announcement after that reads nothing", async () => {
  const world = keptWorld();
  const session = world.open();
  await world.read(session);
  await world.announce();
  await world.peer.close();
  await settle();

  await world.clock.advance(3_600_000);
  await world.announce();

  assert.deepEqual([world.asked(), world.clock.pending, world.changes], [1, 0, []]);
});

test("V4 after a gap in what the server could announce the list is stale, and its next use reads it again", async () => {
  const world = keptWorld();
  const session = world.open();
  await world.read(session);
  world.peer.setPush("waiting");
  world.peer.setPush("open");
  await world.clock.advance(LATER_MS);
  assert.equal(world.asked(), 1);

  world.served = tools("b");
  const stale = await world.read(session);
  await settle();

  assert.deepEqual(stateOf(stale)?.stale, { reason: "push-gap", ageMs: LATER_MS });
  assert.deepEqual(namesOf(await world.read(session)), ["b"]);
  assert.equal(world.asked(), 2);
});

test("V4 a host that does not follow its lists minds no gap, and subscribes to nothing", async () => {
  const world = keptWorld({ follow: false });
  world.peer.identity = { ...world.peer.identity, era: "modern", protocolVersion: "2026-07-28" };
  world.served = { ...tools("a"), ttlMs: 60_000, cacheScope: "private" };
  const session = world.open();

  const listed = await world.read(session);

  assert.equal(world.peer.subscriptions.length, 0);
  assert.equal(listed.state.state === "connected" && listed.state.push, "off");
});

test("C4 a list is aged when the shortest of its pages is, and its next use reads it again", async () => {
  const world = keptWorld();
  world.served = { ...tools("a"), ttlMs: 90_000, cacheScope: "private" };
  const session = world.open();
  await world.read(session);

  await world.clock.advance(89_999);
  const good = await world.read(session);
  await world.clock.advance(1);
  const aged = await world.read(session);
  await settle();

  assert.equal(stateOf(good)?.stale, undefined);
  assert.deepEqual(stateOf(aged)?.stale, { reason: "aged", ageMs: 0 });
  assert.equal(world.asked(), 2);
  assert.equal(stateOf(await world.read(session))?.stale, undefined);
});

test("K1 kinds that were not read yet are read together, those that were are not", async () => {
  const world = keptWorld();
  const session = world.open();
  await world.read(session);

  const all = await world.read(session, ["tools", "prompts", "resources"]);
  const again = await world.read(session, ["tools", "prompts", "resources"]);

  assert.deepEqual(
    world.peer.asked.map(({ method }) => method),
    ["tools/list", "prompts/list"],
  );
  assert.equal(again.catalog, all.catalog);
});

test("A7 tools that are judged anew are read anew, and what is judged otherwise is told", async () => {
  let held = true;
  const world = keptWorld({
    guard: async (_, { catalog }) => ({
      catalog: held ? { ...catalog, tools: [] } : catalog,
      held: new Map(),
      changes: [],
    }),
  });
  const session = world.open();
  assert.deepEqual(namesOf(await world.read(session)), []);

  held = false;
  world.reader.forget("s");

  assert.deepEqual(namesOf(await world.read(session)), ["a"]);
  await settle();
  assert.deepEqual(world.changes, [CHANGE]);
});

/** Another connection of the same server, as a host makes one after the first has ended. */
function keptWorldOf(world: ReturnType<typeof keptWorld>): ReturnType<typeof world.open> {
  const other = keptWorld();
  Object.defineProperty(other, "served", { get: () => world.served });
  return other.open();
}
