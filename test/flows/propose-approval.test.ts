import assert from "node:assert/strict";
import { test } from "node:test";

import { proposeApproval } from "../../src/composition/flows/propose-approval.ts";
import type { DefinitionSource } from "../../src/domain/definition/definition.ts";
import { coveredFields } from "../../src/domain/definition/fingerprint.ts";
import { TRUSTED, makeRecord } from "../kit/activation.ts";
import { approvalWorld, finderOf, proposalContextOf } from "../kit/approval-world.ts";
import { containerOf, definitionOf, resolvedIn } from "../kit/definitions.ts";

const NO_TERMS = { allowEnv: [], allowShell: false };

function serverOf(entry: unknown, source: DefinitionSource = "project") {
  return resolvedIn([containerOf(source, { helper: entry })], "helper");
}

test("M2 a bare command is proposed with its real path, its folder and its variable names, and no value", async () => {
  const server = serverOf({ command: "server", args: ["--stdio"], env: { B: "canary-b", A: "canary-a" } });

  const proposal = await proposeApproval(server, NO_TERMS, proposalContextOf());

  assert.ok(proposal.ok);
  assert.deepEqual(proposal.value.launch, {
    foundAt: "/usr/bin/server",
    executable: "/usr/lib/server-1.2",
    cwd: "/work",
    envKeys: ["A", "B"],
    codeChangingEnvKeys: [],
    shell: false,
  });
  assert.deepEqual(proposal.value.missing, { envKeys: [], shell: false });
  assert.doesNotMatch(JSON.stringify(proposal.value), /canary/);
});

test("M2 a server over HTTP is proposed without looking for any program", async () => {
  const finder = finderOf();

  const proposal = await proposeApproval(
    serverOf({ url: "https://mcp.example/" }),
    NO_TERMS,
    proposalContextOf({ finder }),
  );

  assert.ok(proposal.ok);
  assert.equal(proposal.value.launch, undefined);
  assert.deepEqual(finder.asked, []);
});

test("M4 code-changing variables and a shell are missing until they are allowed by name", async () => {
  const server = serverOf({ command: "sh", args: ["-c", "x"], env: { NODE_OPTIONS: "--x", PLAIN: "1" } });

  const without = await proposeApproval(server, NO_TERMS, proposalContextOf());
  const allowed = await proposeApproval(
    server,
    { allowEnv: ["NODE_OPTIONS"], allowShell: true },
    proposalContextOf(),
  );

  assert.ok(without.ok && allowed.ok);
  assert.deepEqual(without.value.missing, { envKeys: ["NODE_OPTIONS"], shell: true });
  assert.deepEqual(allowed.value.missing, { envKeys: [], shell: false });
});

test("M2 a changed definition is proposed with what changed since the newest approval", async () => {
  const old = definitionOf({ command: "server", args: ["--old"] }, { name: "helper" });
  const records = [
    makeRecord({ covered: coveredFields(old), decidedAtMs: 2 }),
    makeRecord({ covered: [], authority: "local", decidedAtMs: 1 }),
  ];

  const proposal = await proposeApproval(
    serverOf({ command: "server", args: ["--new"], env: { A: "1" } }),
    NO_TERMS,
    proposalContextOf({ records }),
  );

  assert.ok(proposal.ok);
  assert.deepEqual(
    proposal.value.changes.map(({ path, change }) => [path, change]),
    [
      ["args[0]", "changed"],
      ["env.A", "added"],
    ],
  );
});

const FOLDERS: readonly (readonly [string, DefinitionSource, string | undefined, string])[] = [
  ["a project server starts in the workspace", "project", undefined, "/work"],
  ["a project server starts in the folder it names, from the workspace", "project", "tools", "/work/tools"],
  ["a user server starts in the person's home", "user", undefined, "/home/ada"],
  ["a user server starts in the folder it names, from the person's home", "user", "notes", "/home/ada/notes"],
  ["a managed server starts in the absolute folder it names", "managed", "/opt/data", "/opt/data"],
];

