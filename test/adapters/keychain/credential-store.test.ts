import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import {
  type KeychainCredentialStoreOptions,
  WINDOWS_ENTRY_LIMIT_CHARS,
  createKeychainCredentialStore,
} from "../../../src/adapters/keychain/credential-store.ts";
import { credentialSlot } from "../../../src/domain/oauth/credential-slot.ts";
import type { CredentialStore } from "../../../src/ports/credential-store.ts";
import { NEVER } from "../../kit/activation.ts";
import {
  CANARY,
  assertHolds,
  credentialOfSize,
  makeCredential,
  makeKey,
  readable,
} from "../../kit/credentials.ts";
import { type FakeKeyring, createFakeKeyring } from "../../kit/fake-keyring.ts";

const HEAD = `sallyport ${credentialSlot(makeKey())}`;
const DONE = { ok: true, value: true };

function refused(reason: string): unknown {
  return { ok: false, refusal: { kind: "credential-store", reason } };
}

function makePlace(options: KeychainCredentialStoreOptions = {}): {
  readonly keyring: FakeKeyring;
  readonly store: CredentialStore;
} {
  const keyring = createFakeKeyring();
  const entryLimitChars = WINDOWS_ENTRY_LIMIT_CHARS;
  return {
    keyring,
    store: createKeychainCredentialStore({ load: keyring.load, entryLimitChars, ...options }),
  };
}

/** None of the three gets anywhere, and all say why. */
async function assertRefused(store: CredentialStore, reason: string): Promise<void> {
  const { key, generation } = makeCredential();
  assert.deepEqual(await store.get(key, { signal: NEVER }), refused(reason));
  assert.deepEqual(await store.set(makeCredential(), { signal: NEVER }), refused(reason));
  assert.deepEqual(await store.delete(key, { signal: NEVER, ifGeneration: generation }), refused(reason));
}

test("U9 the installed module answers on this machine, or says that there is no keychain; never that it is empty", async () => {
  // A bus that is not there: this also holds where a person runs the tests in their own session.
  const before = process.env["DBUS_SESSION_BUS_ADDRESS"];
  process.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent/sallyport-test";
  try {
    const store = createKeychainCredentialStore({ service: "sallyport-test" });
    const outcome = await store.get(makeKey(), { signal: NEVER });

    if (process.platform === "linux") assert.deepEqual(outcome, refused("store-unavailable"));
    else assert.equal(outcome.ok || outcome.refusal.reason === "store-unavailable", true);
  } finally {
    if (before === undefined) delete process.env["DBUS_SESSION_BUS_ADDRESS"];
    else process.env["DBUS_SESSION_BUS_ADDRESS"] = before;
  }
});

for (const [what, load] of [
  ["is not installed", () => Promise.reject(new Error(`Cannot find package '${CANARY}'`))],
  ["is nothing", async () => undefined],
  ["has another shape", async () => ({ AsyncEntry: "no class" })],
  ["has entries without methods", async () => ({ AsyncEntry: Object })],
  [
    "answers what is no text",
    async () => ({
      AsyncEntry: class Entry {
        readonly value = 7;
        getPassword(): Promise<number> {
          return Promise.resolve(this.value);
        }
      },
    }),
  ],
] as const) {
  test(`U9 a module that ${what} is store-unavailable`, async () => {
    await assertRefused(createKeychainCredentialStore({ load }), "store-unavailable");
  });
}

for (const method of ["getPassword", "setPassword", "deletePassword"]) {
  test(`U9 a keychain that refuses ${method} is store-unavailable`, async () => {
    const { keyring, store } = makePlace();
    await store.set(makeCredential(), { signal: NEVER });
    keyring.onCall = (called) => {
      if (called === method) throw new Error(`locked, and ${CANARY}`);
    };
    const { key } = makeCredential();
    const outcomes = {
      getPassword: () => store.get(key, { signal: NEVER }),
      setPassword: () => store.set(makeCredential(), { signal: NEVER }),
      deletePassword: () => store.delete(key, { signal: NEVER }),
    };

    const outcome = await Reflect.get(outcomes, method)();

    assert.deepEqual(outcome, refused("store-unavailable"));
    keyring.onCall = () => undefined;
    assertHolds(await store.get(key, { signal: NEVER }), makeCredential());
  });
}

