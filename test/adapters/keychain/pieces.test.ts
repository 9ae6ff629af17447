/** A record that is larger than an entry: whole or not at all, wherever its writer stops. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createKeychainCredentialStore } from "../../../src/adapters/keychain/credential-store.ts";
import { credentialDocument } from "../../../src/domain/oauth/credential-document.ts";
import { credentialSlot } from "../../../src/domain/oauth/credential-slot.ts";
import type { Credential } from "../../../src/domain/oauth/credential.ts";
import type { CredentialStore } from "../../../src/ports/credential-store.ts";
import { NEVER } from "../../kit/activation.ts";
import { assertHolds, credentialOfSize, makeKey, readable } from "../../kit/credentials.ts";
import { type FakeKeyring, createFakeKeyring } from "../../kit/fake-keyring.ts";

const NAME = `sallyport ${credentialSlot(makeKey())}`;
const SMALL = credentialOfSize(10, "small");
const LARGE = credentialOfSize(1_500, "large");
const LARGER = credentialOfSize(2_500, "larger");

function storeIn(keyring: FakeKeyring, entryLimitChars = 600): CredentialStore {
  return createKeychainCredentialStore({ load: keyring.load, entryLimitChars });
}

async function keyringWith(credential: Credential): Promise<FakeKeyring> {
  const keyring = createFakeKeyring();
  assert.equal((await storeIn(keyring).set(credential, { signal: NEVER })).ok, true);
  keyring.calls.length = 0;
  return keyring;
}

function charsOf(credential: Credential): number {
  return JSON.stringify(credentialDocument(credential, (secret) => secret.reveal())).length;
}

test("U9 a record that fits exactly is one entry, and one character more makes pieces", async () => {
  const chars = charsOf(SMALL);
  for (const [limit, names] of [
    [chars, [NAME]],
    [chars - 1, [`${NAME}.a.0`, `${NAME}.a.1`, NAME]],
  ] as const) {
    const keyring = createFakeKeyring();

    await storeIn(keyring, limit).set(SMALL, { signal: NEVER });

    assert.deepEqual([...keyring.entries.keys()], names);
    assertHolds(await storeIn(keyring, limit).get(makeKey(), { signal: NEVER }), SMALL);
  }
});

test("U9 a record of 64 pieces is kept, one of 65 is store-too-large and leaves the old one", async () => {
  const keyring = createFakeKeyring();
  const limit = 128;
  const fixed = charsOf(credentialOfSize(0));
  const fits = credentialOfSize(64 * limit - fixed);
  const beyond = credentialOfSize(64 * limit - fixed + 1);

  assert.equal((await storeIn(keyring, limit).set(fits, { signal: NEVER })).ok, true);
  assert.equal(keyring.entries.size, 65);
  assert.deepEqual(await storeIn(keyring, limit).set(beyond, { signal: NEVER }), {
    ok: false,
    refusal: { kind: "credential-store", reason: "store-too-large" },
  });

  assertHolds(await storeIn(keyring, limit).get(makeKey(), { signal: NEVER }), fits);
});

test("U9 a new record goes into the slot that is not in use, the head is written after its pieces, and the old pieces go last", async () => {
  const keyring = await keyringWith(LARGE);

  await storeIn(keyring).set(LARGER, { signal: NEVER });

  const effects = keyring.calls.filter((call) => !call.startsWith("getPassword"));
  const head = effects.indexOf(`setPassword ${NAME}`);
  assert.ok(effects.slice(0, head).every((call) => call.startsWith(`setPassword ${NAME}.b.`)));
  assert.ok(effects.slice(head + 1).every((call) => call.startsWith(`deletePassword ${NAME}.a.`)));
  assert.ok(head > 0 && head < effects.length - 1);
  assert.ok([...keyring.entries.keys()].every((name) => name === NAME || name.startsWith(`${NAME}.b.`)));
});

for (const [what, before, after] of [
  ["a large one over a large one", LARGE, LARGER],
  ["a smaller one over a large one", LARGER, LARGE],
  ["a small one over a large one", LARGE, SMALL],
  ["a large one over a small one", SMALL, LARGE],
] as const) {
  test(`U9 a writer of ${what} that stops at any call leaves the old or the new record, and the next one cleans up`, async () => {
    const whole = await keyringWith(before);
    await storeIn(whole).set(after, { signal: NEVER });
    const [total, names] = [whole.calls.length, [...whole.entries.keys()]];
    const seen = new Set<unknown>();

    for (let stopAt = 1; stopAt <= total; stopAt += 1) {
      const keyring = await keyringWith(before);
      keyring.onCall = (_, count) => {
        if (count >= stopAt) throw new Error("the process is gone");
      };
      assert.equal((await storeIn(keyring).set(after, { signal: NEVER })).ok, false);
      keyring.onCall = () => undefined;

      const found = await storeIn(keyring).get(makeKey(), { signal: NEVER });
      assert.ok(found.ok, `stopped at ${stopAt}`);
      const { generation } = found.value ?? {};
      assert.ok(generation === before.generation || generation === after.generation);
      assertHolds(found, generation === before.generation ? before : after);
      seen.add(generation);
      await storeIn(keyring).set(after, { signal: NEVER });
      assertHolds(await storeIn(keyring).get(makeKey(), { signal: NEVER }), after);
      assert.equal(keyring.entries.size, names.length, `stopped at ${stopAt}`);
    }
    assert.deepEqual(seen, new Set([before.generation, after.generation]));
  });
}

test("U11 a sign-out that stops at any call is finished by the next one, and what it left is never half a record", async () => {
  const whole = await keyringWith(LARGE);
  await storeIn(whole).delete(makeKey(), { signal: NEVER });
  assert.equal(whole.entries.size, 0);

  for (let stopAt = 1; stopAt <= whole.calls.length; stopAt += 1) {
    const keyring = await keyringWith(LARGE);
    keyring.onCall = (_, count) => {
      if (count >= stopAt) throw new Error("the process is gone");
    };
    assert.equal((await storeIn(keyring).delete(makeKey(), { signal: NEVER })).ok, false);
    keyring.onCall = () => undefined;

    assertHolds(
      await storeIn(keyring).get(makeKey(), { signal: NEVER }),
      keyring.entries.has(NAME) ? LARGE : undefined,
    );
    assert.equal((await storeIn(keyring).delete(makeKey(), { signal: NEVER })).ok, true);
    assert.equal(keyring.entries.size, 0, `stopped at ${stopAt}`);
  }
});

test("U9 a reader whose record is replaced while it reads gets the new one", async () => {
  const keyring = await keyringWith(LARGE);
  keyring.onCall = async (_, count) => {
    if (count !== 2) return;
    keyring.onCall = () => undefined;
    await storeIn(keyring).set(LARGER, { signal: NEVER });
  };

  assertHolds(await storeIn(keyring).get(makeKey(), { signal: NEVER }), LARGER);
});

test("U9 pieces of two writers that got mixed are store-failed, even where they make a record", async () => {
  const keyring = await keyringWith(LARGE);
  const [name = "", ofToken = ""] = [...keyring.entries].find(([, text]) => /^x+$/.test(text)) ?? [];
  assert.ok(ofToken.length > 0);
  keyring.entries.set(name, ofToken.replaceAll("x", "y"));

  assert.deepEqual(await storeIn(keyring).get(makeKey(), { signal: NEVER }), {
    ok: false,
    refusal: { kind: "credential-store", reason: "store-failed" },
  });
});

test("U9 a record with letters of every kind is kept as ASCII, so that no cut splits one", async () => {
  const keyring = createFakeKeyring();
  const record = { ...SMALL, issuer: `https://as.example/${"ü\u{1f511}\u2028".repeat(200)}` };

  await storeIn(keyring).set(record, { signal: NEVER });

  for (const text of keyring.entries.values()) assert.match(text, /^[\x20-\x7e]+$/);
  const found = await storeIn(keyring).get(makeKey(), { signal: NEVER });
  assert.deepEqual(found.ok && readable(found.value), readable(record));
});
