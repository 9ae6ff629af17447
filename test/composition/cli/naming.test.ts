import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { approve } from "../../../src/composition/cli/approve.ts";
import { auth } from "../../../src/composition/cli/auth.ts";
import { tools } from "../../../src/composition/cli/catalog.ts";
import { revoke } from "../../../src/composition/cli/deny.ts";
import { list } from "../../../src/composition/cli/list.ts";
import { login } from "../../../src/composition/cli/login.ts";
import { logout } from "../../../src/composition/cli/logout.ts";
import { named } from "../../../src/composition/cli/report.ts";
import { trust } from "../../../src/composition/cli/trust.ts";
import type { PageOpening } from "../../../src/ports/page-opener.ts";
import { runInside } from "../../kit/commands.ts";
import { hostFolders } from "../../kit/hosts.ts";
import { startIssuerWorld } from "../../kit/loopback-issuer.ts";

const NAMED: readonly (readonly [name: string, message: string, shown: string])[] = [
  ["server", "The server ended by itself.", "server: The server ended by itself."],
  ["m", "A message came.", "m: A message came."],
  ["http", "Plain http is refused.", "http: Plain http is refused."],
  ["a", "a: it is disabled", "a: it is disabled"],
  ["a", 'Server "a" was rejected', 'Server "a" was rejected'],
  ["a", 'Server "ab" was rejected', 'a: Server "ab" was rejected'],
  ["x\u202e", "x\\u{202e}: it is disabled", "x\\u{202e}: it is disabled"],
];

for (const [name, message, shown] of NAMED) {
  test(`M5 a failure of a server "${name.slice(0, 6)}" is told as ${JSON.stringify(shown)}`, () => {
    assert.equal(named(name, message), shown);
  });
}

test("M5 a name that nobody configured is told once, on stderr", async (t) => {
  const folders = await hostFolders(t, {});

  const ran = await runInside(tools, folders, ["tools", "nope"]);

  assert.equal(ran.stdout, "nope (refused)\n");
  assert.deepEqual(ran.notes, [
    "sallyport: nope: no server of that name is configured; `sallyport list` shows the names",
  ]);
});

test("M5 a file that cannot be read is told once by list, on stderr", async (t) => {
  const folders = await hostFolders(t, {});
  await writeFile(join(folders.workspace, ".mcp.json"), "{");

  const ran = await runInside(list, folders, ["list"]);

  assert.equal(ran.code, 2);
  assert.equal(ran.notes.length, 1);
  assert.doesNotMatch(ran.stdout, /JSON/);
});

test("U5 what takes no sign-in says so before an approval or a terminal is missed", async (t) => {
  const folders = await hostFolders(t, { local: { command: "x" }, odd: { comand: "x" } });

  for (const watched of [true, false]) {
    const ran = await runInside(login, folders, ["login", "local", "--client-id=a"], { watched });
    assert.equal(ran.code, 2);
    assert.match(ran.notes.join("\n"), /^sallyport: local: there is nothing to sign in to/);
  }
  assert.match((await runInside(login, folders, ["login", "odd"])).notes[0] ?? "", /entry cannot be used/);
});

test("U11 signing out of a server that was never signed in says so, and is no failure", async (t) => {
  const folders = await hostFolders(t, { web: { url: "https://x.test/mcp" } });

  const ran = await runInside(logout, folders, ["logout", "web"]);

  assert.deepEqual([ran.code, ran.stdout], [0, "web was not signed in\n"]);
});

test("U12 a record that cannot be read is told with its server's name, and can be signed out of", async (t) => {
  const world = await startIssuerWorld(t);
  const folders = await hostFolders(t, { web: { url: world.url, oauth: {} } });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "web", "--yes"]);
  const openPage = async (url: string): Promise<PageOpening> => {
    void world.browse(url).then((target) => fetch(target));
    return "opened";
  };
  await runInside(login, folders, ["login", "web"], { watched: true, openPage });
  const [record = ""] = await readdir(join(folders.home, "credentials"));
  await writeFile(join(folders.home, "credentials", record), "{");

  const shown = await runInside(auth, folders, ["auth"]);
  const out = await runInside(logout, folders, ["logout", "web"]);
  const again = await runInside(logout, folders, ["logout", "web"]);

  assert.equal(shown.stdout, "web  unknown\n");
  assert.match(shown.notes[0] ?? "", /^sallyport: (?:web: |.*"web")/);
  assert.deepEqual([out.code, out.stdout], [0, "signed out of web (not-attempted)\n"]);
  assert.equal(again.stdout, "web was not signed in\n");
});

