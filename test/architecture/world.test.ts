import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT, sourceFiles } from "./source-files.ts";

/** What the inside must not reach, besides what the compiler already hides. Comments do not count. */
const WORLD =
  /\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bglobalThis\b|\bprocess\.\w|\bconsole\.\w|\bperformance\.\w/;

function worldIn(text: string): string | undefined {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return WORLD.exec(code)?.[0];
}

test("domain, ports and flows reach neither clock, chance nor process", () => {
  const reached = sourceFiles()
    .filter(({ path }) => /^(domain|ports|composition\/flows)\//.test(path))
    .map(({ path, text }) => [path, worldIn(text)])
    .filter(([, found]) => found !== undefined);

  assert.deepEqual(reached, []);
});

for (const planted of ["const t = Date.now();", "new Date()", "Math.random()", "globalThis.x"]) {
  test(`a planted ${planted} is seen`, () => {
    assert.notEqual(worldIn(planted), undefined);
  });
}

test("no source file calls the global fetch: every network byte leaves through the Egress port", () => {
  const callers = sourceFiles()
    .filter(({ text }) => /(?<![.\w])fetch\(/.test(text.replace(/\/\*[\s\S]*?\*\//g, "")))
    .filter(({ text }) => !/\bfetch\(\s*\n?\s*target: /.test(text))
    .map(({ path }) => path);

  assert.deepEqual(callers, []);
});

test("no folder or file has a name that says nothing", () => {
  const vague = sourceFiles()
    .map(({ path }) => path)
    .filter((path) => /(^|\/)(utils?|helpers?|common|shared|types|core|lib|internal)(\/|\.ts$)/.test(path));

  assert.deepEqual(vague, []);
});

test("the inside's own compiler settings hide process, Buffer, fetch, setTimeout and console", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-inside-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "domain"));
  const words = ["process.pid", "Buffer.from('')", "fetch('')", "setTimeout(() => {}, 1)", "console.log()"];
  writeFileSync(
    join(folder, "domain/planted.ts"),
    `${words.map((word) => `void ${word};`).join("\n")}\nexport {};\n`,
  );
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(ROOT, "tsconfig.inside.json"),
      compilerOptions: { typeRoots: [] },
      include: [join(ROOT, "src/inside.d.ts"), join(folder, "domain")],
    }),
  );

  const compiled = spawnSync(
    process.execPath,
    [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder],
    {
      encoding: "utf8",
    },
  );

  const lines = compiled.stdout.split("\n").filter((line) => /error TS(2304|2580|2584|2591)/.test(line));
  assert.equal(lines.length, words.length, compiled.stdout);
});
