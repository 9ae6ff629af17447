import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

import type { CredentialStore } from "../../src/ports/credential-store.ts";
import { NEVER } from "../kit/activation.ts";
import {
  assertHolds,
  credentialOfSize,
  generationOf,
  makeCredential,
  makeKey,
  readable,
} from "../kit/credentials.ts";

const DONE = { ok: true, value: true };
const CHANGED = { ok: false, refusal: { kind: "credential-store", reason: "store-changed" } };

/** Registers what every credential store has to do. `make` answers an empty store. */
export function credentialStoreContract(
  name: string,
  make: (t: TestContext) => Promise<CredentialStore>,
): void {
  const given = `${name}:`;
  const first = makeCredential();
  const second = makeCredential({ generation: generationOf("second"), issuer: "https://other.example" });
  const { key } = first;

  test(`U9 ${given} a store that nobody wrote to holds nothing`, async (t) => {
    const store = await make(t);

    assertHolds(await store.get(key, { signal: NEVER }), undefined);
  });

  test(`U9 ${given} a record is read back with every member and every secret`, async (t) => {
    const store = await make(t);

    assert.deepEqual(await store.set(first, { signal: NEVER }), DONE);

    assertHolds(await store.get(key, { signal: NEVER }), first);
  });

  test(`U9 ${given} a record without optional members gets none on the way`, async (t) => {
    const store = await make(t);
    const { resourceIndicator: _, revocationEndpoint: __, tokens: ___, ...rest } = first;
    const bare = {
      ...rest,
      client: { clientId: "c", origin: "pre-registered", authentication: "none", redirectUris: [] },
    } as const;

    await store.set(bare, { signal: NEVER });

    assertHolds(await store.get(key, { signal: NEVER }), bare);
  });

  test(`U9 ${given} a second record takes the place of the first as a whole`, async (t) => {
    const store = await make(t);
    await store.set(first, { signal: NEVER });

    assert.deepEqual(await store.set(second, { signal: NEVER }), DONE);

    assertHolds(await store.get(key, { signal: NEVER }), second);
  });

  for (const [what, other] of [
    ["another security identity", makeKey({ serverId: "renamed" })],
    ["another URL", makeKey({ resource: "https://mcp.example/other" })],
    ["the same URL with a slash at its end", makeKey({ resource: "https://mcp.example/mcp/" })],
  ] as const) {
    test(`U9 ${given} a record is not found, and not removed, under ${what}`, async (t) => {
      const store = await make(t);
      await store.set(first, { signal: NEVER });

      assertHolds(await store.get(other, { signal: NEVER }), undefined);
      assert.deepEqual(await store.delete(other, { signal: NEVER }), DONE);

      assertHolds(await store.get(key, { signal: NEVER }), first);
    });
  }

  test(`U9 ${given} spellings of one URL share one record`, async (t) => {
    const store = await make(t);
    await store.set(first, { signal: NEVER });

    const found = await store.get(makeKey({ resource: "HTTPS://MCP.example:443/mcp#top" }), {
      signal: NEVER,
    });

    assertHolds(found, first);
  });

  test(`U9 ${given} records of two servers are kept side by side`, async (t) => {
    const store = await make(t);
    const other = makeCredential({ key: makeKey({ serverId: "other" }) });

    await Promise.all([first, other].map((credential) => store.set(credential, { signal: NEVER })));

    assertHolds(await store.get(key, { signal: NEVER }), first);
    assertHolds(await store.get(other.key, { signal: NEVER }), other);
  });

  test(`U11 ${given} a record that was deleted is gone, and deleting it again is done`, async (t) => {
    const store = await make(t);
    await store.set(first, { signal: NEVER });

    assert.deepEqual(await store.delete(key, { signal: NEVER }), DONE);
    assert.deepEqual(await store.delete(key, { signal: NEVER }), DONE);

    assertHolds(await store.get(key, { signal: NEVER }), undefined);
  });

  test(`U10 ${given} a write over the generation that was read is done`, async (t) => {
    const store = await make(t);
    await store.set(first, { signal: NEVER });

    const outcome = await store.set(second, { signal: NEVER, ifGeneration: first.generation });

    assert.deepEqual(outcome, DONE);
    assertHolds(await store.get(key, { signal: NEVER }), second);
  });

  test(`U10 ${given} a write over another generation than was read changes nothing`, async (t) => {
    const store = await make(t);
    await store.set(second, { signal: NEVER });

    const outcome = await store.set(makeCredential({ generation: generationOf("third") }), {
      signal: NEVER,
      ifGeneration: first.generation,
    });

    assert.deepEqual(outcome, CHANGED);
    assertHolds(await store.get(key, { signal: NEVER }), second);
  });

  test(`U10 ${given} a write over a record that was deleted meanwhile does not bring it back`, async (t) => {
    const store = await make(t);

    const outcome = await store.set(second, { signal: NEVER, ifGeneration: first.generation });

    assert.deepEqual(outcome, CHANGED);
    assertHolds(await store.get(key, { signal: NEVER }), undefined);
  });

  test(`U10 ${given} of five writers over one generation, one writes and four change nothing`, async (t) => {
    const store = await make(t);
    await store.set(first, { signal: NEVER });
    const writers = ["a", "b", "c", "d", "e"].map((word) =>
      makeCredential({ generation: generationOf(word) }),
    );

    const outcomes = await Promise.all(
      writers.map((credential) => store.set(credential, { signal: NEVER, ifGeneration: first.generation })),
    );

    assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
    assert.deepEqual(
      outcomes.filter(({ ok }) => !ok),
      [CHANGED, CHANGED, CHANGED, CHANGED],
    );
    assertHolds(await store.get(key, { signal: NEVER }), writers[outcomes.findIndex(({ ok }) => ok)]);
  });

  test(`U10 ${given} a deletion of the generation that was read is done, of another it is not`, async (t) => {
    const store = await make(t);
    await store.set(second, { signal: NEVER });

    const stale = await store.delete(key, { signal: NEVER, ifGeneration: first.generation });
    assert.deepEqual(stale, CHANGED);
    assertHolds(await store.get(key, { signal: NEVER }), second);

    const current = await store.delete(key, { signal: NEVER, ifGeneration: second.generation });
    assert.deepEqual(current, DONE);
    assertHolds(await store.get(key, { signal: NEVER }), undefined);
  });

  test(`U9 ${given} ten writers at once leave one of their records, and all of it`, async (t) => {
    const store = await make(t);
    const records = Array.from({ length: 10 }, (_, index) => credentialOfSize(1 + index * 700, `${index}`));

    const outcomes = await Promise.all(records.map((record) => store.set(record, { signal: NEVER })));

    assert.deepEqual(
      outcomes,
      records.map(() => DONE),
    );
    const found = await store.get(key, { signal: NEVER });
    assert.ok(found.ok && found.value !== undefined);
    const { generation } = found.value;
    assertHolds(
      found,
      records.find((record) => record.generation === generation),
    );
  });

  for (const tokenChars of [1, 900, 1_280, 4_096, 16_384]) {
    test(`U9 ${given} an access token of ${tokenChars} characters is kept, and so is a shorter one after it`, async (t) => {
      const store = await make(t);
      const large = credentialOfSize(tokenChars);
      await store.set(first, { signal: NEVER });

      assert.deepEqual(await store.set(large, { signal: NEVER }), DONE);
      assertHolds(await store.get(key, { signal: NEVER }), large);
      assert.deepEqual(await store.set(second, { signal: NEVER }), DONE);
      assertHolds(await store.get(key, { signal: NEVER }), second);
    });
  }

  test(`U9 ${given} an aborted call rejects with the signal's reason and changes nothing`, async (t) => {
    const store = await make(t);
    await store.set(first, { signal: NEVER });
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);

    await assert.rejects(store.get(key, { signal }), reason);
    await assert.rejects(store.set(second, { signal }), reason);
    await assert.rejects(store.delete(key, { signal }), reason);

    const found = await store.get(key, { signal: NEVER });
    assert.ok(found.ok);
    assert.deepEqual(readable(found.value), readable(first));
  });
}
