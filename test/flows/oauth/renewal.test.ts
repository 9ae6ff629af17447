import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createRenewal } from "../../../src/composition/flows/oauth/renew-credential.ts";
import type { Credential } from "../../../src/domain/oauth/credential.ts";
import type { AuthFault } from "../../../src/domain/oauth/refusal.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { Secret } from "../../../src/domain/secret.ts";
import type { Failure } from "../../kit/fake-authorization-server.ts";
import { OauthWorld, valueOf } from "../../kit/oauth-world.ts";

/** A world with a token that has just ended. */
function ended(): { readonly world: OauthWorld; readonly old: Credential } {
  const world = new OauthWorld();
  const nowMs = world.clock.nowMs();
  const old = world.credential({ tokens: { expiresAtMs: nowMs, obtainedAtMs: nowMs - 3_600_000 } });
  world.store.put(old);
  return { world, old };
}

const winner = (world: OauthWorld): Credential =>
  world.credential({ generation: "f".repeat(32), tokens: { accessToken: new Secret("winner") } });

function reasonOf(outcome: Outcome<unknown, AuthFault>): string {
  assert.ok(!outcome.ok, "was not refused");
  return outcome.refusal.reason;
}

test("U10 with any order of steps, five processes make one exchange and all get its token", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { world, old } = ended();
      const step = async (): Promise<void> => {
        await scheduler.schedule(Promise.resolve());
      };
      world.store.before = step;
      world.authorizationServer.before = step;
      world.authorizationServer.after = step;
      const processes = Array.from({ length: 5 }, () => createRenewal(world.ports));

      const renewing = Promise.all(processes.flatMap((renew) => [renew(old), renew(old)]));
      await scheduler.waitFor(renewing);

      const tokens = (await renewing).map((one) => valueOf(one).tokens?.accessToken.reveal());
      assert.deepEqual(new Set(tokens), new Set(["access-1"]));
      assert.equal(world.authorizationServer.count("refresh"), 1);
      assert.equal(world.stored?.tokens?.accessToken.reveal(), "access-1");
    }),
    { numRuns: 60 },
  );
});

test("U10 the callers of one process take the lock once, and the next refresh takes it again", async () => {
  const { world, old } = ended();
  const renew = createRenewal(world.ports);

  await Promise.all(Array.from({ length: 8 }, () => renew(old)));
  assert.equal(world.lock.held, 1);
  await renew(world.stored ?? assert.fail());

  assert.equal(world.lock.held, 2);
});

for (let crashAt = 1; crashAt <= 6; crashAt += 1) {
  test(`U10 a crash at step ${crashAt} of a refresh leaves the old credential or the new one, and the lock free`, async () => {
    const { world, old } = ended();
    let steps = 0;
    const step = async (): Promise<void> => {
      steps += 1;
      if (steps === crashAt) throw new Error("crash");
    };
    world.store.before = step;
    world.authorizationServer.before = step;
    world.authorizationServer.after = step;

    // Five steps: read, ask, be told, compare, write.
    const renewing = createRenewal(world.ports)(old);
    if (crashAt <= 5) await assert.rejects(renewing, { message: "crash" });
    else await renewing;

    const { stored } = world;
    assert.ok(stored !== undefined);
    assert.equal(stored.tokens?.accessToken.reveal(), crashAt <= 5 ? "access-0" : "access-1");
    assert.equal(stored === old, crashAt <= 5);
    assert.equal(world.lock.open, 0);
  });
}

test("U10 a newer token that is found after the wait for the lock is used, and nothing is asked", async () => {
  const { world, old } = ended();
  world.store.put(winner(world));

  const renewed = valueOf(await createRenewal(world.ports)(old));

  assert.equal(renewed.tokens?.accessToken.reveal(), "winner");
  assert.deepEqual(world.authorizationServer.asked, []);
});

test("U10 fault F32 a suspended holder that lost the lock does not overwrite the winner", async () => {
  const { world, old } = ended();
  world.authorizationServer.after = async () => world.store.put(winner(world));

  const renewed = valueOf(await createRenewal(world.ports)(old));

  assert.equal(renewed.tokens?.accessToken.reveal(), "winner");
  assert.equal(world.stored?.tokens?.accessToken.reveal(), "winner");
});

test("U10 a holder that finds a newer record does not take the lock again", async () => {
  const { world, old } = ended();
  world.lock.losing = 1;
  world.authorizationServer.after = async () => world.store.put(winner(world));

  const renewed = valueOf(await createRenewal(world.ports)(old));

  assert.equal(renewed.tokens?.accessToken.reveal(), "winner");
  assert.equal(world.lock.held, 1);
});

test("U10 what changes between the comparison and the write is not overwritten either", async () => {
  const { world, old } = ended();
  world.store.before = async (operation) => {
    if (operation === "set") world.store.put(winner(world));
  };

  const renewed = valueOf(await createRenewal(world.ports)(old));

  assert.equal(renewed.tokens?.accessToken.reveal(), "winner");
  assert.equal(world.stored?.tokens?.accessToken.reveal(), "winner");
});

