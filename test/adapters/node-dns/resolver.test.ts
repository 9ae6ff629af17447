import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { isIP } from "node:net";
import { test } from "node:test";

import { createSystemResolver } from "../../../src/adapters/node-dns/resolver.ts";

test("E6 the system's resolver answers with addresses, the hosts file included", async () => {
  const { signal } = new AbortController();
  const addresses = await createSystemResolver().resolve("localhost", { signal });
  assert.ok(addresses.length > 0);
  assert.ok(addresses.every((address) => isIP(address) !== 0));
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("E8 an abort ends the waiting with its very reason", async () => {
  const controller = new AbortController();
  const answer = createSystemResolver().resolve("localhost", { signal: controller.signal });
  const reason = { mine: true };
  controller.abort(reason);
  await assert.rejects(answer, (error) => error === reason);
});

test("E8 a signal that was aborted before rejects with its reason", async () => {
  const signal = AbortSignal.abort("before");
  await assert.rejects(
    createSystemResolver().resolve("localhost", { signal }),
    (error) => error === "before",
  );
});

test("E9 a name that cannot be one has no address", async () => {
  const { signal } = new AbortController();
  // 64 characters in a label: refused before any question leaves the machine.
  const answer = createSystemResolver().resolve(`${"a".repeat(64)}.invalid`, { signal });
  assert.deepEqual(await answer, []);
});
