import assert from "node:assert/strict";
import { test } from "node:test";

import { buildCatalog, buildServerCatalog } from "../../../src/domain/catalog/build.ts";
import type { ServerCatalog } from "../../../src/domain/catalog/catalog.ts";
import { catalogName } from "../../../src/domain/catalog/tool-name.ts";

function server(serverId: string, ...names: string[]): ServerCatalog {
  return buildServerCatalog({
    serverId,
    tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
  });
}

test("G7 K3 equal tool names of two servers stay two tools, each found by its own name", () => {
  const catalog = buildCatalog([server("mail", "send"), server("evil", "send")]);

  assert.deepEqual([...catalog.tools.keys()], ["evil__send", "mail__send"]);
  assert.equal(catalog.tools.get("mail__send")?.serverId, "mail");
  assert.deepEqual(catalog.rejected, []);
});

test("K3 adding a server renames no tool of another", () => {
  const alone = buildCatalog([server("a", "x y", "z")]);
  const together = buildCatalog([server("a", "x y", "z"), server("a_", "z"), server("a__z", "y")]);

  for (const name of alone.tools.keys()) assert.equal(together.tools.get(name)?.serverId, "a");
});

test("K3 a true clash rejects both by name, in any order, and keeps the rest", () => {
  const hashed = catalogName("srv", "tool", "read file");
  const impostor = hashed.slice("srv__".length);
  const servers = [server("srv", "read file", "other", impostor), server("b", "x")];

  const catalog = buildCatalog(servers);

  assert.equal(catalog.tools.has(hashed), false);
  assert.deepEqual([...catalog.tools.keys()], ["b__x", "srv__other"]);
  assert.deepEqual(catalog.rejected, [
    { kind: "tool", serverId: "srv", sourceName: "read file", reason: "name-clash" },
    { kind: "tool", serverId: "srv", sourceName: impostor, reason: "name-clash" },
  ]);
  assert.deepEqual(buildCatalog(servers.toReversed()), catalog);
});

test("K2 a catalog keeps every rejection of its servers", () => {
  const catalog = buildCatalog([server("b", ""), server("a", "", "ok")]);

  assert.deepEqual(
    catalog.rejected.map(({ serverId, reason }) => [serverId, reason]),
    [
      ["a", "name-empty"],
      ["b", "name-empty"],
    ],
  );
});

test("K3 a prompt and a tool of one name do not clash", () => {
  const both = buildServerCatalog({
    serverId: "s",
    tools: [{ name: "x", inputSchema: { type: "object" } }],
    prompts: [{ name: "x" }],
  });

  const catalog = buildCatalog([both]);

  assert.equal(catalog.tools.has("s__x"), true);
  assert.equal(catalog.prompts.has("s__x"), true);
  assert.deepEqual(catalog.rejected, []);
});
