import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { list } from "../../src/composition/cli/list.ts";
import { runInside } from "../kit/commands.ts";
import { hostFolders } from "../kit/hosts.ts";

const INFERRED = (transport: string) => ({
  note: "transport-inferred",
  text: `No \`type\` is given; read as ${transport}.`,
});

test("M5 list --json has the pinned shape: resolved, unresolved, disabled, misconfigured, shadowed", async (t) => {
  const folders = await hostFolders(t, {
    broken: { url: 5 },
    files: { command: "node", args: ["s.js"], env: { NODE_OPTIONS: "x", A: "b" }, autoApprove: [] },
    off: { command: "sh", disabled: true },
    unset: { type: "http", url: "https://x.test/${NOT_SET_HERE}", headers: { "X-Key": "k" } },
  });
  const project = join(folders.workspace, ".mcp.json");
  const user = join(folders.home, "mcp.json");
  await mkdir(folders.home, { mode: 0o700 });
  await writeFile(user, JSON.stringify({ mcpServers: { files: { command: "x" } } }));

  const ran = await runInside(list, folders, [
    `--config=project:${project}`,
    `--config=user:${user}`,
    "list",
    "--json",
  ]);

  const base = { source: "project", origin: project, unsetVariables: [], shadowed: [] };
  assert.equal(ran.code, 0);
  assert.deepEqual(ran.notes, []);
  assert.deepEqual(JSON.parse(ran.stdout), {
    servers: [
      {
        ...base,
        name: "broken",
        status: "unresolved",
        transport: null,
        approval: { status: "pending", reason: "unresolved" },
        endpoint: null,
        env: {},
        headers: {},
        notes: [],
        problem: {
          kind: "definition",
          reason: "invalid-type",
          path: "url",
          text: "`url`: the value has the wrong type; expected the address of the server.",
        },
      },
      {
        ...base,
        name: "files",
        status: "resolved",
        transport: "stdio",
        approval: { status: "untrusted" },
        endpoint: "node s.js",
        env: { A: "[redacted]", NODE_OPTIONS: "[redacted]" },
        headers: {},
        notes: [
          INFERRED("stdio"),
          { note: "ignored", text: "Not read by Sallyport, and without effect: `autoApprove`." },
          { note: "code-changing-variable", text: "`NODE_OPTIONS` changes which code runs." },
        ],
        shadowed: [{ source: "user", origin: user }],
      },
      {
        ...base,
        name: "off",
        status: "disabled",
        transport: "stdio",
        approval: { status: "untrusted" },
        endpoint: "sh",
        env: {},
        headers: {},
        notes: [
          INFERRED("stdio"),
          {
            note: "shell",
            text: "The command is a shell or a launcher: it runs whatever its arguments say.",
          },
        ],
      },
      {
        ...base,
        name: "unset",
        status: "misconfigured",
        transport: "http",
        approval: { status: "untrusted" },
        endpoint: "https://x.test/${NOT_SET_HERE}",
        env: {},
        headers: { "X-Key": "[redacted]" },
        notes: [],
        unsetVariables: [{ variable: "NOT_SET_HERE", path: "url" }],
      },
    ],
    sourceProblems: [],
  });
});

test("M5 list --json has the pinned shape of source problems, lists the rest, and answers 2", async (t) => {
  const folders = await hostFolders(t, { files: { command: "node" } });
  const broken = join(folders.workspace, "broken.json");
  const missing = join(folders.workspace, "missing.json");
  await writeFile(broken, '{ "mcpServers": {\n  oops');

  const ran = await runInside(list, folders, [
    `--config=local:${broken}`,
    `--config=project:${join(folders.workspace, ".mcp.json")}`,
    `--config=user:${missing}`,
    "list",
    "--json",
  ]);

  const document = JSON.parse(ran.stdout);
  const brokenText = `${broken} has a syntax error (line 2, column 3).`;
  const missingText = `${missing} cannot be read: check that it is a file and that you may read it.`;
  assert.equal(ran.code, 2);
  assert.deepEqual(
    document.servers.map(({ name }: { name: string }) => name),
    ["files"],
  );
  assert.deepEqual(document.sourceProblems, [
    { source: "local", origin: broken, reason: "invalid-syntax", line: 2, column: 3, text: brokenText },
    { source: "user", origin: missing, reason: "unreadable-file", text: missingText },
  ]);
  assert.deepEqual(ran.notes, [`sallyport: ${brokenText}`, `sallyport: ${missingText}`]);
});

test("D16 the table for people shows what needs a look below it", async (t) => {
  const folders = await hostFolders(t, {
    broken: { url: 5 },
    unset: { type: "http", url: "https://x.test/${NOT_SET_HERE}" },
  });
  const project = join(folders.workspace, ".mcp.json");

  const ran = await runInside(list, folders, [`--config=project:${project}`, "list"]);

  assert.equal(ran.code, 0);
  assert.deepEqual(ran.stdout.split("\n"), [
    "NAME    SOURCE   TRANSPORT  STATUS         APPROVAL              ENDPOINT",
    "broken  project  -          unresolved     pending (unresolved)  -",
    "unset   project  http       misconfigured  untrusted             https://x.test/${NOT_SET_HERE}",
    "broken: `url`: the value has the wrong type; expected the address of the server.",
    "unset: the variable NOT_SET_HERE in `url` has no value.",
    "",
  ]);
});
