import assert from "node:assert/strict";
import { chmod, copyFile, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { createFilePendingSignInStore } from "../../../src/adapters/files/pending-sign-in.ts";
import { credentialSlot } from "../../../src/domain/oauth/credential-slot.ts";
import type { PendingSignInStore } from "../../../src/ports/pending-sign-in-store.ts";
import { NEVER, digestOf, valueOf } from "../../kit/activation.ts";
import { FakeClock } from "../../kit/fake-clock.ts";
import { makePending } from "../../kit/pending-sign-ins.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

interface Place {
  readonly home: string;
  readonly clock: FakeClock;
  readonly store: PendingSignInStore;
  readonly sealed: string;
}

const PENDING = makePending();
const SLOT = credentialSlot(PENDING.key);

async function place(t: TestContext): Promise<Place> {
  const home = join(await tempFolder(t), "home");
  const clock = new FakeClock();
  const store = createFilePendingSignInStore({ folder: home, clock });
  return { home, clock, store, sealed: join(home, "sign-ins", `${SLOT}.sealed`) };
}

const refusal = (reason: string) => ({ ok: false, refusal: { kind: "auth", reason, serverId: "web" } });

test("U7 a pending sign-in comes back whole, in another store over the same home too", async (t) => {
  const { home, clock, store } = await place(t);
  valueOf(await store.save(PENDING, { signal: NEVER }));

  const other = createFilePendingSignInStore({ folder: home, clock });
  const taken = valueOf(await other.take(PENDING.key, { signal: NEVER }));

  const { verifier, client, ...rest } = taken;
  const { clientSecret, ...plain } = client;
  assert.equal(verifier.reveal(), "canary-verifier");
  assert.equal(clientSecret?.reveal(), "canary-client-secret");
  const { verifier: _, client: given, ...expected } = PENDING;
  const { clientSecret: __, ...expectedClient } = given;
  assert.deepEqual(rest, expected);
  assert.deepEqual(plain, expectedClient);
});

test("U7 nothing of it can be read without the key, which lies apart, and others read neither", async (t) => {
  const { home, store, sealed } = await place(t);
  valueOf(await store.save(PENDING, { signal: NEVER }));

  assert.deepEqual((await readdir(home)).toSorted(), ["sign-ins", "sign-ins.key"]);
  assert.deepEqual(await readdir(join(home, "sign-ins")), [`${SLOT}.sealed`]);
  assert.doesNotMatch(await readFile(sealed, "latin1"), /canary|web|client|id\.test/);
  const modes = await Promise.all(
    [join(home, "sign-ins"), join(home, "sign-ins.key"), sealed].map(
      async (path) => (await stat(path)).mode & 0o777,
    ),
  );
  assert.deepEqual(modes, [0o700, 0o600, 0o600]);
  assert.equal((await stat(join(home, "sign-ins.key"))).size, 32);
});

test("U7 it is taken once: afterwards it was used, and its content is gone", async (t) => {
  const { home, store } = await place(t);
  valueOf(await store.save(PENDING, { signal: NEVER }));
  valueOf(await store.take(PENDING.key, { signal: NEVER }));

  const again = await store.take(PENDING.key, { signal: NEVER });

  assert.deepEqual(again, refusal("pending-used"));
  assert.deepEqual(await readdir(join(home, "sign-ins")), [`${SLOT}.used`]);
  assert.equal((await stat(join(home, "sign-ins", `${SLOT}.used`))).size, 0);
});

test("U7 of eight that take it at the same time one gets it", async (t) => {
  const { home, clock, store } = await place(t);
  valueOf(await store.save(PENDING, { signal: NEVER }));
  const stores = Array.from({ length: 8 }, () => createFilePendingSignInStore({ folder: home, clock }));

  const taken = await Promise.all(stores.map((one) => one.take(PENDING.key, { signal: NEVER })));

  assert.equal(taken.filter(({ ok }) => ok).length, 1);
  assert.equal(taken.filter((one) => !one.ok && one.refusal.reason === "pending-used").length, 7);
});

test("U7 eight that make the key at the same time agree on one", async (t) => {
  const { home, clock } = await place(t);
  const all = Array.from({ length: 8 }, (_, index) => {
    const key = { ...PENDING.key, securityIdentity: digestOf(`${index}`) };
    return { store: createFilePendingSignInStore({ folder: home, clock }), pending: makePending({ key }) };
  });

  await Promise.all(all.map(({ store, pending }) => store.save(pending, { signal: NEVER })));
  const taken = await Promise.all(
    all.map(({ store, pending }) => store.take(pending.key, { signal: NEVER })),
  );

  assert.deepEqual(
    taken.map(({ ok }) => ok),
    all.map(() => true),
  );
});

for (const [atMs, ok] of [
  [PENDING.expiresAtMs - 1, true],
  [PENDING.expiresAtMs, false],
  [PENDING.expiresAtMs + 1, false],
] as const) {
  test(`U7 ${atMs - PENDING.expiresAtMs} ms from its end it is ${ok ? "good" : "pending-expired, and gone"}`, async (t) => {
    const { store, clock } = await place(t);
    valueOf(await store.save(PENDING, { signal: NEVER }));
    await clock.advance(atMs - clock.nowMs());

    const taken = await store.take(PENDING.key, { signal: NEVER });

    if (ok) assert.equal(taken.ok, true);
    else assert.deepEqual(taken, refusal("pending-expired"));
    assert.deepEqual(await store.take(PENDING.key, { signal: NEVER }), refusal("pending-used"));
  });
}

test("U7 with none begun it is pending-missing, and nothing is created", async (t) => {
  const { home, store } = await place(t);

  assert.deepEqual(await store.take(PENDING.key, { signal: NEVER }), refusal("pending-missing"));
  await assert.rejects(stat(home), { code: "ENOENT" });
});

test("U7 another server's is not found", async (t) => {
  const { store } = await place(t);
  valueOf(await store.save(PENDING, { signal: NEVER }));

  const key = { ...PENDING.key, resource: "https://web.test/other" };

  assert.deepEqual(await store.take(key, { signal: NEVER }), refusal("pending-missing"));
});

test("U7 a new beginning takes the place of the earlier one, used or not", async (t) => {
  const { store } = await place(t);
  valueOf(await store.save(PENDING, { signal: NEVER }));
  valueOf(await store.save(makePending({ scopes: ["second"] }), { signal: NEVER }));
  assert.deepEqual(valueOf(await store.take(PENDING.key, { signal: NEVER })).scopes, ["second"]);

  valueOf(await store.save(makePending({ scopes: ["third"] }), { signal: NEVER }));

  assert.deepEqual(valueOf(await store.take(PENDING.key, { signal: NEVER })).scopes, ["third"]);
});

const TAMPERED: readonly (readonly [what: string, (place: Place) => Promise<void>])[] = [
  ["that is cut", async ({ sealed }) => writeFile(sealed, (await readFile(sealed, "utf8")).slice(0, -8))],
  [
    "with a changed byte",
    async ({ sealed }) => {
      const bytes = Buffer.from(await readFile(sealed, "utf8"), "base64");
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      await writeFile(sealed, bytes.toString("base64"));
    },
  ],
  ["that is empty", ({ sealed }) => writeFile(sealed, "")],
  ["that is huge", ({ sealed }) => writeFile(sealed, "A".repeat(1024 * 1024 + 1))],
  ["whose key is gone", ({ home }) => rm(join(home, "sign-ins.key"))],
  ["whose key is cut", ({ home }) => writeFile(join(home, "sign-ins.key"), "short")],
  ["whose key others can read", ({ home }) => chmod(join(home, "sign-ins.key"), 0o644)],
  ["that others can read", ({ sealed }) => chmod(sealed, 0o640)],
  ["in a folder that others can enter", ({ home }) => chmod(join(home, "sign-ins"), 0o755)],
  [
    "that is a link",
    async ({ sealed, home }) => {
      await copyFile(sealed, join(home, "elsewhere"));
      await rm(sealed);
      await symlink(join(home, "elsewhere"), sealed);
    },
  ],
];

for (const [what, tamper] of TAMPERED) {
  test(`U7 a pending sign-in ${what} is store-failed`, async (t) => {
    const at = await place(t);
    valueOf(await at.store.save(PENDING, { signal: NEVER }));
    await tamper(at);

    assert.deepEqual(await at.store.take(PENDING.key, { signal: NEVER }), refusal("store-failed"));
  });
}

test("U7 a sealed file that was copied to another server's place does not open", async (t) => {
  const { home, store, sealed } = await place(t);
  valueOf(await store.save(PENDING, { signal: NEVER }));
  const key = { ...PENDING.key, securityIdentity: digestOf("other") };
  await copyFile(sealed, join(home, "sign-ins", `${credentialSlot(key)}.sealed`));

  assert.deepEqual(await store.take(key, { signal: NEVER }), refusal("store-failed"));
});

test("U7 a home that cannot be written says store-failed and keeps nothing", async (t) => {
  const home = join(await tempFolder(t), "file");
  await writeFile(home, "");
  const store = createFilePendingSignInStore({ folder: home, clock: new FakeClock() });

  assert.deepEqual(await store.save(PENDING, { signal: NEVER }), refusal("store-failed"));
});

test("U7 an abort before the start saves and takes nothing", async (t) => {
  const { store, home } = await place(t);
  const reason = { mine: true };
  const signal = AbortSignal.abort(reason);

  await assert.rejects(store.save(PENDING, { signal }), (error) => error === reason);
  await assert.rejects(store.take(PENDING.key, { signal }), (error) => error === reason);
  await assert.rejects(stat(home), { code: "ENOENT" });
});
