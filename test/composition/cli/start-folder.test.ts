import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { startFolder } from "../../../src/composition/cli/start-folder.ts";
import { commandPlace } from "../../kit/commands.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const SCRIPT = { npm_lifecycle_event: "sallyport", npm_package_name: "sallyport" };

test("M1 run as the script of a clone, paths count from where the person stood", () => {
  assert.equal(startFolder({ ...SCRIPT, INIT_CWD: "/stood" }, "/clone"), "/stood");
});

for (const [what, environment] of [
  ["no npm", { INIT_CWD: "/stood" }],
  ["another script", { ...SCRIPT, npm_lifecycle_event: "test", INIT_CWD: "/stood" }],
  ["another package", { ...SCRIPT, npm_package_name: "theirs", INIT_CWD: "/stood" }],
  ["a relative folder", { ...SCRIPT, INIT_CWD: "stood" }],
  ["no folder", SCRIPT],
] as const) {
  test(`M1 with ${what} paths count from the current folder`, () => {
    assert.equal(startFolder(environment, "/current"), "/current");
  });
}

test("M1 the default workspace and relative flags of a clone's script are the person's", async (t) => {
  const place = await commandPlace(t, { near: { command: "x" } });
  const elsewhere = await tempFolder(t);
  const environment = { ...SCRIPT, INIT_CWD: place.workspace };

  const [byDefault, named] = await Promise.all([
    place.run(["list", "--json"], { environment }),
    place.run(["list", "--json", "--config=user:.mcp.json", "--workspace", "."], { environment }),
  ]);
  const wrong = await place.run(["list", "--json"], { environment: { ...SCRIPT, INIT_CWD: elsewhere } });

  assert.equal(originsOf(byDefault.stdout).length, 1);
  assert.deepEqual(originsOf(named.stdout), [join(place.workspace, ".mcp.json")]);
  assert.deepEqual(originsOf(wrong.stdout), []);
});

function originsOf(stdout: string): readonly string[] {
  return JSON.parse(stdout).servers.map(({ origin }: { origin: string }) => origin);
}
