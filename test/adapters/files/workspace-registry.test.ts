import assert from "node:assert/strict";
import { mkdir, readFile, readdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { createFileWorkspaceRegistry } from "../../../src/adapters/files/workspace-registry.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import type { Workspace } from "../../../src/domain/activation/approval.ts";
import type { WorkspaceRegistry } from "../../../src/ports/approval-store.ts";
import { NEVER, valueOf } from "../../kit/activation.ts";
import { tempFolder } from "../../kit/temp-folder.ts";
import {
  type RegistryUnderTest,
  workspaceRegistryContract,
} from "../../ports/workspace-registry.contract.ts";

interface Place extends RegistryUnderTest {
  readonly base: string;
  readonly home: string;
}

async function makePlace(t: TestContext): Promise<Place> {
  const base = await tempFolder(t);
  const [home, folder, otherFolder] = [join(base, "home"), join(base, "one"), join(base, "two")];
  await mkdir(folder);
  await mkdir(otherFolder);
  return {
    base,
    home,
    registry: createFileWorkspaceRegistry({ folder: home, clock: createSystemClock() }),
    folder,
    otherFolder,
    missingFolder: join(base, "none"),
    replace: async (path) => {
      await rm(path, { recursive: true });
      await mkdir(path);
    },
  };
}

workspaceRegistryContract("file", makePlace);

async function look(registry: WorkspaceRegistry, folder: string): Promise<Workspace> {
  return valueOf(await registry.inspect(folder, { signal: NEVER }));
}

async function trust(registry: WorkspaceRegistry, folder: string, trusted = true): Promise<Workspace> {
  return valueOf(await registry.setTrusted(folder, trusted, { signal: NEVER }));
}

test("M1 looking at a workspace that nobody trusted writes nothing anywhere", async (t) => {
  const { base, home, folder, registry } = await makePlace(t);

  await look(registry, folder);

  await assert.rejects(stat(home), { code: "ENOENT" });
  assert.deepEqual((await readdir(base, { recursive: true })).toSorted(), ["one", "two"]);
});

test("M1 trusting a workspace writes one owner-only file in the home, and nothing into the workspace", async (t) => {
  const { home, folder, registry } = await makePlace(t);

  await trust(registry, folder);

  assert.deepEqual(await readdir(folder), []);
  assert.deepEqual(await readdir(home), ["workspaces.json"]);
  assert.equal((await stat(join(home, "workspaces.json"))).mode & 0o777, 0o600);
});

test("A2 trust outlives the process: another registry on the same home knows it", async (t) => {
  const { home, folder, registry } = await makePlace(t);
  const trusted = await trust(registry, folder);

  const again = createFileWorkspaceRegistry({ folder: home, clock: createSystemClock() });

  assert.deepEqual(await look(again, folder), trusted);
});

test("A2 a workspace reached through a symbolic link, or by a roundabout path, is the one it leads to", async (t) => {
  const { base, folder, registry } = await makePlace(t);
  const trusted = await trust(registry, folder);
  await symlink(folder, join(base, "link"));

  assert.deepEqual(await look(registry, join(base, "link")), trusted);
  assert.deepEqual(await look(registry, `${base}/two/../one/.`), trusted);
});

test("A2 a symbolic link that was turned to another folder does not carry the trust along", async (t) => {
  const { base, folder, otherFolder, registry } = await makePlace(t);
  const link = join(base, "link");
  await symlink(folder, link);
  await trust(registry, link);

  await rm(link);
  await symlink(otherFolder, link);

  assert.equal((await look(registry, link)).trusted, false);
});

test("A2 trusting a folder trusts neither the folders in it nor the one above it", async (t) => {
  const { base, folder, registry } = await makePlace(t);
  const nested = join(folder, "node_modules", "package");
  await mkdir(nested, { recursive: true });
  await trust(registry, folder);

  assert.equal((await look(registry, nested)).trusted, false);
  assert.equal((await look(registry, base)).trusted, false);
});

test("A2 what a checkout does inside a trusted workspace leaves it trusted", async (t) => {
  const { folder, registry } = await makePlace(t);
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, "a"), "1");
  const trusted = await trust(registry, folder);

  await rm(join(folder, "a"));
  await rm(join(folder, ".git"), { recursive: true });
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, "b"), "2");
  await utimes(folder, new Date(0), new Date(0));

  assert.deepEqual(await look(registry, folder), trusted);
});

test("A2 a trusted workspace that was moved away and back without being looked at is the same one", async (t) => {
  const { folder, registry } = await makePlace(t);
  const trusted = await trust(registry, folder);

  await rename(folder, `${folder}.away`);
  await rename(`${folder}.away`, folder);

  assert.deepEqual(await look(registry, folder), trusted);
});

test("A2 once another folder was seen in its place, the old one is not trusted when it comes back", async (t) => {
  const { folder, registry } = await makePlace(t);
  const trusted = await trust(registry, folder);
  await rename(folder, `${folder}.away`);
  await mkdir(folder);
  await look(registry, folder);
  await rm(folder, { recursive: true });
  await rename(`${folder}.away`, folder);

  const back = await look(registry, folder);

  assert.equal(back.trusted, false);
  assert.ok(back.generation > trusted.generation);
});

test("A2 a replaced folder is not trusted even when the home cannot be written", async (t) => {
  const place = await makePlace(t);
  const { home, folder, registry } = place;
  await trust(registry, folder);
  await place.replace(folder);
  // Somebody holds the lock for longer than this registry waits.
  await mkdir(join(home, "workspaces.json.lock"));
  const impatient = createFileWorkspaceRegistry({ folder: home, clock: createSystemClock(), lockWaitMs: 0 });
  const before = await readFile(join(home, "workspaces.json"), "utf8");

  const seen = await look(impatient, folder);

  assert.deepEqual([seen.trusted, seen.generation], [false, 2]);
  assert.equal(await readFile(join(home, "workspaces.json"), "utf8"), before);
});

test("A2 a file is no workspace", async (t) => {
  const { base, registry } = await makePlace(t);
  await writeFile(join(base, "file"), "");

  assert.deepEqual(await registry.inspect(join(base, "file"), { signal: NEVER }), {
    ok: false,
    refusal: { kind: "store", reason: "workspace-missing" },
  });
});

test("A2 a registry that is corrupt trusts nothing, refuses, and is not overwritten", async (t) => {
  const { home, folder, registry } = await makePlace(t);
  await trust(registry, folder);
  const path = join(home, "workspaces.json");
  await writeFile(path, '{"version":1,"workspaces":"all"}');

  const refused = { ok: false, refusal: { kind: "store", reason: "store-corrupt" } };
  assert.deepEqual(await registry.inspect(folder, { signal: NEVER }), refused);
  assert.deepEqual(await registry.setTrusted(folder, true, { signal: NEVER }), refused);
  assert.equal(await readFile(path, "utf8"), '{"version":1,"workspaces":"all"}');
});
