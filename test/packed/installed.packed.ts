import assert from "node:assert/strict";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { ROOT } from "../architecture/source-files.ts";
import { installTarball, type Installed } from "./installed.ts";

let installed: Installed;

before(async () => {
  installed = await installTarball();
});
after(() => installed.remove());

const ENTRY_POINTS = [
  ["sallyport", "resolveServers"],
  ["sallyport/client", "openMcpSession"],
  ["sallyport/server", "createMcpRequestHandler"],
  ["sallyport/node", "createMcpHost"],
] as const;

for (const [specifier, expected] of ENTRY_POINTS) {
  test(`${specifier} can be imported from an installed tarball, and prints nothing`, async () => {
    const script = `import * as all from ${JSON.stringify(specifier)};
      process.stdout.write(JSON.stringify(Object.keys(all)));`;

    const { code, stdout, stderr } = await installed.node(["--input-type=module", "-e", script]);

    assert.deepEqual([code, stderr], [0, ""]);
    const names: unknown = JSON.parse(stdout);
    assert.ok(Array.isArray(names));
    assert.ok(names.includes(expected), stdout);
  });
}

test("no other file of the package can be imported", async () => {
  const script = `await import("sallyport/dist/cli.mjs")`;

  const { code, stderr } = await installed.node(["--input-type=module", "-e", script]);

  assert.equal(code, 1);
  assert.match(stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

test("the tarball holds the built files, the documents and nothing else", () => {
  const others = installed.packed.filter(
    (path) => !/^dist\/[\w.-]+\.d?\.?mts$|^dist\/[\w.-]+\.mjs$/.test(path),
  );

  assert.deepEqual(others, ["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "package.json"]);
});

test("M5 the installed command tells its version on stdout", async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));

  assert.deepEqual(await installed.command(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" });
});

test("M5 the installed command lists a project's servers as one JSON document", async () => {
  const workspace = installed.project;
  const entry = { command: "node", args: ["server.mjs"] };
  await writeFile(join(workspace, ".mcp.json"), JSON.stringify({ mcpServers: { files: entry } }));

  const { code, stdout, stderr } = await installed.command(["--workspace", workspace, "--json", "list"]);

  assert.deepEqual([code, stderr], [0, ""]);
  const { servers } = JSON.parse(stdout);
  assert.deepEqual(
    servers.map((server: Record<string, unknown>) => [server["name"], server["source"], server["status"]]),
    [["files", "project", "resolved"]],
  );
});

test("R3 an agent served from an installed tarball answers over stdio, with frames alone on stdout", async () => {
  const program = `import { createMcpTransport } from "sallyport/node";
    const agent = {
      tools: async () => [{ name: "today", inputSchema: { type: "object" } }],
      invoke: async () => ({ status: "completed", content: [] }),
    };
    const transport = createMcpTransport({ name: "agent", version: "1.0.0" });
    transport.attach(agent);
    await transport.start();
    await transport.waitForClose();`;
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  };
  const requests = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ];

  const { code, stdout, stderr } = await installed.node(
    ["--input-type=module", "-e", program],
    requests.map((request) => `${JSON.stringify(request)}\n`).join(""),
  );

  assert.deepEqual([code, stderr], [0, ""]);
  const frames = stdout.trimEnd().split("\n");
  const answers = frames.map((frame): { readonly id: number; readonly result: object } => JSON.parse(frame));
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, 2],
  );
  assert.ok(JSON.stringify(answers[1]?.result).includes('"today"'));
});

test("a strict program type-checks against the installed declarations", async () => {
  const consumer = fileURLToPath(new URL("consumer.ts.txt", import.meta.url));
  await copyFile(consumer, join(installed.project, "consumer.ts"));
  const compilerOptions = {
    module: "NodeNext",
    target: "ES2023",
    lib: ["ES2023", "ESNext.Disposable"],
    // As any Node project has them: the SDK's own declarations need them.
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(
    join(installed.project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["consumer.ts"] }),
  );

  const { code, stdout } = await installed.node([join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."]);

  assert.deepEqual([code, stdout.split("\n").slice(0, 20)], [0, [""]]);
});
