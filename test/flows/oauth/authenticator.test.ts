import assert from "node:assert/strict";
import { test } from "node:test";

import { createOAuthAuthenticator } from "../../../src/composition/flows/oauth/oauth-authenticator.ts";
import type { AuthRefusal } from "../../../src/domain/oauth/refusal.ts";
import { accept, refuse, type Outcome } from "../../../src/domain/outcome.ts";
import { Secret } from "../../../src/domain/secret.ts";
import type { Authenticator, Authorization, Rejection } from "../../../src/ports/authenticator.ts";
import {
  authRefusalOf,
  CLIENT,
  ISSUER,
  never,
  OauthWorld,
  RESOURCE_METADATA,
  valueOf,
} from "../../kit/oauth-world.ts";

function authenticatorOf({ server, ports }: OauthWorld): Authenticator {
  return createOAuthAuthenticator({ server, ports });
}

function signedIn(tokens: Parameters<OauthWorld["credential"]>[0] = {}): OauthWorld {
  const world = new OauthWorld();
  world.store.put(world.credential(tokens));
  return world;
}

function expired(world: OauthWorld): OauthWorld {
  const nowMs = world.clock.nowMs();
  world.store.put(world.credential({ tokens: { expiresAtMs: nowMs, obtainedAtMs: nowMs - 3_600_000 } }));
  return world;
}

/** What would go out, as text. */
function sent(outcome: Outcome<Authorization, AuthRefusal>): readonly (readonly string[])[] {
  return valueOf(outcome).headers.map(([name, value]) => [name, value.reveal()]);
}

const authorize = (authenticator: Authenticator): Promise<Outcome<Authorization, AuthRefusal>> =>
  authenticator.authorize({ signal: never() });

function rejected(
  authenticator: Authenticator,
  rejection: Partial<Rejection>,
): Promise<Outcome<"retry", AuthRefusal>> {
  return authenticator.onRejected(
    { status: 401, challenge: undefined, generation: "0".repeat(32), ...rejection },
    { signal: never() },
  );
}

const insufficient = (...scopes: string[]): Partial<Rejection> => ({
  status: 403,
  challenge: { resourceMetadata: undefined, scopes, error: "insufficient_scope" },
});

test("U1 the stored token goes out as Bearer, and prints as nothing", async () => {
  const authenticator = authenticatorOf(signedIn());

  const outcome = await authorize(authenticator);

  assert.deepEqual(sent(outcome), [["authorization", "Bearer access-0"]]);
  assert.equal(authenticator.securityIdentity, "5".repeat(64));
  assert.ok(!JSON.stringify(outcome).includes("access-0"));
});

test("U2 without a credential it refuses, and neither asks nor sends anything", async () => {
  const world = new OauthWorld();

  const outcome = await authorize(authenticatorOf(world));

  assert.deepEqual(authRefusalOf(outcome), { kind: "auth", reason: "sign-in-required", serverId: "files" });
  assert.deepEqual(world.authorizationServer.asked, []);
});

test("U9 fault F28 another URL of the same name does not get the token", async () => {
  const world = signedIn();
  world.change({ url: "https://b.example/mcp" });

  assert.equal(authRefusalOf(await authorize(authenticatorOf(world))).reason, "sign-in-required");
});

test("U9 fault F29 another client id than the one configured does not get the token used", async () => {
  const world = signedIn();
  world.change({ settings: { clientId: "another", callbackPort: 1 } });

  assert.equal(authRefusalOf(await authorize(authenticatorOf(world))).reason, "sign-in-required");
});

test("U5 a token of another issuer than the pinned one is not sent", async () => {
  const world = signedIn();
  world.change({ expectedIssuer: "https://pinned.example" });

  assert.equal(authRefusalOf(await authorize(authenticatorOf(world))).reason, "sign-in-required");
});

