import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";

import { createFileConfigSource } from "../../../src/adapters/files/config-source.ts";
import type { Container } from "../../../src/domain/definition/container.ts";
import type { ConfigPlace } from "../../../src/ports/config-source.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const signal = new AbortController().signal;

function read(places: readonly ConfigPlace[]): Promise<readonly Container[]> {
  return createFileConfigSource().read(places, { signal });
}

/** Reads one file of this content. */
async function readContent(
  t: TestContext,
  content: string | Uint8Array,
  options: { readonly file?: string; readonly dialect?: "json" | "jsonc" } = {},
): Promise<Container> {
  const path = join(await tempFolder(t), options.file ?? "mcp.json");
  await writeFile(path, content);
  const place = {
    source: "user",
    path,
    ...(options.dialect !== undefined && { dialect: options.dialect }),
  } as const;
  const [container] = await read([place]);
  assert.ok(container);
  return container;
}

function problemIn(container: Container): unknown {
  return "problem" in container ? container.problem : undefined;
}

function valueIn(container: Container): unknown {
  assert.ok(!("problem" in container), JSON.stringify(problemIn(container)));
  return container.value;
}

function warningsIn(container: Container): readonly string[] {
  assert.ok(!("problem" in container), JSON.stringify(problemIn(container)));
  return container.warnings ?? [];
}

test("D1b a JSON file becomes a container with its source and its path as origin", async (t) => {
  const folder = await tempFolder(t);
  const path = join(folder, "mcp.json");
  const value = {
    mcpServers: { a: { command: "x", args: ["é", "\n\u0000\u2028"], n: [1.5e3, -0.1, true, null] } },
  };
  await writeFile(path, JSON.stringify(value));

  assert.deepEqual(await read([{ source: "managed", path }]), [
    { source: "managed", origin: path, value, duplicateKeys: [], warnings: [] },
  ]);
});

test("D1b an absent optional place is left out, and one that a person named is a problem", async (t) => {
  const folder = await tempFolder(t);
  const path = join(folder, "absent.json");
  const below = join(folder, "absent", "mcp.json");

  assert.deepEqual(
    await read([
      { source: "user", path },
      { source: "user", path: below },
    ]),
    [],
  );
  assert.deepEqual(await read([{ source: "user", path, optional: false }]), [
    { source: "user", origin: path, problem: { reason: "unreadable-file" } },
  ]);
});

test("D1b A14 places fail separately, in the order given", async (t) => {
  const folder = await tempFolder(t);
  const paths = ["empty.json", "broken.json", "good.json"].map((name) => join(folder, name));
  for (const [index, content] of ["", "{", '{"mcpServers":{}}'].entries())
    await writeFile(paths[index] ?? "", content);

  const containers = await read(paths.map((path) => ({ source: "user", path })));

  assert.deepEqual(
    containers.map((container) => [container.origin, "problem" in container]),
    [
      [paths[0], false],
      [paths[1], true],
      [paths[2], false],
    ],
  );
});

test("D1b an empty file is an empty source with a warning", async (t) => {
  for (const content of ["", " \n\t\r\n"]) {
    const container = await readContent(t, content);
    assert.deepEqual(valueIn(container), { mcpServers: {} });
    assert.deepEqual(warningsIn(container), ["empty-file"]);
  }
  const onlyComments = await readContent(t, "// nothing yet\n", { dialect: "jsonc" });
  assert.deepEqual(warningsIn(onlyComments), ["empty-file", "comments"]);
});

test("D1b a syntax error is a problem with line and column", async (t) => {
  const rows: readonly (readonly [string, number, number])[] = [
    ['{\n  "mcpServers": {\n    "a": tru\n  }\n}', 3, 10],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ['{"a": 01}', 1, 7],
    ["{'a': 1}", 1, 2],
    ['{"a": 1} x', 1, 10],
    ['{"a": "\\x"}', 1, 8],
    ['{"a": "\\u12"}', 1, 11],
    ['{"a": NaN}', 1, 7],
    ["[1,,2]", 1, 4],
    ["}", 1, 1],
    ["[1}", 1, 3],
  ];
  for (const [content, line, column] of rows) {
    const problem = problemIn(await readContent(t, content));
    assert.deepEqual(problem, { reason: "invalid-syntax", line, column }, content);
  }
});

