import assert from "node:assert/strict";
import { test } from "node:test";

import { serverCode, serverRow } from "../../../src/composition/cli/catalog-rows.ts";
import { catalogLines } from "../../../src/composition/cli/catalog-text.ts";
import type { ServerState } from "../../../src/composition/host/host-catalog.ts";

const WHOLE = { complete: true, pages: [] } as const;
const CUT = { complete: false, incompleteReason: "cursor-repeated", pages: [] } as const;

const SERVER: ServerState = {
  name: "web",
  state: "connected",
  era: "modern",
  push: "off",
  identity: {
    serverId: "web",
    protocolVersion: "2026-07-28",
    serverVersion: undefined,
    serverInfoProvided: false,
    carrierGeneration: "1",
  },
  lists: { tools: WHOLE, prompts: CUT, resources: WHOLE, resourceTemplates: CUT },
};

function cut(kind: string): object {
  return {
    name: "web",
    state: "incomplete",
    era: "modern",
    error: {
      kind: "list",
      reason: "cursor-repeated",
      message: `its list of ${kind} is incomplete (cursor-repeated); what came before is kept.`,
    },
  };
}

test("K1 a list that could not be read to its end says so, in that list alone, and the code is 4", () => {
  const rows = (["tools", "prompts", "resources"] as const).map((kind) => serverRow(SERVER, kind));

  assert.deepEqual(rows, [
    { name: "web", state: "connected", era: "modern" },
    cut("prompts"),
    cut("resources"),
  ]);
  assert.deepEqual([serverCode(SERVER, "tools"), serverCode(SERVER, "prompts")], [0, 4]);
});

test("M6 a server that was refused or failed keeps its own code, and its words are shown escaped", () => {
  const failed: ServerState = {
    name: "web",
    state: "failed",
    error: {
      refusal: { kind: "session", reason: "protocol-error", serverId: "web", stage: "connect", code: -1 },
      untrusted: { message: "no\u202e" },
    },
  };

  const row = serverRow(failed, "tools");

  assert.equal(row.error?.said, "no\\u{202e}");
  assert.equal(serverCode(failed, "tools"), 4);
});

test("V4 a list that may have changed says so in its row and its line, and the code is 0", () => {
  const stale = { reason: "refresh-failed", ageMs: 2_001, failure: "timeout" } as const;
  const lists = { ...SERVER.lists, tools: { ...WHOLE, stale } };
  const server: ServerState = { ...SERVER, lists };

  const row = serverRow(server, "tools");

  assert.deepEqual(row, { name: "web", state: "connected", era: "modern", stale });
  assert.deepEqual(
    [...catalogLines({ kind: "tools", servers: [row], items: [], rejected: [] })],
    ["web (connected, modern, stale for 3 s (refresh-failed: timeout))"],
  );
  assert.equal(serverCode(server, "tools"), 0);
  assert.equal("stale" in serverRow(server, "prompts"), false);
});

test("V4 a stale list of templates is a stale list of resources", () => {
  const stale = { reason: "list-changed", ageMs: 5 } as const;
  const lists = { ...SERVER.lists, resourceTemplates: { ...WHOLE, stale } };

  assert.deepEqual(serverRow({ ...SERVER, lists }, "resources").stale, stale);
});

test("H3b a server that cannot announce changes any more says so", () => {
  const row = serverRow({ ...SERVER, push: "no-push" }, "tools");

  assert.equal(row.push, "no-push");
  assert.deepEqual(
    [...catalogLines({ kind: "tools", servers: [row], items: [], rejected: [] })],
    ["web (connected, modern, changes are not announced any more)"],
  );
});
