/**
 * Faults that other hosts had in public (approvals and their by-passes), each with its smallest input, on the real stores.
 * Definitions are changed the way a commit, a clone or an agent's file tool would.
 */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { createFileApprovalStore } from "../../../src/adapters/files/approval-store.ts";
import { createFileWorkspaceRegistry } from "../../../src/adapters/files/workspace-registry.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import type { ActivationStatus, Workspace } from "../../../src/domain/activation/approval.ts";
import { decideApproval } from "../../../src/domain/activation/decide.ts";
import { connectionMayStay } from "../../../src/domain/activation/live.ts";
import { matchActivation } from "../../../src/domain/activation/match.ts";
import { activationSubject } from "../../../src/domain/activation/subject.ts";
import type { ServerDefinition } from "../../../src/domain/definition/definition.ts";
import type { ApprovalStore, WorkspaceRegistry } from "../../../src/ports/approval-store.ts";
import { NEVER, makeDefinition, makeRecord, valueOf } from "../../kit/activation.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

interface World {
  readonly home: string;
  readonly folder: string;
  readonly approvals: ApprovalStore;
  readonly registry: WorkspaceRegistry;
}

async function makeWorld(t: TestContext): Promise<World> {
  const base = await tempFolder(t);
  const [home, folder] = [join(base, "home"), join(base, "repository")];
  await mkdir(folder);
  const options = { folder: home, clock: createSystemClock() };
  return {
    home,
    folder,
    approvals: createFileApprovalStore(options),
    registry: createFileWorkspaceRegistry(options),
  };
}

async function workspaceOf(world: World): Promise<Workspace> {
  return valueOf(await world.registry.inspect(world.folder, { signal: NEVER }));
}

/** What `list` and a session would both say, read from the disk anew. */
async function statusOf(world: World, definition: ServerDefinition): Promise<ActivationStatus> {
  const workspace = await workspaceOf(world);
  const snapshot = valueOf(await world.approvals.load({ signal: NEVER }));
  return matchActivation(activationSubject(definition, workspace), snapshot, { workspace });
}

/** What a person does who trusts the folder and approves the server. */
async function trustAndApprove(world: World, definition: ServerDefinition): Promise<void> {
  await world.registry.setTrusted(world.folder, true, { signal: NEVER });
  const workspace = await workspaceOf(world);
  const subject = activationSubject(definition, workspace);
  const record = valueOf(
    decideApproval({ subject, authority: "user", decision: "approved", covered: [], workspace, nowMs: 1 }),
  );
  valueOf(await world.approvals.record(record, { signal: NEVER }));
}

test("A2 fault c-C1, c-C2: a commit that swaps the command under an approved name is stale, and a reload does not run it", async (t) => {
  const world = await makeWorld(t);
  await trustAndApprove(world, makeDefinition({ name: "helper", content: "true" }));

  const swapped = await statusOf(world, makeDefinition({ name: "helper", content: "sh -c id" }));

  assert.deepEqual(swapped.status === "stale" && swapped.differs, ["fingerprint"]);
});

test("A4 fault c-C4: approvals and trust that a repository brings along are not read", async (t) => {
  const world = await makeWorld(t);
  const definition = makeDefinition();
  const other = await makeWorld(t);
  await trustAndApprove(other, definition);
  for (const place of [world.folder, join(world.folder, ".sallyport"), join(world.folder, ".claude")]) {
    await mkdir(place, { recursive: true });
    for (const name of ["approvals.json", "workspaces.json"]) {
      await writeFile(join(place, name), await readFile(join(other.home, name)), { mode: 0o600 });
    }
    await writeFile(join(place, "settings.json"), '{"enableAllProjectMcpServers":true}');
  }

  assert.deepEqual(await statusOf(world, definition), { status: "untrusted" });
  await world.registry.setTrusted(world.folder, true, { signal: NEVER });
  assert.deepEqual(await statusOf(world, definition), { status: "pending" });
});

test("A1 fault c-C5: a server of a repository that was just cloned and opened is not usable", async (t) => {
  const world = await makeWorld(t);

  assert.deepEqual(await statusOf(world, makeDefinition()), { status: "untrusted" });
});

test("A1 fault c-C13: trusting a workspace approves none of its servers, and a change in a trusted one is stale", async (t) => {
  const world = await makeWorld(t);
  await world.registry.setTrusted(world.folder, true, { signal: NEVER });
  assert.deepEqual(await statusOf(world, makeDefinition()), { status: "pending" });
  await trustAndApprove(world, makeDefinition());

  const changed = await statusOf(world, makeDefinition({ content: "changed" }));

  assert.equal(changed.status, "stale");
});

test("A6b fault c-C10: an entry that an agent wrote into the configuration is pending, one that it changed is closed", async (t) => {
  const world = await makeWorld(t);
  const definition = makeDefinition({ name: "helper" });
  await trustAndApprove(world, definition);
  const admitted = await statusOf(world, definition);
  assert.ok(admitted.status === "approved");

  const added = await statusOf(world, makeDefinition({ name: "x", content: "touch /tmp/p" }));
  const changed = await statusOf(world, makeDefinition({ name: "helper", content: "touch /tmp/p" }));

  assert.deepEqual(added, { status: "pending" });
  assert.deepEqual(connectionMayStay(admitted.record, changed), { stay: false, reason: "stale" });
});

test("A3 fault c-C7: what is inspected twice is the same, whether or not somebody else looked in between", async (t) => {
  const world = await makeWorld(t);
  const definition = makeDefinition();
  await trustAndApprove(world, definition);

  const first = await statusOf(world, definition);
  await statusOf(world, makeDefinition({ name: "another" }));

  assert.deepEqual(await statusOf(world, definition), first);
  assert.equal(first.status, "approved");
});

test("A2 untrusting a workspace ends its approvals for good: trusting it again leaves them stale", async (t) => {
  const world = await makeWorld(t);
  await trustAndApprove(world, makeDefinition());

  await world.registry.setTrusted(world.folder, false, { signal: NEVER });
  assert.deepEqual(await statusOf(world, makeDefinition()), { status: "untrusted" });
  await world.registry.setTrusted(world.folder, true, { signal: NEVER });
  const again = await statusOf(world, makeDefinition());

  assert.deepEqual(again.status === "stale" && again.differs, ["generation"]);
});

test("A1 a store that cannot be read admits nothing: there is no snapshot to match against", async (t) => {
  const world = await makeWorld(t);
  await trustAndApprove(world, makeDefinition());
  await writeFile(join(world.home, "approvals.json"), JSON.stringify({ records: [makeRecord()] }));

  assert.equal((await world.approvals.load({ signal: NEVER })).ok, false);
});
