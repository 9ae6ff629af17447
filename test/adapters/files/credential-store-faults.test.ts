/** What the machine does to a credential that is being written, and where its secrets turn up. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { inspect } from "node:util";

import { createFileOAuthCredentialStore } from "../../../src/adapters/files/credential-store.ts";
import { createSystemClock } from "../../../src/adapters/system/clock.ts";
import { credentialSlot } from "../../../src/domain/oauth/credential-slot.ts";
import type { CredentialStore } from "../../../src/ports/credential-store.ts";
import { NEVER } from "../../kit/activation.ts";
import { CANARY, assertHolds, credentialOfSize, makeCredential, makeKey } from "../../kit/credentials.ts";
import { runFixture } from "../../kit/run-node.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const OLD = credentialOfSize(2_000, "old");

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly name: string;
  readonly store: CredentialStore;
}

/** A home with a credential of more than the two blocks that a limited process may write. */
async function makePlace(t: TestContext): Promise<Place> {
  const home = join(await tempFolder(t), "home");
  const store = createFileOAuthCredentialStore({ folder: home, clock: createSystemClock() });
  assert.equal((await store.set(OLD, { signal: NEVER })).ok, true);
  return { home, folder: join(home, "credentials"), name: `${credentialSlot(makeKey())}.json`, store };
}

test("U9 a full disk is store-failed, keeps the old credential, and leaves no half of the new one", async (t) => {
  const { home, folder, name, store } = await makePlace(t);

  const printed = await runFixture("oauth/set-credential.ts", [home, "survive"], { fileLimitBlocks: 1 });

  assert.deepEqual(JSON.parse(printed), {
    ok: false,
    refusal: { kind: "credential-store", reason: "store-failed" },
  });
  assertHolds(await store.get(makeKey(), { signal: NEVER }), OLD);
  assert.deepEqual(await readdir(folder), [name]);
});

test("U10 a process that is killed in the middle of a write leaves the old credential, and the next write removes its half", async (t) => {
  const { home, folder, name, store } = await makePlace(t);

  await assert.rejects(runFixture("oauth/set-credential.ts", [home], { fileLimitBlocks: 1 }), /SIGXFSZ/);

  assertHolds(await store.get(makeKey(), { signal: NEVER }), OLD);
  assert.equal((await readdir(folder)).filter((file) => file.endsWith(".tmp")).length, 1);
  assert.equal((await store.set(makeCredential(), { signal: NEVER })).ok, true);

  assertHolds(await store.get(makeKey(), { signal: NEVER }), makeCredential());
  assert.deepEqual(await readdir(folder), [name]);
});

test("U11 a sign-out removes also the half that a killed writer left", async (t) => {
  const { home, folder, store } = await makePlace(t);
  await assert.rejects(runFixture("oauth/set-credential.ts", [home], { fileLimitBlocks: 1 }), /SIGXFSZ/);

  assert.equal((await store.delete(makeKey(), { signal: NEVER })).ok, true);

  assert.deepEqual(await readdir(folder), []);
});

test("U9 the same process without a limit writes the new credential", async (t) => {
  const { home, store } = await makePlace(t);

  assert.deepEqual(JSON.parse(await runFixture("oauth/set-credential.ts", [home])), {
    ok: true,
    value: true,
  });

  assertHolds(await store.get(makeKey(), { signal: NEVER }), credentialOfSize(8_000, "new"));
});

test("U9 secrets are in the file of their credential alone: in no name, outcome, or printed store", async (t) => {
  const home = join(await tempFolder(t), "home");
  const store = createFileOAuthCredentialStore({ folder: home, clock: createSystemClock() });
  const credential = makeCredential();

  const written = await store.set(credential, { signal: NEVER });
  const read = await store.get(credential.key, { signal: NEVER });
  const changed = await store.set(credential, { signal: NEVER, ifGeneration: "0" });

  const names = await readdir(home, { recursive: true });
  const printed = [names, written, read, changed, store, credential].map(
    (value) => inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value),
  );
  assert.equal(printed.join().includes(CANARY), false);
  const file = names.find((name) => name.endsWith(".json")) ?? "";
  // The probe can see: the canary is where it belongs.
  assert.equal((await readFile(join(home, file), "utf8")).split(CANARY).length - 1, 4);
});
