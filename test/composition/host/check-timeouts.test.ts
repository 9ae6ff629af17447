import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";

import { checkTimeouts } from "../../../src/composition/host/check-timeouts.ts";
import { createMcpHost } from "../../../src/composition/host/create-mcp-host.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const NAMES = ["startupMs", "perCallMs", "toolCallMs", "idleMs"] as const;
const LIMIT_MS = 86_400_000;

for (const name of NAMES) {
  test(`C7b ${name} is from 1 millisecond to a day`, () => {
    for (const ms of [1, 1.5, LIMIT_MS]) assert.doesNotThrow(() => checkTimeouts({ [name]: ms }));
    for (const ms of [0, 0.5, -1, Number.NaN, LIMIT_MS + 1]) {
      assert.throws(() => checkTimeouts({ [name]: ms }), { name: "TypeError", code: "timeouts" });
    }
  });
}

test("C7b only an idle connection may stay for ever, and what is left out has its default", () => {
  checkTimeouts({ idleMs: Infinity });
  checkTimeouts({});
  checkTimeouts();
  for (const name of ["startupMs", "perCallMs", "toolCallMs"]) {
    assert.throws(() => checkTimeouts({ [name]: Infinity }), { code: "timeouts" });
  }
});

test("C7b a host with a timeout that is none is not made, and writes nothing", async (t) => {
  const home = await tempFolder(t);

  await assert.rejects(createMcpHost({ home, timeouts: { idleMs: -5 } }), {
    name: "TypeError",
    code: "timeouts",
  });

  assert.deepEqual(await readdir(home), []);
});
