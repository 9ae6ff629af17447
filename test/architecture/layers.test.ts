import assert from "node:assert/strict";
import { test } from "node:test";

import { judgeImport, layerOf } from "./layer-table.ts";
import { importsOf, sourceFiles } from "./source-files.ts";

const FILES = sourceFiles();

test("every import in src follows the layer table", () => {
  const violations = FILES.flatMap(({ path, imports }) =>
    imports.flatMap((specifier) => {
      const reason = judgeImport(path, specifier);
      return reason === undefined ? [] : [`${path} -> ${specifier}: ${reason}`];
    }),
  );

  assert.deepEqual(violations, []);
});

test("every source file sits in a listed folder, and no inside layer is empty", () => {
  const layers = FILES.map(({ path }) => layerOf(path));

  assert.deepEqual(
    FILES.filter(({ path }) => layerOf(path) === "unlisted").map(({ path }) => path),
    [],
  );
  for (const layer of ["domain", "ports", "flows", "entry-anywhere", "entry-node"]) {
    assert.ok(
      layers.some((present) => present === layer),
      `${layer} has no files: the scan is broken`,
    );
  }
});

const PLANTED: readonly (readonly [from: string, specifier: string])[] = [
  ["domain/names.ts", "node:fs"],
  ["domain/names.ts", "undici"],
  ["domain/names.ts", "../ports/clock.ts"],
  ["domain/names.ts", "@modelcontextprotocol/client"],
  ["ports/clock.ts", "valibot"],
  ["ports/clock.ts", "../adapters/system/clock.ts"],
  ["composition/flows/session.ts", "../../adapters/files/audit-log.ts"],
  ["composition/flows/session.ts", "valibot"],
  ["adapters/files/audit-log.ts", "../system/clock.ts"],
  ["adapters/files/audit-log.ts", "undici"],
  ["adapters/files/audit-log.ts", "node:child_process"],
  ["adapters/files/audit-log.ts", "node:net"],
  ["adapters/files/audit-log.ts", "node:http"],
  ["adapters/node-http/redirect-receiver.ts", "node:https"],
  ["adapters/node-http/redirect-receiver.ts", "node:net"],
  ["adapters/http-undici/egress.ts", "proper-lockfile"],
  ["adapters/mcp-sdk/mcp-peer.ts", "node:stream"],
  ["adapters/system/clock.ts", "fs"],
  ["composition/client.ts", "../adapters/http-undici/egress.ts"],
  ["composition/client.ts", "node:fs"],
  ["composition/node.ts", "undici"],
  ["somewhere/else.ts", "../domain/names.ts"],
  ["domain/names.ts", "../somewhere/else.ts"],
];

for (const [from, specifier] of PLANTED) {
  test(`a planted import of ${specifier} in ${from} is a violation`, () => {
    assert.notEqual(judgeImport(from, specifier), undefined);
  });
}

const ALLOWED: readonly (readonly [from: string, specifier: string])[] = [
  ["domain/sha256.ts", "@noble/hashes/sha2.js"],
  ["domain/names.ts", "./outcome.ts"],
  ["ports/egress.ts", "../domain/outcome.ts"],
  ["composition/flows/session.ts", "../../ports/clock.ts"],
  ["adapters/files/audit-log.ts", "node:fs/promises"],
  ["adapters/node-http/redirect-receiver.ts", "node:http"],
  ["composition/client.ts", "../adapters/mcp-sdk/mcp-peer.ts"],
  ["composition/node.ts", "../adapters/http-undici/egress.ts"],
];

for (const [from, specifier] of ALLOWED) {
  test(`an import of ${specifier} in ${from} is allowed`, () => {
    assert.equal(judgeImport(from, specifier), undefined);
  });
}

test("the scan sees static, type, re-exporting, bare and dynamic imports, and no comments", () => {
  const text = [
    'import a from "a";',
    'import type { B } from "b";',
    'export { c } from "c";',
    'import "d";',
    'const e = await import("e");',
    '// import f from "f";',
    '/* import g from "g"; */',
    'import {\n  h,\n} from "h";',
  ].join("\n");

  assert.deepEqual([...importsOf(text)].toSorted(), ["a", "b", "c", "d", "e", "h"]);
});