test("U9 a keychain that was not there is asked again the next time", async () => {
  const keyring = createFakeKeyring();
  let installed = false;
  const load = async (): Promise<unknown> => (installed ? keyring.load() : undefined);
  const store = createKeychainCredentialStore({ load });
  assert.deepEqual(await store.get(makeKey(), { signal: NEVER }), refused("store-unavailable"));

  installed = true;

  assertHolds(await store.get(makeKey(), { signal: NEVER }), undefined);
});

test("U9 the module may hand out its class as a member of its default export", async () => {
  const { load } = createFakeKeyring();
  const store = createKeychainCredentialStore({ load: async () => ({ default: await load() }) });

  assertHolds(await store.get(makeKey(), { signal: NEVER }), undefined);
});

test("U9 the module is not loaded before the store is used", () => {
  let loaded = false;

  createKeychainCredentialStore({
    load: async () => {
      loaded = true;
    },
  });

  assert.equal(loaded, false);
});

test("U9 on Linux the Secret Service is asked for by name: the kernel's keyring would look empty", async () => {
  const { keyring, store } = makePlace();

  await store.get(makeKey(), { signal: NEVER });

  assert.deepEqual(keyring.opened, [{ linux: { store: "secret-service" } }]);
});

test("U9 two services share nothing", async () => {
  const { keyring, store } = makePlace();
  await store.set(makeCredential(), { signal: NEVER });
  const other = createKeychainCredentialStore({ load: keyring.load, service: "other" });

  assertHolds(await other.get(makeKey(), { signal: NEVER }), undefined);
  assert.deepEqual([...keyring.entries.keys()], [HEAD]);
});

const GOOD = JSON.stringify(readable(makeCredential()));

for (const [what, text] of [
  ["empty", ""],
  ["cut", GOOD.slice(0, -2)],
  ["foreign", "a password of somebody's"],
  ["of a later version", GOOD.replace('"version":1', '"version":2')],
  ["of another server", GOOD.replace("mcp.example/mcp", "thief.example/mcp")],
  ["a head without pieces", `sallyport-pieces/1 a 2 ${"0".repeat(64)}`],
  ["a head of too many pieces", `sallyport-pieces/1 a 65 ${"0".repeat(64)}`],
] as const) {
  test(`U9 an entry that is ${what} is store-failed: never absent, never overwritten, and removed by a sign-out`, async () => {
    const { keyring, store } = makePlace();
    keyring.entries.set(HEAD, text);

    await assertRefused(store, "store-failed");

    assert.equal(keyring.entries.get(HEAD), text);
    assert.deepEqual(await store.delete(makeKey(), { signal: NEVER }), DONE);
    assert.deepEqual([...keyring.entries.keys()], []);
  });
}

test("U9 a record that could not be read back is store-too-large, and the old one stays", async () => {
  const { store } = makePlace();
  await store.set(makeCredential(), { signal: NEVER });

  assert.deepEqual(await store.set(credentialOfSize(16_385), { signal: NEVER }), refused("store-too-large"));

  assertHolds(await store.get(makeKey(), { signal: NEVER }), makeCredential());
});

test("U9 a read that waits for a locked keychain ends with its signal", async () => {
  const { keyring, store } = makePlace();
  const controller = new AbortController();
  const reason = new Error("enough");
  keyring.onCall = () => {
    controller.abort(reason);
    return new Promise(() => undefined);
  };

  const reading = store.get(makeKey(), { signal: controller.signal });

  await assert.rejects(reading, (error) => error === reason);
});

test("U9 secrets are in the entries alone: in no name, outcome, or printed store", async () => {
  const { keyring, store } = makePlace();
  const credential = makeCredential();

  const written = await store.set(credential, { signal: NEVER });
  const read = await store.get(credential.key, { signal: NEVER });
  keyring.onCall = () => {
    throw new Error(CANARY);
  };
  const failed = await store.get(credential.key, { signal: NEVER });

  const names = [...keyring.entries.keys(), ...keyring.calls];
  const printed = [names, written, read, failed, store].map(
    (value) => inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value),
  );
  assert.equal(printed.join().includes(CANARY), false);
  // The probe can see: the canary is where it belongs.
  assert.equal([...keyring.entries.values()].join().split(CANARY).length - 1, 4);
});