for (const [what, leftMs, refreshes] of [
  ["one millisecond before the early expiry", 60_001, 0],
  ["at the early expiry", 60_000, 1],
  ["at its end", 0, 1],
] as const) {
  test(`U10 fault F26 a token ${what} is ${refreshes === 0 ? "sent" : "renewed first"}`, async () => {
    const world = new OauthWorld();
    const nowMs = world.clock.nowMs();
    const tokens = { expiresAtMs: nowMs + leftMs, obtainedAtMs: nowMs - 3_600_000 };
    world.store.put(world.credential({ tokens }));

    const outcome = await authorize(authenticatorOf(world));

    assert.equal(world.authorizationServer.count("refresh"), refreshes);
    assert.deepEqual(sent(outcome), [
      ["authorization", refreshes === 0 ? "Bearer access-0" : "Bearer access-1"],
    ]);
  });
}

test("U8b fault F25 a token of unknown life is sent until it is refused", async () => {
  const world = new OauthWorld();
  const { expiresAtMs: _, ...tokens } = world.credential().tokens ?? assert.fail();
  const { tokens: __, ...rest } = world.credential();
  world.store.put({ ...rest, tokens });
  await world.clock.advance(31_536_000_000);

  assert.deepEqual(sent(await authorize(authenticatorOf(world))), [["authorization", "Bearer access-0"]]);
  assert.equal(world.authorizationServer.count("refresh"), 0);
});

test("U10 a refresh goes to the stored endpoint, with the stored resource and client", async () => {
  const world = expired(new OauthWorld());
  world.describeServer({ token_endpoint: "https://as.example/moved" });

  await authorize(authenticatorOf(world));

  assert.deepEqual(world.authorizationServer.asked, [
    {
      operation: "refresh",
      url: `${ISSUER}/token`,
      clientId: CLIENT.clientId,
      resource: "https://mcp.example/mcp",
      token: "refresh-0",
    },
  ]);
});

test("U8b a refresh answer without a refresh token keeps the old one", async () => {
  const world = expired(new OauthWorld());
  world.authorizationServer.rotates = false;

  await authorize(authenticatorOf(world));

  assert.equal(world.stored?.tokens?.refreshToken?.reveal(), "refresh-0");
});

test("U10 fault F11 eight calls at once, and in five processes, make one token request", async () => {
  const world = expired(new OauthWorld());
  const processes = Array.from({ length: 5 }, () => authenticatorOf(world));

  const outcomes = await Promise.all(
    processes.flatMap((one) => Array.from({ length: 8 }, () => authorize(one))),
  );

  assert.equal(world.authorizationServer.count("refresh"), 1);
  assert.deepEqual(new Set(outcomes.map((outcome) => sent(outcome)[0]?.[1])), new Set(["Bearer access-1"]));
});

test("U2 a 401 for the token at hand refreshes once and says retry; the retry gets the new token", async () => {
  const world = signedIn();
  const authenticator = authenticatorOf(world);
  await authorize(authenticator);

  assert.deepEqual(await rejected(authenticator, {}), accept("retry"));

  assert.equal(world.authorizationServer.count("refresh"), 1);
  assert.deepEqual(sent(await authorize(authenticator)), [["authorization", "Bearer access-1"]]);
});

test("U2 a token that a 401 brought, and that gets one itself, is rejected; a minute later it is renewed again", async () => {
  const world = signedIn();
  const authenticator = authenticatorOf(world);
  await rejected(authenticator, {});
  const generation = world.stored?.generation ?? assert.fail();

  const refusal = authRefusalOf(await rejected(authenticator, { generation }));

  assert.deepEqual([refusal.reason, refusal.status], ["rejected", 401]);
  assert.equal(world.authorizationServer.count("refresh"), 1);
  await world.clock.advance(60_000);
  assert.deepEqual(await rejected(authenticator, { generation }), accept("retry"));
});

