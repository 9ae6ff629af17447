import assert from "node:assert/strict";
import { chmod, copyFile, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { explain } from "../../../src/composition/cli/explain.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import type { McpHost } from "../../../src/composition/host/mcp-host.ts";
import { valueOf } from "../../kit/activation.ts";
import { runInside } from "../../kit/commands.ts";
import { accepting, startGuardedServer, type GuardedServer } from "../../kit/guarded-server.ts";
import { hostFolders, hostIn, writeProject, type HostFolders } from "../../kit/hosts.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

interface Place {
  readonly server: GuardedServer;
  readonly folders: HostFolders;
  readonly helper: string;
  /** Each run appends a line with what it was started with. */
  readonly runs: () => Promise<
    readonly { readonly argv: readonly string[]; readonly cwd: string; readonly keys: readonly string[] }[]
  >;
}

/** A server that wants a header, and a program that prints it. */
async function place(t: TestContext, { token = "good" } = {}): Promise<Place> {
  const server = await startGuardedServer(t, accepting("Bearer good"));
  const folder = await tempFolder(t);
  const helper = join(folder, "helper");
  const log = join(folder, "runs.jsonl");
  const script = [
    `#!${process.execPath}`,
    'const { appendFileSync } = require("node:fs");',
    `const facts = { argv: process.argv.slice(2), cwd: process.cwd(), keys: Object.keys(process.env) };`,
    `appendFileSync(${JSON.stringify(log)}, JSON.stringify(facts) + "\\n");`,
    `console.log(JSON.stringify({ Authorization: "Bearer ${token}" }));`,
  ];
  await writeFile(helper, script.join("\n"));
  await chmod(helper, 0o755);
  const entry = { type: "http", url: server.url, headersHelper: { command: helper, args: ["--for", "web"] } };
  const folders = await hostFolders(t, { web: entry });
  return {
    server,
    folders,
    helper,
    runs: async () => {
      const text = await readFile(log, "utf8").catch(() => "");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
  };
}

const call = (host: McpHost) => host.call("web__echo", { text: "hi" });

async function approved(host: McpHost): Promise<McpHost> {
  valueOf(await host.setTrusted(true));
  valueOf(await host.approve("web"));
  return host;
}

const environment = (name: string) =>
  name === "PATH" ? process.env["PATH"] : name === "CANARY" ? "x" : undefined;

test("U4 an approved helper supplies the headers, runs once a connection, and gets nothing but the base environment", async (t) => {
  const { folders, runs } = await place(t);
  const host = await approved(await hostIn(t, folders, { environment }));

  const answers = [await call(host), await call(host)];

  assert.deepEqual(
    answers.map(({ ok }) => ok),
    [true, true],
  );
  assert.deepEqual(await runs(), [{ argv: ["--for", "web"], cwd: folders.workspace, keys: ["PATH"] }]);
});

test("U4 a helper that was not approved is not run, and its server not contacted", async (t) => {
  const { folders, runs, server } = await place(t);
  const host = await hostIn(t, folders);
  valueOf(await host.setTrusted(true));

  const refused = await call(host);

  assert.partialDeepStrictEqual(refused, {
    ok: false,
    refusal: { refusal: { kind: "activation", reason: "pending" } },
  });
  assert.deepEqual([await runs(), server.seen], [[], []]);
});

test("M2 approving fixes the helper's real path: another file behind it is helper-not-allowed and not run", async (t) => {
  const { folders, runs, server, helper } = await place(t);
  const host = await approved(await hostIn(t, folders));
  await rename(helper, `${helper}.old`);
  await copyFile(`${helper}.old`, `${helper}.new`);
  await symlink(`${helper}.new`, helper);

  const refused = await call(host);

  assert.partialDeepStrictEqual(refused, {
    ok: false,
    refusal: { refusal: { kind: "auth", reason: "helper-not-allowed" } },
  });
  assert.deepEqual([await runs(), server.seen], [[], []]);
});

test("A2 another argument of the helper makes the approval stale", async (t) => {
  const { folders, runs, server, helper } = await place(t);
  const host = await approved(await hostIn(t, folders));
  await writeProject(folders.workspace, {
    web: { type: "http", url: server.url, headersHelper: { command: helper, args: ["--for", "evil"] } },
  });
  await host.reload();

  const refused = await call(host);

  assert.partialDeepStrictEqual(refused, {
    ok: false,
    refusal: { refusal: { kind: "activation", reason: "stale" } },
  });
  assert.deepEqual([await runs(), server.seen], [[], []]);
});

test("U4 an approval that another process revoked meanwhile stops the next run", async (t) => {
  const { folders, runs } = await place(t, { token: "bad" });
  const host = await approved(await hostIn(t, folders));
  const other = await hostIn(t, folders);
  valueOf(await other.revoke("web"));

  const refused = await call(host);

  assert.equal(refused.ok, false);
  assert.deepEqual(await runs(), []);
});

test("U2 headers that are refused are fetched anew once, and the second refusal is the end", async (t) => {
  const { folders, runs, server } = await place(t, { token: "bad" });
  const host = await approved(await hostIn(t, folders));

  const refused = await call(host);

  assert.partialDeepStrictEqual(refused, {
    ok: false,
    refusal: { refusal: { kind: "auth", reason: "rejected" } },
  });
  assert.equal((await runs()).length, 2);
  assert.deepEqual(
    server.seen.map(({ authorization }) => authorization),
    ["Bearer bad", "Bearer bad"],
  );
});

test("M4 a helper that is a shell needs its own yes", async (t) => {
  const { server, folders } = await place(t);
  await writeProject(folders.workspace, {
    web: { type: "http", url: server.url, headersHelper: { command: "/bin/sh", args: ["-c", "echo {}"] } },
  });
  const host = await hostIn(t, folders);
  valueOf(await host.setTrusted(true));

  const refused = await host.approve("web");
  const allowed = valueOf(await host.approve("web", { allowShell: true }));

  assert.partialDeepStrictEqual(refused, {
    ok: false,
    refusal: { kind: "host", reason: "needs-allow-shell" },
  });
  assert.equal(allowed.launch?.allowShell, true);
});

test("D16 who approves sees the program that prints the headers, by its real path", async (t) => {
  const { folders, helper } = await place(t);
  await runInside(trust, folders, ["trust", "--yes"]);

  const shown = await runInside(explain, folders, ["explain", "web"]);
  const json = await runInside(explain, folders, ["explain", "web", "--json"]);
  const asked = await runInside(approve, folders, ["approve", "web"], { answer: async () => "yes" });

  for (const text of [shown.stdout, asked.notes.join("\n")])
    assert.ok(text.includes(`for headers: ${helper}`), text);
  assert.equal(JSON.parse(json.stdout).launch.executable, helper);
  assert.equal(asked.code, 0);
});