for (const [fact, source, cwd, expected] of FOLDERS) {
  test(`M2 ${fact}`, async () => {
    const server = serverOf({ command: "server", ...(cwd === undefined ? {} : { cwd }) }, source);

    const proposal = await proposeApproval(server, NO_TERMS, proposalContextOf());

    assert.equal(proposal.ok && proposal.value.launch?.cwd, expected);
  });
}

test("M2 a server that cannot be approved says why, and nothing is looked for before that is known", async () => {
  const finder = finderOf();
  const context = proposalContextOf({ finder });
  const cases: readonly (readonly [string, Parameters<typeof proposeApproval>[0], object])[] = [
    ["unresolved", serverOf({ command: 5 }), {}],
    ["no-workspace", serverOf({ command: "server" }), { workspace: undefined, workspaceFolder: undefined }],
    ["cwd-not-found", serverOf({ command: "server", cwd: "gone" }), {}],
  ];

  for (const [reason, server, changes] of cases) {
    const proposal = await proposeApproval(server, NO_TERMS, { ...context, ...changes });
    assert.deepEqual(proposal, { ok: false, refusal: { kind: "host", reason, serverId: "helper" } });
  }
  assert.deepEqual(finder.asked, []);
});

test("D8 a server with a variable that has no value is not proposed, and the refusal names the variable", async () => {
  const server = serverOf({ command: "server", args: ["${NOT_SET}", "${NOT_SET}"] });

  const proposal = await proposeApproval(server, NO_TERMS, proposalContextOf());

  assert.deepEqual(proposal, {
    ok: false,
    refusal: { kind: "host", reason: "unset-variable", serverId: "helper", keys: ["NOT_SET"] },
  });
});

test("M2 a command that is no file here is refused", async () => {
  const proposal = await proposeApproval(
    serverOf({ command: "nowhere" }),
    NO_TERMS,
    proposalContextOf({ world: approvalWorld() }),
  );

  assert.deepEqual(proposal, {
    ok: false,
    refusal: { kind: "host", reason: "executable-not-found", serverId: "helper" },
  });
});

test("M4 allowing a variable that the definition does not set is refused: it would mean something else later", async () => {
  const proposal = await proposeApproval(
    serverOf({ command: "server", env: { A: "1" } }),
    { allowEnv: ["LD_PRELOAD"], allowShell: false },
    proposalContextOf({ workspace: TRUSTED }),
  );

  assert.deepEqual(proposal, {
    ok: false,
    refusal: { kind: "host", reason: "env-key-not-defined", serverId: "helper", keys: ["LD_PRELOAD"] },
  });
});

for (const [what, args] of [
  ["a flag that looks like a credential's", ["--auth-key", "evil"]],
  ["the format of a token", ["-y", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"]],
  ["a variable that counts as a secret", ["-y", "${AUTH_TOKEN}"]],
] as const) {
  test(`M2 D16 a package that ${what} hides is not proposed, and nothing is looked for`, async () => {
    const finder = finderOf();

    const proposal = await proposeApproval(
      resolvedIn([containerOf("project", { helper: { command: "npx", args } })], "helper", {
        AUTH_TOKEN: "evil",
      }),
      NO_TERMS,
      proposalContextOf({ finder }),
    );

    assert.deepEqual(proposal, {
      ok: false,
      refusal: { kind: "host", reason: "program-hidden", serverId: "helper" },
    });
    assert.deepEqual(finder.asked, []);
  });
}

test("M2 D16 a headers helper whose program is hidden is not proposed either", async () => {
  const headersHelper = { command: "/usr/bin/npx", args: ["--auth-key", "evil"] };

  const proposal = await proposeApproval(
    serverOf({ url: "https://mcp.example/", headersHelper }),
    NO_TERMS,
    proposalContextOf(),
  );

  assert.equal(!proposal.ok && proposal.refusal.reason, "program-hidden");
});