test("U10 a 401 for a token that was replaced meanwhile says retry and refreshes nothing", async () => {
  const world = signedIn();
  const authenticator = authenticatorOf(world);
  await authorize(authenticator);
  world.store.put(
    world.credential({ generation: "a".repeat(32), tokens: { accessToken: new Secret("winner") } }),
  );

  assert.deepEqual(await rejected(authenticator, {}), accept("retry"));

  assert.equal(world.authorizationServer.count("refresh"), 0);
  assert.deepEqual(sent(await authorize(authenticator)), [["authorization", "Bearer winner"]]);
});

test("U2 a 401 without a refresh token needs a sign-in, with the scopes that the server wants", async () => {
  const world = new OauthWorld();
  const { refreshToken: _, ...tokens } = world.credential().tokens ?? assert.fail();
  const { tokens: __, ...rest } = world.credential();
  world.store.put({ ...rest, tokens });
  const challenge = { resourceMetadata: undefined, scopes: ["wanted"], error: undefined };

  const refusal = authRefusalOf(await rejected(authenticatorOf(world), { challenge }));

  assert.deepEqual([refusal.reason, refusal.scopes], ["sign-in-required", ["wanted"]]);
});

test("U5 a 401 after the server moved to another issuer needs a sign-in, and neither issuer is asked for a token", async () => {
  const world = signedIn();
  world.describeResource({ authorization_servers: ["https://new.example"] });

  const outcome = await rejected(authenticatorOf(world), {});

  assert.equal(authRefusalOf(outcome).reason, "sign-in-required");
  assert.deepEqual(world.authorizationServer.asked, [{ operation: "document", url: RESOURCE_METADATA }]);
});

test("U10 a 401 refreshes although the server's metadata cannot be read now", async () => {
  const world = signedIn();
  world.authorizationServer.failing.set("document", { reason: "unreachable" });

  assert.deepEqual(await rejected(authenticatorOf(world), {}), accept("retry"));
});

test("U8 fault F13 a 403 for missing scopes is a step-up with the union, and never a refresh", async () => {
  const world = signedIn({ tokens: { scopes: ["a"] } });

  const refusal = authRefusalOf(await rejected(authenticatorOf(world), insufficient("b")));

  assert.deepEqual([refusal.reason, refusal.scopes], ["step-up-required", ["a", "b"]]);
  assert.deepEqual(world.authorizationServer.asked, []);
});

test("U8 the third step-up for the same scopes is refused; ten minutes later it is another story", async () => {
  const world = signedIn();
  const authenticator = authenticatorOf(world);
  const step = async (generation: string): Promise<string> =>
    authRefusalOf(await rejected(authenticator, { ...insufficient("b"), generation })).reason;

  assert.equal(await step("1"), "step-up-required");
  assert.equal(await step("1"), "step-up-required", "one authorization counts once");
  assert.equal(await step("2"), "step-up-required");
  assert.equal(await step("3"), "step-up-limit");
  await world.clock.advance(600_000);
  assert.equal(await step("4"), "step-up-required");
});

test("U8 a server that names other scopes every time gets eight step-ups, not nine", async () => {
  const authenticator = authenticatorOf(signedIn());
  const reasons: string[] = [];
  for (let index = 0; index < 9; index += 1) {
    const rejection = { ...insufficient(`s${index}`), generation: `${index}` };
    reasons.push(authRefusalOf(await rejected(authenticator, rejection)).reason);
  }

  assert.deepEqual(reasons, [...Array.from({ length: 8 }, () => "step-up-required"), "step-up-limit"]);
});

test("U2 any other 403 is a rejection: nothing is asked for, nothing is tried again", async () => {
  const world = signedIn();

  const refusal = authRefusalOf(await rejected(authenticatorOf(world), { status: 403 }));

  assert.deepEqual([refusal.reason, refusal.status], ["rejected", 403]);
  assert.deepEqual(world.authorizationServer.asked, []);
});

