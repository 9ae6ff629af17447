import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createMcpHost } from "../../../src/composition/host/create-mcp-host.ts";
import type { CatalogChange } from "../../../src/composition/host/catalog-reader.ts";
import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import { approve } from "../../../src/composition/cli/approve.ts";
import { call } from "../../../src/composition/cli/call.ts";
import { tools } from "../../../src/composition/cli/catalog.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import { valueOf } from "../../kit/activation.ts";
import { runInside } from "../../kit/commands.ts";
import { hostFolders } from "../../kit/hosts.ts";
import { startScriptedServer } from "../../kit/http-mcp-server.ts";
import { agree, isListen, modernScript } from "../../kit/modern-script.ts";
import {
  CHANGING_KINDS,
  changingHost,
  pushed,
  pushedSession,
  startChanging,
  SWAPPED,
  type ChangingKind,
} from "../../kit/changing-servers.ts";
import type { McpHostOptions } from "../../../src/composition/host/host-options.ts";

interface Swapped {
  readonly host: McpHost;
  readonly changes: readonly CatalogChange[];
}

/** A host that has read a catalog, whose server then swapped a description and announced it. */
async function swapped(t: TestContext, kind: ChangingKind, options: McpHostOptions = {}): Promise<Swapped> {
  const server = await startChanging(t, kind);
  const host = await changingHost(t, server.entry, { ...options, era: kind.era });
  const changes: CatalogChange[] = [];
  const told = new Promise<void>((resolve) => {
    host.onCatalogChanged((change) => {
      changes.push(change);
      resolve();
    });
  });
  await host.catalog();
  await pushedSession(host);
  await server.swap(host);
  await told;
  return { host, changes };
}

function descriptionOf(catalog: Awaited<ReturnType<McpHost["catalog"]>>): string | undefined {
  return catalog.tools.get("s__mail")?.description;
}

for (const kind of CHANGING_KINDS) {
  const where = `${kind.era}, ${kind.carrier}`;

  test(`V4 A7 fault H10 under report a description that is swapped after approval is there at once and told (${where})`, async (t) => {
    const { host, changes } = await swapped(t, kind);

    const catalog = await host.catalog();
    const answer = await host.call("s__mail", {});

    assert.equal(descriptionOf(catalog), SWAPPED);
    assert.deepEqual(
      catalog.changes.map(({ name, change }) => [name, change]),
      [["mail", "changed"]],
    );
    assert.equal(answer.ok && answer.value.change, "changed");
    assert.deepEqual(changes, [{ serverId: "s", kind: "tools" }]);
  });

  test(`V4 A7 fault H10 under hold a description that is swapped after approval holds that tool and no other (${where})`, async (t) => {
    const { host } = await swapped(t, kind, { pins: "hold" });

    const mail = await host.call("s__mail", {});
    const echo = await host.call("s__echo", {});

    assert.deepEqual(!mail.ok && mail.refusal.refusal, {
      kind: "call",
      reason: "tool-held",
      hold: "definition-changed",
    });
    assert.equal(echo.ok, true);
    assert.equal((await host.catalog()).tools.has("s__mail"), false);
  });
}

for (const follow of [true, false]) {
  test(`V4 a host ${follow ? "subscribes once a catalog is read, and not before" : "that does not follow lists subscribes to nothing"}`, async (t) => {
    const server = await startScriptedServer(t, modernScript(agree));
    const host = await changingHost(t, { url: server.url }, { era: "modern", lists: { follow } });
    const session = valueOf(await host.connect("s"));
    assert.equal(server.requests.filter(isListen).length, 0);

    const { servers } = await host.catalog();
    if (follow) await pushed(session, "open");
    await host.catalog();

    const [state] = servers;
    assert.equal(server.requests.filter(isListen).length, follow ? 1 : 0);
    assert.equal(follow || (state?.state === "connected" && state.push === "off"), true);
  });
}

test("V4 a command that ends with its answer subscribes to nothing", async (t) => {
  const server = await startScriptedServer(t, modernScript(agree));
  const folders = await hostFolders(t, { s: { url: server.url, protocolVersion: "2026-07-28" } });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "s", "--yes"]);

  const listed = await runInside(tools, folders, ["tools"]);
  const called = await runInside(call, folders, ["call", "s__t"]);

  assert.deepEqual([listed.code, called.code], [0, 0]);
  assert.equal(server.requests.filter(isListen).length, 0);
});

test("V4 what removes a listener keeps it from being told, and one that throws keeps no other", async (t) => {
  const server = await startChanging(t, { era: "legacy", carrier: "http" });
  const host = await changingHost(t, server.entry, { era: "legacy" });
  const told: string[] = [];
  const remove = host.onCatalogChanged(() => void told.push("removed"));
  host.onCatalogChanged(() => {
    throw new Error("mine");
  });
  const last = new Promise<void>((resolve) => void host.onCatalogChanged(() => resolve()));
  remove();
  await host.catalog();
  await pushedSession(host);

  await server.swap(host);
  await last;

  assert.deepEqual(told, []);
});

test("V4 a host with limits that bound nothing is not made", async (t) => {
  const folders = await hostFolders(t, {});

  await assert.rejects(createMcpHost({ ...folders, lists: { perMinute: 0 } }), { code: "refresh-limits" });
});
