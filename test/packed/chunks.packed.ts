import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { ROOT } from "../architecture/source-files.ts";
import { reachedFrom } from "./built-chunks.ts";

const DIST = join(ROOT, "dist");

for (const entry of ["index.mjs", "client.mjs", "server.mjs"]) {
  test(`no chunk behind ${entry} reaches a Node API`, () => {
    const { forbidden, files } = reachedFrom(DIST, entry);

    assert.deepEqual(forbidden, []);
    assert.ok(files.includes(entry));
  });
}

test("the walk goes through chunks and dynamic imports: the one behind client.mjs finds the carriers", () => {
  const { files } = reachedFrom(DIST, "client.mjs");

  const texts = files.map((file) => readFileSync(join(DIST, file), "utf8")).join("\n");
  assert.ok(files.length > 3, files.join(" "));
  assert.match(texts, /@modelcontextprotocol\/client/);
});

test("the walk sees what Node's own entry points need, so it is not blind", () => {
  for (const entry of ["node.mjs", "cli.mjs"]) {
    const found = new Set(reachedFrom(DIST, entry).forbidden.map((line) => line.split(" -> ")[1]));
    for (const name of ["node:child_process", "undici", "proper-lockfile", "node:fs/promises"]) {
      assert.ok(found.has(name), `${entry} does not reach ${name}`);
    }
  }
});

const PLANTED = [
  ['import "node:fs";', "node:fs"],
  ['export { x } from "fs/promises";', "fs/promises"],
  ['const later = () => import("undici");', "undici"],
  ['import { lock } from "proper-lockfile";', "proper-lockfile"],
] as const;

for (const [line, specifier] of PLANTED) {
  test(`a planted chunk with ${line} is seen behind a dynamic import`, (t) => {
    const folder = plantedFolder(t, line);

    assert.deepEqual(reachedFrom(folder, "entry.mjs").forbidden, [`deep.mjs -> ${specifier}`]);
  });
}

function plantedFolder(t: TestContext, line: string): string {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-chunks-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "entry.mjs"), 'import { a } from "./chunk.mjs";\nexport { a };\n');
  writeFileSync(join(folder, "chunk.mjs"), 'export const a = () => import("./deep.mjs");\n');
  writeFileSync(join(folder, "deep.mjs"), `${line}\n`);
  return folder;
}