test("A4 a second revocation says that it was revoked already", async (t) => {
  const folders = await hostFolders(t, { web: { url: "https://x.test/mcp" } });
  await runInside(trust, folders, ["trust", "--yes"]);
  await runInside(approve, folders, ["approve", "web", "--yes"]);

  const first = await runInside(revoke, folders, ["revoke", "web"]);
  const second = await runInside(revoke, folders, ["revoke", "web"]);

  assert.deepEqual([first.code, first.stdout], [0, "revoked web\n"]);
  assert.deepEqual([second.code, second.stdout], [0, "web was revoked already\n"]);
});

test("M1 without a server the list says where one was looked for", async (t) => {
  const folders = await hostFolders(t, {});
  const { workspace, home } = folders;

  const ran = await runInside(list, folders, ["list"]);
  const named = await runInside(list, folders, ["list", `--config=user:${join(workspace, ".mcp.json")}`]);

  const [head, ...places] = ran.stdout.trimEnd().split("\n");
  assert.equal(head, "No server is configured. Looked for:");
  assert.deepEqual(
    places.map((place) => place.trim().split(": ")[0]),
    ["managed", "local", "project", "user"],
  );
  assert.ok(places[1]?.startsWith(`  local: ${join(home, "workspaces")}`));
  assert.equal(places[2], `  project: ${join(workspace, ".mcp.json")}`);
  assert.equal(named.stdout, `${head}\n  user: ${join(workspace, ".mcp.json")}\n`);
});

test("D1c without a server the list names files of other hosts, and reads none of them", async (t) => {
  const folders = await hostFolders(t, {});
  await mkdir(join(folders.workspace, ".vscode"));
  await writeFile(join(folders.workspace, ".vscode/mcp.json"), "{ not JSON");

  const ran = await runInside(list, folders, ["list"]);

  const hint = ran.stdout.trimEnd().split("\n").at(-1) ?? "";
  assert.match(
    hint,
    /^There is \S*\.vscode\/mcp\.json; read it with --config project:\S*\.vscode\/mcp\.json$/,
  );
  assert.deepEqual([ran.code, ran.notes], [0, []]);
});

test("D3 a misspelt key is told by the list, beside what is missing for it", async (t) => {
  const folders = await hostFolders(t, {
    typo: { comand: "node" },
    kind: { type: "stdio", comand: "node" },
    spare: { command: "node", tols: {} },
  });

  const ran = await runInside(list, folders, ["list"]);

  const told = ran.stdout.split("\n").filter((line) => line.includes("without effect"));
  assert.deepEqual(told, [
    "kind: note: Not read by Sallyport, and without effect: `comand`.",
    "spare: note: Not read by Sallyport, and without effect: `tols`.",
    "typo: note: Not read by Sallyport, and without effect: `comand`.",
  ]);
});

test("U12 auth says when no configured server takes a sign-in, and in JSON has no rows", async (t) => {
  const folders = await hostFolders(t, { files: { command: process.execPath } });

  const told = await runInside(auth, folders, ["auth"]);
  const json = await runInside(auth, folders, ["auth", "--json"]);

  assert.deepEqual([told.code, told.stdout], [0, "No configured server takes a sign-in.\n"]);
  assert.deepEqual([json.code, JSON.parse(json.stdout)], [0, { servers: [] }]);
});

test("M2 a command that runs a published package says that its approval fixes the name alone", async (t) => {
  const folders = await hostFolders(t, {
    fetched: { command: "npx", args: ["-y", "some-server"] },
    own: { command: process.execPath, args: ["server.mjs"] },
  });

  const ran = await runInside(list, folders, ["list", "--json"]);

  const { servers }: { servers: { name: string; notes: { note: string }[] }[] } = JSON.parse(ran.stdout);
  const noted = servers.filter(({ notes }) => notes.some(({ note }) => note === "fetches-code"));
  assert.deepEqual(
    noted.map(({ name }) => name),
    ["fetched"],
  );
});