test("D1b a text that stops too early is told at its end", async (t) => {
  const rows: readonly (readonly [string, number, number])[] = [
    ["{", 1, 2],
    ['{"a"', 1, 5],
    ['{\n "a":\n', 2, 6],
    ['{"a": 1', 1, 8],
    ['{"a": 1,', 1, 9],
    ["[1", 1, 3],
    ['{"a": "b', 1, 9],
  ];
  for (const [content, line, column] of rows) {
    const problem = problemIn(await readContent(t, content));
    assert.deepEqual(problem, { reason: "invalid-syntax", line, column }, content);
  }
});

test("D1b a raw control character in a string is a syntax error, as JSON says", async (t) => {
  const rows: readonly (readonly [string, number, number])[] = [
    ['{"a": "b\tc"}', 1, 9],
    ['{\n"a": "b\nc"}', 2, 8],
    ['{"a\u0001": 1}', 1, 4],
  ];
  for (const [content, line, column] of rows) {
    const problem = problemIn(await readContent(t, content));
    assert.deepEqual(problem, { reason: "invalid-syntax", line, column }, JSON.stringify(content));
  }
});

test("D1b no text of the file is in a problem", async (t) => {
  for (const content of ['{"canary": canary}', '{"a": "canary\\x"}', "canary", '{"canary"', "{'canary'}"]) {
    assert.doesNotMatch(JSON.stringify(problemIn(await readContent(t, content))), /canary/);
  }
});

test("D1b A13 comments and trailing commas are accepted and noted where the file allows them", async (t) => {
  const content =
    '{ // one\n "mcpServers": { "a": { "command": "x", "args": ["//no", ], /* two */ }, }, }\n// old';
  for (const options of [{ file: "mcp.jsonc" }, { dialect: "jsonc" }] as const) {
    const container = await readContent(t, content, options);
    assert.deepEqual(valueIn(container), { mcpServers: { a: { command: "x", args: ["//no"] } } });
    assert.deepEqual(warningsIn(container), ["comments", "trailing-commas"]);
  }
});

test("D1b A13 comments and trailing commas are syntax errors where the file does not allow them", async (t) => {
  for (const [content, column] of [
    ['{"a":1} // old', 9],
    ["/* */{}", 1],
    ["[1,]", 4],
  ] as const) {
    assert.deepEqual(problemIn(await readContent(t, content)), { reason: "invalid-syntax", line: 1, column });
    const strict = await readContent(t, content, { file: "mcp.jsonc", dialect: "json" });
    assert.deepEqual(problemIn(strict), { reason: "invalid-syntax", line: 1, column });
  }
});

test("D1b a comment that nothing ends is a syntax error", async (t) => {
  const container = await readContent(t, '{"a":1} /* old', { dialect: "jsonc" });

  assert.deepEqual(problemIn(container), { reason: "invalid-syntax", line: 1, column: 15 });
});

test("D1b a byte order mark is accepted and noted", async (t) => {
  const container = await readContent(t, '\ufeff{"mcpServers":{}}');

  assert.deepEqual(valueIn(container), { mcpServers: {} });
  assert.deepEqual(warningsIn(container), ["byte-order-mark"]);
});

test("D1b keys that stand twice in one object are reported with their paths", async (t) => {
  const container = await readContent(
    t,
    '{"mcpServers":{"a":{"command":"x","env":{"P":"1","P":"2"}},"b":{},"b":{},"\\u0062":{}},"x":[{"y":1,"y":2}]}',
  );

  assert.ok(!("problem" in container));
  assert.deepEqual(container.duplicateKeys, [
    ["mcpServers", "a", "env", "P"],
    ["mcpServers", "b"],
    ["mcpServers", "b"],
    ["x", "0", "y"],
  ]);
});

test("D1b one key under two spellings stands twice, whatever colons and quotes its strings hold", async (t) => {
  const twice = await readContent(t, '{"a":":\\":","b":{"c":1,"\\u0063":2}}');
  const once = await readContent(t, '{"a:\\"":":\\\\","b":[{"c":":"},":"]}');

  assert.ok(!("problem" in twice) && !("problem" in once));
  assert.deepEqual(twice.duplicateKeys, [["b", "c"]]);
  assert.deepEqual([once.value, once.duplicateKeys], [{ 'a:"': ":\\", b: [{ c: ":" }, ":"] }, []]);
});

