import assert from "node:assert/strict";
import { test } from "node:test";

import { buildServerCatalog } from "../../../src/domain/catalog/build-server-catalog.ts";
import { holdTools } from "../../../src/domain/catalog/hold-tools.ts";

const CATALOG = buildServerCatalog({
  serverId: "s",
  tools: [
    { name: "a", inputSchema: {} },
    { name: "b\u200B", inputSchema: {} },
    { name: "c", inputSchema: 1 },
  ],
  prompts: [{ name: "p" }],
});

test("A7 K2 a held tool ends among the rejected with its reason; the others and the other kinds stay", () => {
  const { catalog, held } = holdTools(CATALOG, ({ sourceName }) =>
    sourceName === "a" ? undefined : "definition-changed",
  );

  assert.deepEqual(
    catalog.tools.map(({ name }) => name),
    ["s__a"],
  );
  assert.deepEqual(catalog.prompts, CATALOG.prompts);
  assert.deepEqual(catalog.rejected, [
    ...CATALOG.rejected,
    { kind: "tool", serverId: "s", sourceName: "b", reason: "definition-changed" },
  ]);
  assert.deepEqual([...held], [[CATALOG.tools[1]?.name, "definition-changed"]]);
});

test("A7 a catalog without anything to hold stays as it is", () => {
  const { catalog, held } = holdTools(CATALOG, () => undefined);

  assert.deepEqual([catalog, held.size], [CATALOG, 0]);
});
