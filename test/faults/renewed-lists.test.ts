/** A session that a server forgot: what it listed before may be gone. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CatalogChange } from "../../src/composition/host/catalog-reader.ts";
import { changingHost } from "../kit/changing-servers.ts";
import { legacyScript, sendJson, sendStatus, startScriptedServer } from "../kit/http-mcp-server.ts";

test("H3c C5 V4 fault H1 after a renewed session the lists are read again by themselves, and a change is told", async (t) => {
  let alive = "one";
  const server = await startScriptedServer(
    t,
    legacyScript({
      sessions: ["one", "two"],
      script: ({ headers, body }, response) => {
        if (headers["mcp-session-id"] !== alive) return sendStatus(response, 404);
        const tools = [{ name: alive, inputSchema: { type: "object" } }];
        const result = body?.method === "tools/list" ? { tools } : { content: [] };
        return sendJson(response, { jsonrpc: "2.0", id: body?.id, result });
      },
    }),
  );
  const host = await changingHost(t, { url: server.url }, { era: "legacy" });
  const before = await host.catalog({ kinds: ["tools"] });
  const told = new Promise<CatalogChange>((resolve) => void host.onCatalogChanged(resolve));

  alive = "two";
  const met = await host.call("s__one", {});
  const change = await told;
  const lists = server.requests.filter(({ body }) => body?.method === "tools/list").length;
  const after = await host.catalog({ kinds: ["tools"] });

  assert.equal(!met.ok && met.refusal.refusal.reason, "session-expired");
  assert.deepEqual(change, { serverId: "s", kind: "tools" });
  assert.deepEqual([[...before.tools.keys()], [...after.tools.keys()]], [["s__one"], ["s__two"]]);
  assert.equal(lists, 2);
  assert.equal((await host.call("s__two", {})).ok, true);
  assert.deepEqual(
    after.changes.map(({ name, change: how }) => [name, how]),
    [["two", "new"]],
  );
});
