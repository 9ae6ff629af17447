import assert from "node:assert/strict";
import { test } from "node:test";

import { createSession } from "../../../src/composition/flows/session.ts";
import { createCatalogReader } from "../../../src/composition/host/catalog-reader.ts";
import type { Connections } from "../../../src/composition/host/connections.ts";
import { readHostCatalog } from "../../../src/composition/host/host-catalog.ts";
import type { HostCatalog } from "../../../src/composition/host/host-catalog.ts";
import { REFRESH_LIMITS } from "../../../src/domain/freshness/limits.ts";
import { accept } from "../../../src/domain/outcome.ts";
import type { FakeCarrier, SentMessage } from "../../kit/fake-carrier.ts";
import { connectedFake, fakeSessionOptions, NEVER, settle } from "../../kit/fake-sessions.ts";

interface ReaderWorld {
  readonly carrier: FakeCarrier;
  /** How often the host asked for its one connection. */
  readonly connects: () => number;
  read(signal?: AbortSignal): Promise<HostCatalog>;
}

/** One connected server whose tools are listed through one reader. */
async function readerWorld(
  serve: (message: SentMessage, carrier: FakeCarrier) => void,
): Promise<ReaderWorld> {
  const { peer, carrier, clock } = await connectedFake("legacy", serve, { perRequest: true });
  const session = createSession(peer, fakeSessionOptions({ clock }));
  const reader = createCatalogReader({ clock, limits: REFRESH_LIMITS, follow: false });
  let connects = 0;
  const connections: Connections = {
    connect: async () => {
      connects += 1;
      return accept(session);
    },
    closeUnapproved: async () => {},
    close: async () => {},
  };
  return {
    carrier,
    connects: () => connects,
    read: (signal = NEVER) =>
      readHostCatalog(
        {
          names: ["s"],
          kinds: ["tools"],
          filterOf: () => ({ allow: undefined, deny: [] }),
          signal,
        },
        connections,
        reader,
      ),
  };
}

function toolsOf({ servers }: HostCatalog): unknown {
  const [server] = servers;
  return server?.state === "connected" ? server.lists.tools.complete : server;
}

test("V3 a caller that leaves a shared listing does not take it from the others", async () => {
  const leaving = new AbortController();
  const asked: (() => void)[] = [];
  const world = await readerWorld(({ id }, carrier) => {
    asked.push(() => carrier.result(id, { tools: [{ name: "a", inputSchema: { type: "object" } }] }));
  });
  const first = world.read(leaving.signal);
  const second = world.read();
  await settle();

  leaving.abort("enough");
  await assert.rejects(first, (reason) => reason === "enough");
  for (const answer of asked) answer();

  assert.deepEqual([...(await second).tools.keys()], ["s__a"]);
  assert.equal(asked.length, 1);
});

test("K1 a list that failed is asked for again, and one that was read is not", async () => {
  let asked = 0;
  const world = await readerWorld(({ id }, carrier) => {
    asked += 1;
    if (asked === 1) carrier.result(id, { tools: "none" });
    else carrier.result(id, { tools: [] });
  });

  assert.equal(toolsOf(await world.read()), false);
  assert.equal(toolsOf(await world.read()), true);
  assert.equal(toolsOf(await world.read()), true);
  assert.equal(asked, 2);
});

test("K1 a list that has no end is read once, not again for every call", async () => {
  let asked = 0;
  const world = await readerWorld(({ id }, carrier) => {
    asked += 1;
    carrier.result(id, { tools: [], nextCursor: "again" });
  });

  assert.equal(toolsOf(await world.read()), false);
  assert.equal(toolsOf(await world.read()), false);
  assert.equal(asked, 2);
});

test("V3 a caller that aborted before it asked connects nothing", async () => {
  const world = await readerWorld(() => {});

  await assert.rejects(world.read(AbortSignal.abort("before")), (reason) => reason === "before");

  assert.equal(world.connects(), 0);
});