test("D2 a key __proto__ is a plain key", async (t) => {
  const value = valueIn(
    await readContent(t, '{"__proto__":{"polluted":1},"mcpServers":{"__proto__":{"command":"a"}}}'),
  );

  assert.ok(typeof value === "object" && value !== null);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(Object.keys(value), ["__proto__", "mcpServers"]);
  assert.equal("polluted" in value, false);
});

/** A JSON text of exactly so many bytes. */
function sized(bytes: number): string {
  return `"${"a".repeat(bytes - 2)}"`;
}

test("D1b a file of 1 MiB is read, a larger one is a problem", async (t) => {
  const limit = 1024 * 1024;

  assert.equal(problemIn(await readContent(t, sized(limit - 1))), undefined);
  assert.equal(problemIn(await readContent(t, sized(limit))), undefined);
  assert.deepEqual(problemIn(await readContent(t, sized(limit + 1))), { reason: "file-too-large" });
});

function nested(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

test("D1b a document is at most 64 levels deep, however deep it tries to be", async (t) => {
  assert.equal(problemIn(await readContent(t, nested(64))), undefined);
  assert.equal(problemIn(await readContent(t, nested(65))), undefined);
  assert.deepEqual(problemIn(await readContent(t, nested(66))), {
    reason: "nested-too-deep",
    line: 1,
    column: 66,
  });
  assert.deepEqual(problemIn(await readContent(t, "[".repeat(500_000))), { reason: "nested-too-deep" });
});

test("D1b a file that is not UTF-8 is a problem", async (t) => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0xff, 0xfe, 0x7b, 0x00],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    assert.deepEqual(problemIn(await readContent(t, Uint8Array.from(bytes))), { reason: "not-utf8" });
  }
});

test("D1b a folder is a problem and not absent", async (t) => {
  const folder = await tempFolder(t);
  const inner = join(folder, "mcp.json");
  await mkdir(inner);

  assert.deepEqual((await read([{ source: "user", path: inner }])).map(problemIn), [
    { reason: "unreadable-file" },
  ]);
});

test("D1b a symbolic link is followed, and the given path stays the origin", async (t) => {
  const folder = await tempFolder(t);
  const link = join(folder, "link.json");
  await writeFile(join(folder, "real.json"), '{"mcpServers":{}}');
  await symlink(join(folder, "real.json"), link);
  await symlink(join(folder, "loop.json"), join(folder, "loop.json"));

  const containers = await read([
    { source: "user", path: link },
    { source: "user", path: join(folder, "loop.json") },
  ]);

  assert.equal(containers[0]?.origin, link);
  assert.deepEqual(containers.map(problemIn), [undefined, { reason: "unreadable-file" }]);
});

test("D12 D1b a symbolic link to a file that is not there is a problem and not absent", async (t) => {
  const path = join(await tempFolder(t), "mcp.json");
  await symlink(join(path, "..", "gone"), path);

  const [container] = await read([{ source: "managed", path }]);

  assert.ok(container);
  assert.deepEqual(problemIn(container), { reason: "unreadable-file" });
});

test("D1b a named pipe is a problem and is not waited for", async (t) => {
  const path = join(await tempFolder(t), "pipe.json");
  await promisify(execFile)("mkfifo", [path]);

  assert.deepEqual((await read([{ source: "user", path }])).map(problemIn), [{ reason: "unreadable-file" }]);
});

test("D1b a file that did not parse is never rewritten", async (t) => {
  const path = join(await tempFolder(t), "mcp.json");
  await writeFile(path, "{ // broken");
  await read([{ source: "user", path }]);

  assert.equal(await readFile(path, "utf8"), "{ // broken");
});

test("D1b reading rejects with the reason of its signal and with nothing else", async (t) => {
  const path = join(await tempFolder(t), "mcp.json");
  const reason = new Error("stop");
  const reading = createFileConfigSource().read([{ source: "user", path }], {
    signal: AbortSignal.abort(reason),
  });

  await assert.rejects(reading, (error) => error === reason);
});
