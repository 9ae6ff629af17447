import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { explain } from "../../src/composition/cli/explain.ts";
import { runInside } from "../kit/commands.ts";
import { hostFolders } from "../kit/hosts.ts";

test("M5 explain --json has the pinned shape for a server that would be started", async (t) => {
  const folders = await hostFolders(t, {
    files: { type: "stdio", command: process.execPath, args: ["s.js"], env: { NODE_OPTIONS: "x" } },
  });
  const project = join(folders.workspace, ".mcp.json");
  const places = [`--config=project:${project}`, `--config=project:${project}`];

  const ran = await runInside(explain, folders, [...places, "explain", "files", "--json"]);

  const { fingerprint, launch, ...rest } = JSON.parse(ran.stdout);
  assert.equal(ran.code, 0);
  assert.match(fingerprint, /^[0-9a-f]{64}$/);
  assert.deepEqual(launch, {
    foundAt: process.execPath,
    executable: launch.executable,
    cwd: folders.workspace,
    envKeys: ["NODE_OPTIONS"],
    codeChangingEnvKeys: ["NODE_OPTIONS"],
    shell: false,
  });
  assert.deepEqual(rest, {
    name: "files",
    source: "project",
    origin: project,
    status: "resolved",
    transport: "stdio",
    approval: { status: "untrusted" },
    won: "first-given",
    shadowed: [{ source: "project", origin: project }],
    covered: [
      { path: "transport", shown: "stdio", changesCode: false },
      { path: "command", shown: process.execPath, changesCode: false },
      { path: "args[0]", shown: "s.js", changesCode: false },
      { path: "env.NODE_OPTIONS", shown: "[redacted]", changesCode: true },
    ],
    changes: [],
    contact: null,
    needs: { allowEnv: ["NODE_OPTIONS"], allowShell: false },
    notes: [{ note: "code-changing-variable", text: "`NODE_OPTIONS` changes which code runs." }],
    unsetVariables: [],
  });
});

test("M5 explain --json has the pinned shape for a server that would be contacted", async (t) => {
  const folders = await hostFolders(t, {
    web: { type: "http", url: "https://x.test/mcp", headers: { Authorization: "Bearer canary-0123456789" } },
  });

  const ran = await runInside(explain, folders, ["explain", "web", "--json"]);

  const document = JSON.parse(ran.stdout);
  assert.equal(document.won, "only-entry");
  assert.equal(document.launch, null);
  assert.deepEqual(document.contact, { url: "https://x.test/mcp" });
  assert.deepEqual(document.covered, [
    { path: "transport", shown: "http", changesCode: false },
    { path: "url", shown: "https://x.test/mcp", changesCode: false },
    { path: "headers.Authorization", shown: "[redacted]", changesCode: false },
  ]);
  assert.doesNotMatch(ran.stdout, /canary/);
});

const OBSTACLES: readonly (readonly [status: string, entry: object, facts: object])[] = [
  [
    "unresolved",
    { url: 5 },
    { fingerprint: null, launch: null, contact: null, obstacle: { kind: "host", reason: "unresolved" } },
  ],
  [
    "misconfigured",
    { url: "https://${NOT_SET_HERE}/" },
    { launch: null, obstacle: { kind: "host", reason: "unset-variable" } },
  ],
  ["disabled", { url: "https://x.test/", disabled: true }, { contact: { url: "https://x.test/" } }],
  [
    "resolved",
    { command: "no-such-program-here" },
    { launch: null, obstacle: { kind: "host", reason: "executable-not-found" } },
  ],
];

for (const [status, entry, facts] of OBSTACLES) {
  test(`M5 explain works for ${JSON.stringify(entry)}, which is ${status}`, async (t) => {
    const folders = await hostFolders(t, { one: entry });

    const ran = await runInside(explain, folders, ["explain", "one", "--json"]);

    const { obstacle, ...document } = JSON.parse(ran.stdout);
    assert.equal(ran.code, 0);
    assert.equal(document.status, status);
    const { message: _, ...closed } = obstacle ?? { message: "" };
    assert.partialDeepStrictEqual({ ...document, ...(obstacle && { obstacle: closed }) }, facts);
  });
}

test("D16 explain for people says why the entry won, what it covers and what it would start", async (t) => {
  const folders = await hostFolders(t, { files: { type: "stdio", command: process.execPath } });

  const ran = await runInside(explain, folders, ["explain", "files"]);

  const lines = ran.stdout.split("\n");
  assert.ok(lines.includes("chosen:      it is the only entry of this name"));
  assert.ok(lines.some((line) => line.startsWith("starts:      /")));
  assert.ok(lines.includes(`in:          ${folders.workspace}`));
  assert.ok(lines.includes("  transport: stdio"));
});
