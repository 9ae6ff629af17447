import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT } from "../architecture/source-files.ts";
import { reachedFrom } from "./built-chunks.ts";

const DIST = join(ROOT, "dist");
const HEAVY = /^(@modelcontextprotocol\/|undici$|oauth4webapi$)/;

/** What importing alone costs: heavy packages may only stand behind a dynamic import. */
for (const entry of ["index.mjs", "client.mjs", "server.mjs", "node.mjs", "cli.mjs"]) {
  test(`importing ${entry} loads neither the SDK, nor undici, nor OAuth`, () => {
    const { packages } = reachedFrom(DIST, entry, { dynamic: false });

    assert.deepEqual(
      packages.filter((line) => HEAVY.test(line.split(" -> ")[1] ?? "")),
      [],
    );
  });
}

test("the same walk with dynamic imports finds the SDK behind client.mjs and undici behind node.mjs", () => {
  const found = ["client.mjs", "node.mjs"].map((entry) => reachedFrom(DIST, entry).packages.join("\n"));

  assert.match(found[0] ?? "", /-> @modelcontextprotocol\/client$/m);
  assert.match(found[1] ?? "", /-> undici$/m);
});
