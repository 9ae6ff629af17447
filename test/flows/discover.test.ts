import assert from "node:assert/strict";
import { test } from "node:test";

import { discover, type DiscoverOptions } from "../../src/composition/flows/discover.ts";
import { refuse } from "../../src/domain/outcome.ts";
import type { PeerIdentity } from "../../src/ports/mcp-peer.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { FakePeer, type Asked } from "../kit/fake-peer.ts";
import { NEVER, settle } from "../kit/fake-sessions.ts";

type Page = Readonly<Record<string, unknown>>;

const LIMITS = { pages: 50, entries: 10_000, bytes: 16 * 1024 * 1024 };
const ALL = new Map([
  ["tools", {}],
  ["prompts", {}],
  ["resources", {}],
]);

function options(clock: FakeClock, more: Partial<DiscoverOptions> = {}): DiscoverOptions {
  return {
    serverId: "s",
    clock,
    limits: LIMITS,
    timeoutMs: 100,
    maxTotalMs: 1_000,
    deadlineMs: 500,
    signal: NEVER,
    ...more,
  };
}

function listTools(
  serve: (asked: Asked) => Page | Promise<never>,
  more: Partial<DiscoverOptions> = {},
  identity: Partial<PeerIdentity> = {},
) {
  const clock = new FakeClock();
  const peer = new FakePeer(serve, identity);
  return discover(peer, options(clock, more)).then(({ tools }) => ({ tools, peer, clock }));
}

function names(items: readonly unknown[]): readonly unknown[] {
  return items.map((item) => (item as { readonly name: unknown }).name);
}

test("K1 only declared capabilities are listed", async () => {
  const peer = new FakePeer(() => ({ prompts: [{ name: "p" }] }), {
    capabilities: new Map([["prompts", {}]]),
  });

  const lists = await discover(peer, options(new FakeClock()));

  assert.deepEqual(
    peer.asked.map(({ method }) => method),
    ["prompts/list"],
  );
  assert.equal(lists.tools.declared, false);
  assert.deepEqual(lists.tools.state, { complete: true, pages: [] });
  assert.deepEqual(lists.prompts.items, [{ name: "p" }]);
});

test("K1 every declared kind is listed, templates among them", async () => {
  const peer = new FakePeer(
    ({ method }) =>
      ({
        "tools/list": { tools: [1] },
        "prompts/list": { prompts: [2] },
        "resources/list": { resources: [3] },
        "resources/templates/list": { resourceTemplates: [4] },
      })[method] ?? {},
    { capabilities: ALL },
  );

  const lists = await discover(peer, options(new FakeClock()));

  assert.deepEqual(
    [lists.tools, lists.prompts, lists.resources, lists.resourceTemplates].map(({ items }) => items),
    [[1], [2], [3], [4]],
  );
});

test("K1 a list is read to its last page, cursors going back unchanged", async () => {
  const { tools, peer, clock } = await listTools(({ params }) =>
    params["cursor"] === undefined
      ? { tools: [{ name: "a" }], nextCursor: "page 2/ä" }
      : { tools: [{ name: "b" }] },
  );

  assert.deepEqual(names(tools.items), ["a", "b"]);
  assert.deepEqual(
    peer.asked.map(({ params }) => params),
    [{}, { cursor: "page 2/ä" }],
  );
  assert.equal(tools.state.complete, true);
  assert.equal(tools.state.pages.length, 2);
  assert.equal(clock.pending, 0);
});

test("G16 K1 the empty string is a cursor like any other", async () => {
  const { tools, peer } = await listTools(({ params }) =>
    params["cursor"] === undefined ? { tools: [{ name: "a" }], nextCursor: "" } : { tools: [{ name: "b" }] },
  );

  assert.deepEqual(names(tools.items), ["a", "b"]);
  assert.deepEqual(peer.asked[1]?.params, { cursor: "" });
});

test("K1 a null cursor ends the list", async () => {
  const { tools, peer } = await listTools(() => ({ tools: [], nextCursor: null }));

  assert.equal(tools.state.complete, true);
  assert.equal(peer.asked.length, 1);
});

