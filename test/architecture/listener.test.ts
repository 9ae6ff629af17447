import assert from "node:assert/strict";
import { test } from "node:test";

import { sourceFiles } from "./source-files.ts";

const LISTENER_NAMES: ReadonlySet<string> = new Set([
  "createServer",
  "type IncomingMessage",
  "type Server",
  "type ServerResponse",
]);

/** What a file takes out of `node:http`, `*` and defaults included. */
function namesTaken(text: string): readonly string[] {
  const imports = text.matchAll(/import\s+(type\s+)?([^;]*?)\s+from\s+["']node:http["']/g);
  return [...imports].flatMap(([, type = "", clause = ""]) => {
    const list = /^\{([^}]*)\}$/.exec(clause)?.[1];
    if (list === undefined) return [`${type}${clause}`];
    return list
      .split(",")
      .map((name) => `${type.trim() === "" ? "" : "type "}${name.trim()}`)
      .filter((name) => name.trim() !== "" && name.trim() !== "type");
  });
}

function clients(files: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  return files
    .filter(({ path }) => path.startsWith("adapters/node-http/"))
    .filter(
      ({ text }) =>
        namesTaken(text).some((name) => !LISTENER_NAMES.has(name)) ||
        /\bimport\s*\(\s*["']node:http/.test(text),
    )
    .map(({ path }) => path);
}

test("E1 the folder that may use node:http takes nothing out of it that could send a request", () => {
  const files = sourceFiles();

  assert.ok(files.some(({ text }) => namesTaken(text).includes("createServer")));
  assert.deepEqual(clients(files), []);
});

for (const planted of [
  'import { request } from "node:http";',
  'import { createServer, get } from "node:http";',
  'import http from "node:http";',
  'import * as http from "node:http";',
  'const { request } = await import("node:http");',
]) {
  test(`a planted ${planted} is seen`, () => {
    assert.deepEqual(clients([{ path: "adapters/node-http/planted.ts", text: planted }]), [
      "adapters/node-http/planted.ts",
    ]);
  });
}
