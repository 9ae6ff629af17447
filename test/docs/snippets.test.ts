import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT } from "../architecture/source-files.ts";
import { tempFolder } from "../kit/temp-folder.ts";

/** What a document's snippets take for granted, and their order: each document is one program. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  "README.md": "",
  "docs/guide/first-host.md": `
    import type { AuditLog, AuditSink, Egress } from "sallyport";
    declare const signal: AbortSignal;
    declare const workspace: string;
    declare const myAudit: AuditSink & AuditLog;
    declare const myEgress: Egress;
    declare function register(name: string, description: string | undefined, schema: object): void;
  `,
  "docs/guide/gateway.md": "",
  "docs/guide/living-host.md": "",
  "docs/guide/serve.md": "declare const agent: AgentSession;",
};

/** A later snippet may make its host again, or name what comes below. */
function programOf(document: string, prelude: string): string {
  const snippets = [...readFileSync(join(ROOT, document), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)];
  assert.ok(snippets.length > 0, `${document} has no snippets`);
  const code = snippets.map(([, text]) => text ?? "");
  const seen = new Set<string>();
  const imports: string[] = [];
  const body = code.map((text) => {
    imports.push(...(text.match(/^import .*$/gm) ?? []));
    return text.replace(/^import .*$/gm, "");
  });
  const merged = imports.filter((line) => !seen.has(line) && seen.add(line));
  const [last = "", ...before] = body.toReversed();
  // The part that replaces others refers to the store that the last snippet makes.
  const ordered = document === "README.md" ? body : [last, ...before.toReversed()];
  const blocks = ordered.map((text) =>
    text.replace(/^const host = /gm, "var host = ").replace(/^await using host = /gm, "var host = "),
  );
  return [...merged, prelude, ...blocks, "export {};"].join("\n");
}

function source(name: string): string[] {
  return [join(ROOT, `src/composition/${name}.ts`)];
}

test("the snippets of README and guide compile, strictly, against what the package exports", async (t) => {
  const folder = await tempFolder(t);
  await mkdir(join(folder, "docs"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const files = Object.entries(DOCUMENTS).map(([document, prelude], index) => {
    const path = join(folder, "docs", `document-${index}.ts`);
    writeFileSync(path, programOf(document, prelude));
    return path;
  });
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: {
        isolatedDeclarations: false,
        declaration: false,
        typeRoots: [join(ROOT, "node_modules/@types")],
        paths: {
          sallyport: source("index"),
          "sallyport/client": source("client"),
          "sallyport/node": source("node"),
          "sallyport/server": source("server"),
        },
      },
      include: [],
      files,
    }),
  );

  const compiled = spawnSync(
    process.execPath,
    [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder],
    {
      encoding: "utf8",
    },
  );

  assert.equal(compiled.stdout, "");
  assert.equal(compiled.status, 0, compiled.stderr);
});