test("U10 a token near its end is sent while the issuer is down; at its end the request is refused", async () => {
  const world = new OauthWorld();
  const nowMs = world.clock.nowMs();
  world.store.put(
    world.credential({ tokens: { expiresAtMs: nowMs + 30_000, obtainedAtMs: nowMs - 3_600_000 } }),
  );
  world.authorizationServer.failing.set("refresh", { reason: "unreachable" });
  const authenticator = authenticatorOf(world);

  assert.deepEqual(sent(await authorize(authenticator)), [["authorization", "Bearer access-0"]]);
  await world.clock.advance(30_000);
  assert.equal(authRefusalOf(await authorize(authenticator)).reason, "unreachable");
});

test("U10 an expired token with nothing to renew it needs a sign-in, and nothing is asked", async () => {
  const world = new OauthWorld();
  const nowMs = world.clock.nowMs();
  const { refreshToken: _, ...tokens } = world.credential().tokens ?? assert.fail();
  const { tokens: __, ...rest } = world.credential();
  world.store.put({ ...rest, tokens: { ...tokens, expiresAtMs: nowMs } });

  assert.equal(authRefusalOf(await authorize(authenticatorOf(world))).reason, "sign-in-required");
  assert.deepEqual(world.authorizationServer.asked, []);
});

test("U11 a sign-out elsewhere is heard of within a second", async () => {
  const world = signedIn();
  const authenticator = authenticatorOf(world);
  await authorize(authenticator);
  await world.store.delete(world.credential().key, { signal: never() });

  await world.clock.advance(1_000);

  assert.equal(authRefusalOf(await authorize(authenticator)).reason, "sign-in-required");
});

test("U10 a record that was being read while it was renewed is not remembered", async () => {
  const world = signedIn();
  const read = Promise.withResolvers<void>();
  const old = world.stored ?? assert.fail();
  let reads = 0;
  const racing = createOAuthAuthenticator({
    server: world.server,
    ports: {
      ...world.ports,
      store: {
        get: (key, options) =>
          (reads += 1) === 1 ? read.promise.then(() => accept(old)) : world.store.get(key, options),
        set: (credential, options) => world.store.set(credential, options),
        delete: (key, options) => world.store.delete(key, options),
      },
    },
  });
  const first = racing.authorize({ signal: never() });
  assert.deepEqual(await rejected(racing, {}), accept("retry"));
  read.resolve();
  await first;

  assert.deepEqual(sent(await authorize(racing)), [["authorization", "Bearer access-1"]]);
});

test("U10 a caller who leaves while a refresh is under way does not cut it", async () => {
  const world = expired(new OauthWorld());
  const control = new AbortController();
  const reason = new Error("enough");
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  world.authorizationServer.after = () => {
    asked.resolve();
    return gate.promise;
  };
  const authenticator = authenticatorOf(world);
  const left = authenticator.authorize({ signal: control.signal });
  await asked.promise;

  control.abort(reason);
  await assert.rejects(left, (error) => error === reason);
  gate.resolve();

  assert.deepEqual(sent(await authorize(authenticator)), [["authorization", "Bearer access-1"]]);
  assert.equal(world.authorizationServer.count("refresh"), 1);
});

test("U2 an aborted signal is asked for nothing", async () => {
  const world = signedIn();
  const signal = AbortSignal.abort(new Error("enough"));

  await assert.rejects(authenticatorOf(world).authorize({ signal }), (error) => error === signal.reason);
});

for (const [operation, reason] of [
  ["get", "store-failed"],
  ["get", "store-unavailable"],
] as const) {
  test(`U9 a store that is ${reason} is no sign-in required`, async () => {
    const world = signedIn();
    world.store.failing.set(operation, reason);

    assert.deepEqual(
      await authorize(authenticatorOf(world)),
      refuse({ kind: "auth", reason, serverId: "files" }),
    );
  });
}
