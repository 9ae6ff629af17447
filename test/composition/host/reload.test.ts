/** Decisions that are made while everything is read again. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import type { ApprovalStore } from "../../../src/ports/approval-store.ts";
import { valueOf } from "../../kit/activation.ts";
import { approveAll, hostFolders, hostIn } from "../../kit/hosts.ts";
import { createMemoryApprovalStore } from "../../kit/memory-approval-store.ts";

interface World {
  readonly host: McpHost;
  /** Held back: what the next load had read by then comes when this is called. */
  readonly slowLoad: () => { readonly read: Promise<void>; readonly release: () => void };
  readonly loads: () => number;
}

async function world(t: TestContext): Promise<World> {
  const kept = createMemoryApprovalStore();
  let slow: { readonly started: () => void; readonly over: Promise<void> } | undefined;
  let loads = 0;
  const approvals: ApprovalStore = {
    ...kept,
    load: async (options) => {
      loads += 1;
      const loaded = await kept.load(options);
      const held = slow;
      slow = undefined;
      held?.started();
      await held?.over;
      return loaded;
    },
  };
  const host = await hostIn(t, await hostFolders(t, { s: { url: "https://a.example/mcp" } }), {
    parts: { approvals },
  });
  return {
    host,
    loads: () => loads,
    slowLoad: () => {
      const read = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      slow = { started: read.resolve, over: over.promise };
      return { read: read.promise, release: over.resolve };
    },
  };
}

const statusOf = (host: McpHost): string | undefined => host.server("s")?.approval?.status;

test("A3 A6b a reload that had read the records before undoes no revocation", async (t) => {
  const { host, slowLoad } = await world(t);
  await approveAll(host, "s");
  const { read, release } = slowLoad();
  const reloading = host.reload();
  await read;

  valueOf(await host.revoke("s"));
  release();
  await reloading;

  assert.equal(statusOf(host), "revoked");
});

test("A3 a reload that had read the records before undoes no approval", async (t) => {
  const { host, slowLoad } = await world(t);
  valueOf(await host.setTrusted(true));
  const { read, release } = slowLoad();
  const reloading = host.reload();
  await read;

  valueOf(await host.approve("s"));
  release();
  await reloading;

  assert.equal(statusOf(host), "approved");
});

test("A3 a reload during which nothing was decided reads once, and several at a time end", async (t) => {
  const { host, loads } = await world(t);
  const before = loads();
  await host.reload();
  assert.equal(loads() - before, 1);

  await Promise.all([host.reload(), host.reload(), host.reload()]);

  assert.equal(statusOf(host), "untrusted");
});
