import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { PinSet } from "../../src/domain/activation/pins.ts";
import type { PinStore } from "../../src/ports/pin-store.ts";
import { digestOf, NEVER, valueOf } from "../kit/activation.ts";

const call = { signal: NEVER };

export function pinSet(name: string, serverId = "files", repository?: string): PinSet {
  return {
    key: { serverId, ...(repository !== undefined && { repositoryIdentity: digestOf(repository) }) },
    fingerprint: digestOf("definition"),
    tools: [{ name, digest: digestOf(name), shown: `description: ${name}` }],
  };
}

/** Registers what every pin store has to do. `make` answers an empty one. */
export function pinStoreContract(name: string, make: (t: TestContext) => Promise<PinStore>): void {
  test(`A7 ${name}: nothing is pinned where nobody pinned`, async (t) => {
    const store = await make(t);

    assert.equal(valueOf(await store.load({ serverId: "files" }, call)), undefined);
  });

  test(`A7 ${name}: pins are read back exactly as they were written`, async (t) => {
    const store = await make(t);
    const set = pinSet("a\u202E\n");

    const written = valueOf(await store.update(set.key, () => set, call));

    assert.deepEqual(written, set);
    assert.deepEqual(valueOf(await store.load(set.key, call)), set);
  });

  test(`A7 ${name}: servers and workspaces have pins of their own`, async (t) => {
    const store = await make(t);
    const sets = [pinSet("a"), pinSet("b", "files", "one"), pinSet("c", "files", "two"), pinSet("d", "web")];

    for (const set of sets) await store.update(set.key, () => set, call);

    const loaded = [];
    for (const { key } of sets) loaded.push(valueOf(await store.load(key, call)));
    assert.deepEqual(loaded, sets);
  });

  test(`A7 ${name}: a change sees what is there, and one that answers the same writes nothing`, async (t) => {
    const store = await make(t);
    const set = pinSet("a");
    await store.update(set.key, () => set, call);
    const seen: unknown[] = [];

    const same = valueOf(
      await store.update(
        set.key,
        (current) => {
          seen.push(current);
          return current;
        },
        call,
      ),
    );

    assert.deepEqual([seen, same], [[set], set]);
  });

  test(`A7 ${name}: changes at the same time are all kept`, async (t) => {
    const store = await make(t);
    const set = pinSet("0");
    await store.update(set.key, () => set, call);

    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        store.update(
          set.key,
          (current) => current && { ...current, tools: [...current.tools, ...pinSet(`${index + 1}`).tools] },
          call,
        ),
      ),
    );

    assert.equal(valueOf(await store.load(set.key, call))?.tools.length, 11);
  });

  test(`A7 ${name}: an aborted call rejects with the reason and writes nothing`, async (t) => {
    const store = await make(t);
    const signal = AbortSignal.abort("gone");
    const set = pinSet("a");

    await assert.rejects(store.load(set.key, { signal }), (reason) => reason === "gone");
    await assert.rejects(
      store.update(set.key, () => set, { signal }),
      (reason) => reason === "gone",
    );

    assert.equal(valueOf(await store.load(set.key, call)), undefined);
  });
}
