import assert from "node:assert/strict";
import { access, chmod, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { reject } from "../../../src/composition/cli/deny.ts";
import { list } from "../../../src/composition/cli/list.ts";
import { trust, untrust } from "../../../src/composition/cli/trust.ts";
import { runInside, type InsideOptions } from "../../kit/commands.ts";
import { hostFolders, writeProject, type HostFolders } from "../../kit/hosts.ts";

const YES: InsideOptions = { answer: async () => "yes" };
const NO: InsideOptions = { answer: async () => "no" };

async function trusted(t: TestContext, mcpServers: unknown): Promise<HostFolders> {
  const folders = await hostFolders(t, mcpServers);
  await runInside(trust, folders, ["trust", "--yes"]);
  return folders;
}

async function statusOf(folders: HostFolders, name: string): Promise<unknown> {
  const listed = await runInside(list, folders, ["list", "--json"]);
  const servers: readonly { name: string; approval: unknown }[] = JSON.parse(listed.stdout).servers;
  return servers.find((server) => server.name === name)?.approval;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const node = { command: process.execPath, args: ["server.js"] };

test("M2 approving shows what would be started, asks, and a yes is recorded", async (t) => {
  const folders = await trusted(t, { files: { ...node, env: { PLAIN: "canary-value" } } });

  const ran = await runInside(approve, folders, ["approve", "files"], YES);

  assert.equal(ran.code, 0);
  assert.equal(ran.stdout, "approved files\n");
  assert.deepEqual(ran.asked, ["Approve files?"]);
  const shown = ran.notes.join("\n");
  for (const fact of [process.execPath, folders.workspace, "args[0]: server.js", "env.PLAIN: [redacted]"]) {
    assert.ok(shown.includes(fact), fact);
  }
  assert.doesNotMatch(shown, /canary/);
  assert.deepEqual(await statusOf(folders, "files"), { status: "approved" });
});

test("M2 a no writes nothing and answers 6", async (t) => {
  const folders = await trusted(t, { files: node });

  const ran = await runInside(approve, folders, ["approve", "files"], NO);

  assert.equal(ran.code, 6);
  assert.equal(ran.stdout, "");
  assert.equal(ran.notes.at(-1), "sallyport: nothing was written");
  assert.equal(await exists(join(folders.home, "approvals.json")), false);
});

test("M6 with nobody to ask nothing is written, and the very command that says yes is told", async (t) => {
  const folders = await trusted(t, { files: { ...node, env: { NODE_OPTIONS: "x" } } });

  const ran = await runInside(approve, folders, ["approve", "files", "--allow-env", "NODE_OPTIONS"]);

  assert.equal(ran.code, 6);
  const fix = /to say yes beforehand: sallyport (.+)$/.exec(ran.notes.at(-1) ?? "")?.[1]?.split(" ");
  assert.deepEqual(fix, [
    `--workspace=${folders.workspace}`,
    `--home=${folders.home}`,
    "approve",
    "files",
    "--allow-env=NODE_OPTIONS",
    "--yes",
  ]);
  assert.equal(await exists(join(folders.home, "approvals.json")), false);
  assert.equal((await runInside(approve, folders, fix?.slice(2) ?? [])).code, 0);
});

test("M4 variables that change which code runs and a shell need their own flags, told at once and before any question", async (t) => {
  const folders = await trusted(t, {
    risky: { command: "sh", args: ["-c", "x"], env: { NODE_OPTIONS: "x", LD_PRELOAD: "y", PLAIN: "z" } },
  });

  const refused = await runInside(approve, folders, ["approve", "risky"], YES);
  const half = await runInside(approve, folders, ["approve", "risky", "--allow-shell"], YES);
  const flags = ["--allow-env=LD_PRELOAD", "--allow-env=NODE_OPTIONS", "--allow-shell"];
  const given = await runInside(approve, folders, ["approve", "risky", ...flags], YES);

  assert.deepEqual([refused.code, half.code, given.code], [6, 6, 0]);
  assert.deepEqual([refused.asked, half.asked, given.asked], [[], [], ["Approve risky?"]]);
  assert.ok(refused.notes.at(-1)?.endsWith(`approve risky ${flags.join(" ")}`), refused.notes.at(-1));
  assert.ok(
    refused.notes.some((line) => line === "  env.LD_PRELOAD: [redacted]   ! changes which code runs"),
  );
  assert.ok(refused.notes.some((line) => /^starts: .* ! runs whatever its arguments say$/.test(line)));
});

test("M4 a variable that the definition does not set cannot be allowed", async (t) => {
  const folders = await trusted(t, { files: node });

  const ran = await runInside(approve, folders, ["approve", "files", "--allow-env", "OTHER"], YES);

  assert.equal(ran.code, 2);
  assert.deepEqual(ran.asked, []);
});

test("A4 in an untrusted workspace nothing is shown, asked or written, and the command is trust", async (t) => {
  const folders = await hostFolders(t, { files: node });

  const ran = await runInside(approve, folders, ["approve", "files"], YES);

  assert.equal(ran.code, 6);
  assert.deepEqual(ran.asked, []);
  assert.equal(ran.notes.length, 1);
  assert.match(ran.notes[0] ?? "", /not trusted.*: sallyport --workspace=\S+ --home=\S+ trust$/);
  assert.equal(await exists(folders.home), false);
});

test("M2 an executable that is replaced while the person reads is not approved", async (t) => {
  const folders = await trusted(t, { tool: { command: "./tool" } });
  const [one, two, tool] = ["one", "two", "tool"].map((name) => join(folders.workspace, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [one, two]) {
    await writeFile(path, "#!/bin/false\n");
    await chmod(path, 0o755);
  }
  await symlink(one, tool);

  const ran = await runInside(approve, folders, ["approve", "tool", "--json"], {
    answer: async () => {
      await rm(tool);
      await symlink(two, tool);
      return "yes";
    },
  });

  assert.equal(ran.code, 6);
  assert.equal(JSON.parse(ran.stdout).error.reason, "changed-meanwhile");
  assert.equal(await exists(join(folders.home, "approvals.json")), false);
});

test("A3 a definition that changed is stale, and the next approval shows what changed, field by field", async (t) => {
  const folders = await trusted(t, { files: { ...node, env: { A: "one" } } });
  await runInside(approve, folders, ["approve", "files", "--yes"]);
  await writeProject(folders.workspace, {
    files: { command: process.execPath, args: ["other.js", "more"], env: { A: "two" } },
  });

  const status = await statusOf(folders, "files");
  const ran = await runInside(approve, folders, ["approve", "files"], NO);

  assert.deepEqual(status, { status: "stale", reason: "fingerprint" });
  const from = ran.notes.indexOf("changed since the last approval:");
  assert.deepEqual(ran.notes.slice(from, from + 4), [
    "changed since the last approval:",
    "  ~ args[0]: server.js -> other.js",
    "  + args[1]: more",
    "  ~ env.A",
  ]);
});

test("D16 a name and arguments that would move the cursor or reorder the line are shown escaped", async (t) => {
  const folders = await trusted(t, { files: { command: process.execPath, args: ["\u001b[2K\u202eexe"] } });

  const ran = await runInside(approve, folders, ["approve", "files"], NO);

  assert.ok(ran.notes.includes("  args[0]: \\u{1b}[2K\\u{202e}exe"), ran.notes.join("\n"));
});

test("M2 approve, reject and trust --json answer with what was written", async (t) => {
  const folders = await hostFolders(t, { files: node });

  const trustedRan = await runInside(trust, folders, ["trust", "--yes", "--json"]);
  const approved = await runInside(approve, folders, ["approve", "files", "--yes", "--json"]);
  const rejected = await runInside(reject, folders, ["reject", "files", "--json"]);

  const { repositoryIdentity, ...workspace } = JSON.parse(trustedRan.stdout);
  assert.deepEqual(workspace, { workspace: folders.workspace, trusted: true, generation: 1 });
  assert.match(repositoryIdentity, /^[0-9a-f]{64}$/);
  for (const [ran, decision] of [
    [approved, "approved"],
    [rejected, "rejected"],
  ] as const) {
    const { fingerprint, ...rest } = JSON.parse(ran.stdout);
    assert.match(fingerprint, /^[0-9a-f]{64}$/);
    assert.deepEqual(rest, { name: "files", decision, authority: "user", source: "project" });
  }
});

test("A4 trust asks; untrust, like every no, does not, and takes every approval with it", async (t) => {
  const folders = await hostFolders(t, { files: node });

  const nobody = await runInside(trust, folders, ["trust"]);
  const no = await runInside(trust, folders, ["trust"], NO);
  const before = await statusOf(folders, "files");
  const yes = await runInside(trust, folders, ["trust"], YES);
  await runInside(approve, folders, ["approve", "files", "--yes"]);
  const withdrawn = await runInside(untrust, folders, ["untrust"]);
  await runInside(trust, folders, ["trust", "--yes"]);

  assert.deepEqual([nobody.code, no.code, yes.code, withdrawn.code], [6, 6, 0, 0]);
  assert.deepEqual([nobody.asked.length, withdrawn.asked.length], [1, 0]);
  assert.deepEqual(before, { status: "untrusted" });
  assert.deepEqual(await statusOf(folders, "files"), { status: "stale", reason: "generation" });
});

test("A4 a server can be rejected while its file is broken", async (t) => {
  const folders = await trusted(t, { files: node });
  await runInside(approve, folders, ["approve", "files", "--yes"]);
  await writeFile(join(folders.workspace, ".mcp.json"), "{");

  const ran = await runInside(reject, folders, ["reject", "files"]);

  assert.equal(ran.code, 0);
  await writeProject(folders.workspace, { files: node });
  assert.deepEqual(await statusOf(folders, "files"), { status: "rejected", reason: "by user" });
});

test("M5 a name that nobody configured answers 2 and writes nothing", async (t) => {
  const folders = await trusted(t, { files: node });

  const ran = await runInside(approve, folders, ["approve", "nobody", "--json"], YES);

  assert.equal(ran.code, 2);
  assert.equal(JSON.parse(ran.stdout).error.reason, "unknown-server");
  assert.equal(await exists(join(folders.home, "approvals.json")), false);
});

test("D17 approvals on disk hold no value of a variable", async (t) => {
  const folders = await trusted(t, { files: { ...node, env: { API_TOKEN: "canary-0123456789" } } });

  await runInside(approve, folders, ["approve", "files", "--yes"]);

  const stored = await readFile(join(folders.home, "approvals.json"), "utf8");
  assert.match(stored, /API_TOKEN/);
  assert.doesNotMatch(stored, /canary/);
});
