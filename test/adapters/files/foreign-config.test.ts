import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";

import { createFileConfigSource } from "../../../src/adapters/files/config-source.ts";
import type { Container } from "../../../src/domain/definition/container.ts";
import { resolveServers } from "../../../src/domain/definition/resolve.ts";
import type { ConfigPlace } from "../../../src/ports/config-source.ts";
import { environmentOf } from "../../kit/definitions.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

async function readFile(
  t: TestContext,
  file: readonly [path: string, content: string],
  more: Partial<ConfigPlace> = {},
): Promise<Container> {
  const path = join(await tempFolder(t), file[0]);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, file[1]);
  const place: ConfigPlace = { source: "user", path, ...more };
  const [container] = await createFileConfigSource().read([place], {
    signal: new AbortController().signal,
  });
  assert.ok(container);
  return container;
}

function statusOf(container: Container): readonly (readonly [string, string])[] {
  const { servers } = resolveServers([container], { environment: environmentOf({ TOKEN: "x" }) });
  return servers.map(({ name, status }) => [name, status]);
}

const TOML = `# Codex
model = "x"
[mcp_servers.local]
command = "npx"
args = ["-y", "a"]
tool_timeout_sec = 90
[mcp_servers.local.env]
A = "b"
[mcp_servers."remote one"]
url = "https://a.example/mcp"
bearer_token_env_var = "TOKEN"
`;

test("D1b D1c TOML of Codex is read, by its ending", async (t) => {
  const container = await readFile(t, [".codex/config.toml", TOML]);

  assert.deepEqual(statusOf(container), [
    ["local", "resolved"],
    ["remote one", "resolved"],
  ]);
});

test("D1b an error in TOML is told with its line and column, without the text", async (t) => {
  const container = await readFile(t, ["config.toml", '[mcp_servers.a]\ncommand = "canary\n']);

  assert.ok("problem" in container);
  const { reason, line } = container.problem;
  assert.deepEqual([reason, line], ["invalid-syntax", 2]);
  assert.ok(!JSON.stringify(container).includes("canary"));
});

test("D1b a key or a table that stands twice in TOML is a syntax error", async (t) => {
  for (const text of ["a = 1\na = 2\n", "[mcp_servers.a]\n[mcp_servers.a]\n"]) {
    const container = await readFile(t, ["config.toml", text]);

    assert.ok("problem" in container && container.problem.reason === "invalid-syntax", text);
  }
});

test("D1b TOML that is nested too deep, or empty, is what JSON would be", async (t) => {
  const deep = await readFile(t, ["deep.toml", `a = ${"[".repeat(100_000)}`]);
  const empty = await readFile(t, ["empty.toml", " \n"]);

  assert.ok("problem" in deep);
  assert.ok(!("problem" in empty));
  assert.deepEqual([statusOf(empty), empty.warnings], [[], ["empty-file"]]);
});

test("D1c a date or a number that JSON has not is refused as the wrong type", async (t) => {
  const text = "[mcp_servers.a]\ncommand = 1979-05-27\n[mcp_servers.b]\ncommand = inf\n";

  assert.deepEqual(statusOf(await readFile(t, ["config.toml", text])), [
    ["a", "unresolved"],
    ["b", "unresolved"],
  ]);
});

test("D1c comments are accepted where the format's own host accepts them", async (t) => {
  const text = '// mine\n{ "servers": { "a": { "command": "x", }, } }\n';
  const own = await readFile(t, ["mcp.json", text], { format: "mcp" });
  const vscode = await readFile(t, [".vscode/mcp.json", text]);

  assert.ok("problem" in own);
  assert.deepEqual(statusOf(vscode), [["a", "resolved"]]);
  assert.ok(!("problem" in vscode));
  assert.deepEqual(vscode.warnings, ["comments", "trailing-commas"]);
});

test("D1c a format that is named goes before what the path says", async (t) => {
  const text = '{ "mcpServers": { "a": { "serverUrl": "https://a.example/" } } }';
  const named = await readFile(t, [".vscode/mcp.json", text], { format: "windsurf" });
  const byPath = await readFile(t, [".vscode/mcp.json", text]);

  assert.deepEqual(statusOf(named), [["a", "resolved"]]);
  assert.deepEqual(statusOf(byPath), []);
});

test("D1c an empty file of any format is an empty source", async (t) => {
  for (const format of ["vscode", "opencode", "codex", "zed"] as const) {
    const container = await readFile(t, ["any.json", ""], { format });
    const { sourceProblems } = resolveServers([container], { environment: environmentOf() });

    assert.deepEqual([statusOf(container), sourceProblems], [[], []]);
  }
});

test("D1c placeholders of an editor name the folders that were given", async (t) => {
  const text = '{ "servers": { "a": { "command": "${workspaceFolder}/a" } } }';
  const known = await readFile(t, [".vscode/mcp.json", text], { folders: { workspace: "/w" } });
  const unknown = await readFile(t, [".vscode/mcp.json", text]);

  assert.deepEqual(statusOf(known), [["a", "resolved"]]);
  assert.deepEqual(statusOf(unknown), [["a", "misconfigured"]]);
});