test("U10 a holder that lost the lock while nobody wrote takes it again, and saves what it spent", async () => {
  const { world, old } = ended();
  world.lock.losing = 1;

  const renewed = valueOf(await createRenewal(world.ports)(old));

  assert.equal(renewed.tokens?.accessToken.reveal(), "access-1");
  assert.equal(world.stored?.tokens?.accessToken.reveal(), "access-1");
  assert.equal(world.lock.held, 2);
  assert.equal(world.authorizationServer.count("refresh"), 1);
});

test("U10 a lock that is lost twice ends in lock-timeout, and the old record stays", async () => {
  const { world, old } = ended();
  world.lock.losing = 2;

  assert.equal(reasonOf(await createRenewal(world.ports)(old)), "lock-timeout");
  assert.equal(world.stored, old);
});

test("U11 a sign-out while a refresh is under way is not undone by it", async () => {
  const { world, old } = ended();
  world.authorizationServer.after = async () => {
    await world.store.delete(old.key, { signal: new AbortController().signal });
  };

  assert.equal(reasonOf(await createRenewal(world.ports)(old)), "sign-in-required");
  assert.equal(world.stored, undefined);
});

test("U10 a refused grant drops the tokens and keeps the registration", async () => {
  const { world, old } = ended();
  world.authorizationServer.failing.set("refresh", { reason: "refused", error: "invalid_grant" });

  assert.equal(reasonOf(await createRenewal(world.ports)(old)), "grant-refused");

  assert.equal(world.stored?.tokens, undefined);
  assert.deepEqual(world.stored?.client, old.client);
});

test("U10 a refused grant never clears a token that changed meanwhile: the new one is used", async () => {
  const { world, old } = ended();
  world.authorizationServer.failing.set("refresh", { reason: "refused", error: "invalid_grant" });
  world.authorizationServer.after = async () => world.store.put(winner(world));

  const renewed = valueOf(await createRenewal(world.ports)(old));

  assert.equal(renewed.tokens?.accessToken.reveal(), "winner");
  assert.equal(world.stored?.tokens?.accessToken.reveal(), "winner");
});

test("U6 a refresh for a client that is not known drops its tokens, and its registration is not used again", async () => {
  const { world, old } = ended();
  world.authorizationServer.forgotten.add(old.client.clientId);

  assert.equal(reasonOf(await createRenewal(world.ports)(old)), "invalid-client");

  assert.deepEqual([world.stored?.tokens, world.stored?.client.redirectUris], [undefined, []]);
});

const KEPT: readonly (readonly [Failure, string])[] = [
  [{ reason: "unreachable" }, "unreachable"],
  [{ reason: "insecure" }, "endpoint-insecure"],
  [{ reason: "refused", error: "other", status: 400 }, "token-refused"],
  [{ reason: "invalid", field: "expires_in" }, "token-response-invalid"],
];
for (const [failure, reason] of KEPT) {
  test(`U10 a refresh that is ${reason} keeps the old credential`, async () => {
    const { world, old } = ended();
    world.authorizationServer.failing.set("refresh", failure);

    assert.equal(reasonOf(await createRenewal(world.ports)(old)), reason);
    assert.equal(world.stored, old);
  });
}

test("U10 a full disk keeps the old credential, says so, and shows nobody the new token", async () => {
  const { world, old } = ended();
  world.store.failing.set("set", "store-failed");

  assert.equal(reasonOf(await createRenewal(world.ports)(old)), "store-failed");
  assert.equal(world.stored, old);
});

for (const [held, reason] of [
  ["lock-timeout", "lock-timeout"],
  ["lock-failed", "store-failed"],
] as const) {
  test(`U10 a lock that is ${held} spends nothing`, async () => {
    const { world, old } = ended();
    world.lock.refusal = held;

    assert.equal(reasonOf(await createRenewal(world.ports)(old)), reason);
    assert.deepEqual(world.authorizationServer.asked, []);
  });
}

test("U10 nothing to refresh with is refresh-impossible", async () => {
  const { world, old } = ended();
  const { tokens: _, ...rest } = old;
  world.store.put(rest);

  assert.equal(reasonOf(await createRenewal(world.ports)(old)), "refresh-impossible");
});

test("U10 an exchange that does not end is unreachable after 30 seconds, and the lock is free", async () => {
  const { world, old } = ended();
  const asked = Promise.withResolvers<void>();
  world.authorizationServer.before = () => {
    asked.resolve();
    return world.clock.wait(30_000, { signal: new AbortController().signal }).then(() => {
      throw new Error("cut");
    });
  };
  const renewing = createRenewal(world.ports)(old);
  await asked.promise;

  await world.clock.advance(30_000);

  assert.equal(reasonOf(await renewing), "unreachable");
  assert.equal(world.lock.open, 0);
});
