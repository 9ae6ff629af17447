import assert from "node:assert/strict";
import { mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";

import {
  type HomeFolderOptions,
  localConfigPath,
  managedConfigPath,
  resolveHomeFolder,
  userConfigPath,
} from "../../../src/adapters/files/home-folder.ts";
import type { Environment } from "../../../src/domain/definition/resolution.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

function environmentOf(values: Readonly<Record<string, string>>): Environment {
  return (name) => values[name];
}

const EMPTY = environmentOf({});

async function assertHome(options: HomeFolderOptions, expected: string): Promise<void> {
  assert.deepEqual(await resolveHomeFolder(options), { ok: true, value: expected });
}

async function assertRefused(options: HomeFolderOptions, reason: string): Promise<void> {
  assert.deepEqual(await resolveHomeFolder(options), { ok: false, refusal: { kind: "home", reason } });
}

async function makeBase(t: TestContext): Promise<{ readonly base: string; readonly platformFolder: string }> {
  const base = await tempFolder(t);
  return { base, platformFolder: join(base, "config", "sallyport") };
}

test("M1 the flag is stronger than the environment, and the environment than the platform's folder", async (t) => {
  const { base, platformFolder } = await makeBase(t);
  const environment = environmentOf({ SALLYPORT_HOME: join(base, "environment") });

  await assertHome({ environment, platformFolder, homeFlag: join(base, "flag") }, join(base, "flag"));
  await assertHome({ environment, platformFolder }, join(base, "environment"));
  await assertHome({ environment: EMPTY, platformFolder }, platformFolder);
});

test("M1 an empty variable counts as unset", async (t) => {
  const { platformFolder } = await makeBase(t);

  await assertHome({ environment: environmentOf({ SALLYPORT_HOME: "" }), platformFolder }, platformFolder);
});

test("M1 the platform's folder is the one for configuration, and named for the package alone", async () => {
  const home = await resolveHomeFolder({ environment: EMPTY });

  assert.ok(home.ok);
  assert.match(home.value, /[\\/]sallyport([\\/]Config)?$/);
});

test("M1 finding the home creates nothing", async (t) => {
  const { base, platformFolder } = await makeBase(t);

  await resolveHomeFolder({ environment: EMPTY, platformFolder });

  assert.deepEqual(await readdir(base), []);
});

test("M1 a relative flag is meant from the current folder", async (t) => {
  const { base } = await makeBase(t);

  await assertHome(
    { environment: EMPTY, homeFlag: relative(process.cwd(), join(base, "flag")) },
    join(base, "flag"),
  );
});

for (const value of ["sallyport", "./home", "~/home"]) {
  test(`M1 a home of ${value} in the environment is refused, since the current folder would choose it`, async () => {
    await assertRefused({ environment: environmentOf({ SALLYPORT_HOME: value }) }, "home-not-absolute");
  });
}

test("M1 a relative platform folder is refused, as a relative XDG_CONFIG_HOME would make it", async () => {
  await assertRefused({ environment: EMPTY, platformFolder: "config/sallyport" }, "home-not-absolute");
});

test("M1 symbolic links on the way to the home are resolved, whether it exists yet or not", async (t) => {
  const { base } = await makeBase(t);
  await mkdir(join(base, "real"));
  await symlink(join(base, "real"), join(base, "link"));

  await assertHome(
    { environment: EMPTY, homeFlag: join(base, "link", "a", "b") },
    join(base, "real", "a", "b"),
  );
  await mkdir(join(base, "real", "a", "b"), { recursive: true });
  await assertHome(
    { environment: EMPTY, homeFlag: join(base, "link", "a", "b") },
    join(base, "real", "a", "b"),
  );
});

test("M1 a home that leads nowhere or through a file is unusable", async (t) => {
  const { base } = await makeBase(t);
  await symlink(join(base, "nowhere"), join(base, "dangling"));
  await writeFile(join(base, "file"), "");

  for (const home of ["dangling", "dangling/home", "file/home"]) {
    await assertRefused({ environment: EMPTY, homeFlag: join(base, home) }, "home-unusable");
  }
});

test("M1 a home beside the workspace is accepted, even when its name starts the same", async (t) => {
  const { base } = await makeBase(t);
  const workspace = join(base, "work");
  await mkdir(workspace);

  await assertHome(
    { environment: EMPTY, homeFlag: join(base, "work-home"), workspace },
    join(base, "work-home"),
  );
});

test("M1 a home inside the workspace is refused, however it is spelled", async (t) => {
  const { base } = await makeBase(t);
  const workspace = join(base, "Work");
  await mkdir(workspace);
  await symlink(workspace, join(base, "link"));

  const inside = [
    join(workspace, "home"),
    join(workspace, "deep", "er", "home"),
    workspace,
    `${base}/other/../Work/home`,
    join(base, "link", "home"),
    join(base, "wORK", "home"),
  ];
  for (const homeFlag of inside) {
    await assertRefused({ environment: EMPTY, homeFlag, workspace }, "home-in-workspace");
    await assertRefused(
      { environment: environmentOf({ SALLYPORT_HOME: homeFlag }), workspace: join(base, "link") },
      "home-in-workspace",
    );
  }
});

test("M1 a workspace inside the home is refused too", async (t) => {
  const { base } = await makeBase(t);
  const workspace = join(base, "home", "workspaces");
  await mkdir(workspace, { recursive: true });

  await assertRefused({ environment: EMPTY, homeFlag: join(base, "home"), workspace }, "home-in-workspace");
});

test("M1 the root folder as workspace leaves no place for a home", async (t) => {
  const { base } = await makeBase(t);

  await assertRefused(
    { environment: EMPTY, homeFlag: join(base, "home"), workspace: "/" },
    "home-in-workspace",
  );
});

test("M1 a file in the workspace has no say in where the home is", async (t) => {
  const { base, platformFolder } = await makeBase(t);
  const workspace = join(base, "work");
  await mkdir(workspace);
  await writeFile(join(workspace, ".env"), `SALLYPORT_HOME=${workspace}\n`);
  await writeFile(join(workspace, ".mcp.json"), JSON.stringify({ home: workspace, mcpServers: {} }));

  await assertHome({ environment: EMPTY, platformFolder, workspace }, platformFolder);
});

test("M1 managed definitions have their place on each platform", () => {
  const windows = environmentOf({ ProgramData: "D:\\Data" });

  assert.equal(managedConfigPath("linux", EMPTY), "/etc/sallyport/mcp.json");
  assert.equal(managedConfigPath("freebsd", EMPTY), "/etc/sallyport/mcp.json");
  assert.equal(managedConfigPath("darwin", EMPTY), "/Library/Application Support/sallyport/mcp.json");
  assert.equal(managedConfigPath("win32", windows), "D:\\Data\\sallyport\\mcp.json");
  assert.equal(managedConfigPath("win32", EMPTY), "C:\\ProgramData\\sallyport\\mcp.json");
});

test("M1 user and local definitions are in the home, local ones by the workspace's root", () => {
  const local = localConfigPath("/home/u/.config/sallyport", "/work/one");

  assert.equal(userConfigPath("/home/u/.config/sallyport"), "/home/u/.config/sallyport/mcp.json");
  assert.match(local, /^\/home\/u\/\.config\/sallyport\/workspaces\/[0-9a-f]{32}\/mcp\.json$/);
  assert.notEqual(local, localConfigPath("/home/u/.config/sallyport", "/work/two"));
});

test("M1 nothing of the home is touched while looking for it", async (t) => {
  const { base } = await makeBase(t);
  const home = join(base, "home");
  await mkdir(home, { mode: 0o755 });

  await assertHome({ environment: EMPTY, homeFlag: home }, home);

  assert.equal((await stat(home)).mode & 0o777, 0o755);
});