test("G14 K1 a cursor that never advances ends the list, and nothing of the repeated page is kept", async () => {
  const { tools, peer } = await listTools(() => ({ tools: [{ name: "t" }], nextCursor: "0" }));

  assert.deepEqual(names(tools.items), ["t"]);
  assert.equal(peer.asked.length, 2);
  assert.equal(tools.state.incompleteReason, "cursor-repeated");
  assert.equal(tools.state.complete, false);
});

test("G14 K1 cursors that go in a circle end the list", async () => {
  const next: Readonly<Record<string, string>> = { start: "a", a: "b", b: "a" };
  const { tools, peer } = await listTools(({ params }) => {
    const at = typeof params["cursor"] === "string" ? params["cursor"] : "start";
    return { tools: [{ name: at }], nextCursor: next[at] };
  });

  assert.deepEqual(names(tools.items), ["start", "a"]);
  assert.equal(peer.asked.length, 3);
  assert.equal(tools.state.incompleteReason, "cursor-repeated");
});

for (const [pages, complete] of [
  [2, true],
  [3, true],
  [4, false],
] as const) {
  test(`K1 of ${pages} pages within a bound of 3 the list is ${complete ? "complete" : "cut and says so"}`, async () => {
    const { tools, peer } = await listTools(
      ({ params }) => {
        const page = Number(params["cursor"] ?? 1);
        return { tools: [{ name: page }], ...(page < pages && { nextCursor: String(page + 1) }) };
      },
      { limits: { ...LIMITS, pages: 3 } },
    );

    assert.equal(tools.items.length, Math.min(pages, 3));
    assert.equal(peer.asked.length, Math.min(pages, 3));
    assert.equal(tools.state.incompleteReason, complete ? undefined : "list-limit");
  });
}

for (const [entries, complete] of [
  [4, true],
  [5, true],
  [6, false],
] as const) {
  test(`K1 of ${entries} entries within a bound of 5 the list is ${complete ? "complete" : "cut and says so"}`, async () => {
    const all = Array.from({ length: entries }, (_, name) => ({ name }));
    const { tools } = await listTools(
      ({ params }) =>
        params["cursor"] === undefined
          ? { tools: all.slice(0, 3), nextCursor: "x" }
          : { tools: all.slice(3) },
      { limits: { ...LIMITS, entries: 5 } },
    );

    assert.equal(tools.items.length, Math.min(entries, 5));
    assert.equal(tools.state.incompleteReason, complete ? undefined : "list-limit");
  });
}

for (const [spare, complete] of [
  [1, true],
  [0, true],
  [-1, false],
] as const) {
  test(`K1 pages within a bound of their size and ${spare} are ${complete ? "kept" : "cut and say so"}`, async () => {
    const first = { tools: ["x".repeat(20)], nextCursor: "n" };
    const second = { tools: ["y".repeat(42)] };
    const bytes = JSON.stringify(first).length + JSON.stringify(second).length + spare;
    const { tools } = await listTools(({ params }) => (params["cursor"] === undefined ? first : second), {
      limits: { ...LIMITS, bytes },
    });

    assert.equal(tools.items.length, complete ? 2 : 1);
    assert.equal(tools.state.incompleteReason, complete ? undefined : "list-limit");
  });
}

for (const page of [{}, { tools: {} }, { tools: "x" }, { tools: null }, { tools: [], nextCursor: 7 }]) {
  test(`K1 the malformed page ${JSON.stringify(page)} is typed, and what came before stays`, async () => {
    const { tools } = await listTools(({ params }) =>
      params["cursor"] === undefined ? { tools: [{ name: "a" }], nextCursor: "n" } : page,
    );

    assert.deepEqual(names(tools.items), ["a"]);
    assert.deepEqual(tools.failure, {
      refusal: { kind: "session", reason: "invalid-response", serverId: "s", stage: "list-tools" },
    });
  });
}

test("K1 malformed items are handed on raw: they are admitted one by one later", async () => {
  const items = [null, 7, { name: "good" }, []];
  const { tools } = await listTools(() => ({ tools: items }));

  assert.deepEqual(tools.items, items);
  assert.equal(tools.state.complete, true);
});

