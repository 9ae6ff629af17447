import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { CatalogChange } from "../../../src/composition/host/catalog-reader.ts";
import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import {
  CHANGING_KINDS,
  changingHost,
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
