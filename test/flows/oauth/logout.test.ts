import assert from "node:assert/strict";
import { test } from "node:test";

import { runMcpOAuthLogout, type Revocation } from "../../../src/composition/flows/oauth/logout.ts";
import type { AuthRefusal } from "../../../src/domain/oauth/refusal.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { authRefusalOf, never, OauthWorld, valueOf } from "../../kit/oauth-world.ts";

function signedIn(changes: Parameters<OauthWorld["credential"]>[0] = {}): OauthWorld {
  const world = new OauthWorld();
  world.store.put(world.credential(changes));
  return world;
}

function logout(world: OauthWorld): Promise<Outcome<{ readonly revocation: Revocation }, AuthRefusal>> {
  return runMcpOAuthLogout({ key: world.credential().key, ports: world.ports, signal: never() });
}

test("U11 the record is gone before the issuer is asked to revoke refresh and access token", async () => {
  const world = signedIn();
  const there: boolean[] = [];
  world.authorizationServer.before = async () => {
    there.push(world.stored !== undefined);
  };

  assert.deepEqual(valueOf(await logout(world)), { revocation: "revoked" });

  assert.deepEqual(there, [false, false]);
  assert.deepEqual(
    world.authorizationServer.asked.map(({ url, token }) => [url, token]),
    [
      ["https://as.example/revoke", "refresh-0"],
      ["https://as.example/revoke", "access-0"],
    ],
  );
});

test("U11 with the issuer down the record is gone all the same, and the answer says failed", async () => {
  const world = signedIn();
  world.authorizationServer.failing.set("revoke", { reason: "unreachable" });

  assert.deepEqual(valueOf(await logout(world)), { revocation: "failed" });
  assert.equal(world.stored, undefined);
});

test("U11 one token revoked and the other not is partial", async () => {
  const world = signedIn();
  world.authorizationServer.after = async () => {
    world.authorizationServer.failing.set("revoke", { reason: "refused", error: "other" });
  };

  assert.deepEqual(valueOf(await logout(world)), { revocation: "partial" });
});

test("U11 an issuer without a place to revoke at is unsupported, and is not asked", async () => {
  const world = new OauthWorld();
  const { revocationEndpoint: _, ...record } = world.credential();
  world.store.put(record);

  assert.deepEqual(valueOf(await logout(world)), { revocation: "unsupported" });
  assert.deepEqual(world.authorizationServer.asked, []);
});

test("U11 without a record nothing is attempted", async () => {
  assert.deepEqual(valueOf(await logout(new OauthWorld())), { revocation: "not-attempted" });
});

test("U11 a record that cannot be read is removed, and nothing is attempted", async () => {
  const world = signedIn();
  world.store.failing.set("get", "store-failed");

  assert.deepEqual(valueOf(await logout(world)), { revocation: "not-attempted" });
  assert.deepEqual(world.store.changes, ["delete"]);
});

test("U11 a record that cannot be removed is store-failed, and its tokens are not revoked", async () => {
  const world = signedIn();
  world.store.failing.set("delete", "store-failed");

  assert.equal(authRefusalOf(await logout(world)).reason, "store-failed");
  assert.deepEqual(world.authorizationServer.asked, []);
});

test("U11 a lock that cannot be had does not keep anybody signed in", async () => {
  const world = signedIn();
  world.lock.refusal = "lock-timeout";

  assert.deepEqual(valueOf(await logout(world)), { revocation: "revoked" });
  assert.equal(world.stored, undefined);
});

test("A6 a sign-out appends one event with the word of its end", async () => {
  const world = signedIn();

  await logout(world);

  assert.deepEqual(world.events, [
    {
      action: "sign-out",
      atMs: world.clock.nowMs(),
      serverId: "files",
      securityIdentity: "5".repeat(64),
      reason: "revoked",
    },
  ]);
});