test("K1 a failing prompts list loses no tool", async () => {
  const failure = {
    refusal: {
      kind: "session",
      reason: "protocol-error",
      serverId: "s",
      stage: "list-prompts",
      code: -32_603,
    },
  } as const;
  const peer = new FakePeer(
    ({ method }) =>
      method === "prompts/list" ? refuse(failure) : { tools: [1], resources: [], resourceTemplates: [] },
    { capabilities: ALL },
  );

  const lists = await discover(peer, options(new FakeClock()));

  assert.deepEqual(lists.tools.items, [1]);
  assert.equal(lists.tools.state.complete, true);
  assert.deepEqual(lists.prompts.failure, failure);
  assert.equal(lists.prompts.state.incompleteReason, "protocol-error");
});

for (const [code, declared] of [
  [-32_601, false],
  [-32_603, true],
] as const) {
  test(`K1 resource templates answered with ${code} are ${declared ? "a failed list" : "none at all"}`, async () => {
    const peer = new FakePeer(
      ({ method, options: { stage } }) =>
        method === "resources/templates/list"
          ? refuse({ refusal: { kind: "session", reason: "protocol-error", serverId: "s", stage, code } })
          : { resources: [1] },
      { capabilities: new Map([["resources", {}]]) },
    );

    const lists = await discover(peer, options(new FakeClock()));

    assert.equal(lists.resourceTemplates.declared, declared);
    assert.equal(lists.resourceTemplates.state.complete, !declared);
  });
}

test("K1 one deadline ends all lists, and keeps what was read", async () => {
  const clock = new FakeClock();
  const peer = new FakePeer(
    ({ params }) =>
      params["cursor"] === undefined
        ? { tools: [1], prompts: [2], nextCursor: "n" }
        : new Promise<never>(() => undefined),
    {
      capabilities: new Map([
        ["tools", {}],
        ["prompts", {}],
      ]),
    },
  );
  const discovering = discover(peer, options(clock));
  await settle();

  await clock.advance(499);
  await clock.advance(1);
  const lists = await discovering;

  for (const list of [lists.tools, lists.prompts]) {
    assert.equal(list.items.length, 1);
    assert.equal(list.state.incompleteReason, "timeout");
  }
  assert.equal(clock.pending, 0);
});

test("C8 an abort of a listing rejects with its reason", async () => {
  const control = new AbortController();
  const clock = new FakeClock();
  const peer = new FakePeer(() => new Promise<never>(() => undefined), { capabilities: ALL });
  const discovering = discover(peer, options(clock, { signal: control.signal }));
  await settle();
  const reason = new Error("enough");

  control.abort(reason);

  await assert.rejects(discovering, (error) => error === reason);
  assert.equal(clock.pending, 0);
});

test("C4 each page shows its own freshness", async () => {
  const { tools, clock } = await listTools(
    ({ params }) =>
      params["cursor"] === undefined
        ? { tools: [], nextCursor: "n", ttlMs: 5, cacheScope: "public" }
        : { tools: [], ttlMs: 0, cacheScope: "private" },
    {},
    { era: "modern" },
  );

  assert.deepEqual(tools.state.pages, [
    { ttlMs: 5, cacheScope: "public", receivedAtMs: clock.nowMs() },
    { ttlMs: 0, cacheScope: "private", receivedAtMs: clock.nowMs() },
  ]);
});

for (const hint of [{}, { ttlMs: -1, cacheScope: "public" }, { ttlMs: 5, cacheScope: "all" }]) {
  test(`C3 the bad freshness hint ${JSON.stringify(hint)} refuses its page in 2026-07-28 alone`, async () => {
    const modern = await listTools(() => ({ tools: [1], ...hint }), {}, { era: "modern" });
    const legacy = await listTools(() => ({ tools: [1], ...hint }));

    assert.deepEqual(modern.tools.items, []);
    assert.equal(modern.tools.state.incompleteReason, "invalid-response");
    assert.deepEqual(legacy.tools.items, [1]);
    assert.equal(legacy.tools.state.complete, true);
  });
}
