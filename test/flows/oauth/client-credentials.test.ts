import assert from "node:assert/strict";
import { test } from "node:test";

import {
  runMcpClientCredentials,
  type ClientCredentialsOptions,
} from "../../../src/composition/flows/oauth/client-credentials.ts";
import type { SignedIn } from "../../../src/composition/flows/oauth/complete-sign-in.ts";
import { createOAuthAuthenticator } from "../../../src/composition/flows/oauth/oauth-authenticator.ts";
import type { AuthRefusal } from "../../../src/domain/oauth/refusal.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { Secret } from "../../../src/domain/secret.ts";
import { authRefusalOf, ISSUER, never, OauthWorld, SERVER_URL, valueOf } from "../../kit/oauth-world.ts";

const CLIENT = { clientId: "robot", clientSecret: new Secret("its-secret") };

function run(
  world: OauthWorld,
  changes: Partial<ClientCredentialsOptions> = {},
): Promise<Outcome<SignedIn, AuthRefusal>> {
  const { server, ports } = world;
  return runMcpClientCredentials({ server, ports, client: CLIENT, signal: never(), ...changes });
}

test("U13 a client with a secret is signed in without a person, page or registration", async () => {
  const world = new OauthWorld();
  world.describeResource({ scopes_supported: ["s"] });

  valueOf(await run(world));

  assert.deepEqual(world.authorizationServer.requests, [
    { operation: "client", url: `${ISSUER}/token`, clientId: "robot", resource: SERVER_URL, scopes: ["s"] },
  ]);
  assert.equal(world.stored?.grant, "client_credentials");
  assert.equal(world.stored?.client.clientSecret, CLIENT.clientSecret);
  assert.deepEqual(
    world.events.map(({ action }) => action),
    ["sign-in"],
  );
});

test("U13 a private key is used where the server takes its assertion, and kept with how it signs", async () => {
  const world = new OauthWorld();
  world.describeServer({ token_endpoint_auth_methods_supported: ["private_key_jwt"] });
  const privateKey = new Secret("pem");

  valueOf(await run(world, { client: { clientId: "robot", privateKey, signingAlgorithm: "ES256" } }));

  assert.deepEqual(world.stored?.client, {
    clientId: "robot",
    origin: "pre-registered",
    authentication: "private_key_jwt",
    privateKey,
    signingAlgorithm: "ES256",
    redirectUris: [],
  });
});

test("U13 neither a page to sign in at nor PKCE is needed for it", async () => {
  const world = new OauthWorld();
  world.describeServer({ authorization_endpoint: undefined, code_challenge_methods_supported: undefined });

  valueOf(await run(world));
});

test("U13 a client that has nothing to prove itself with is refused, and asks for no token", async () => {
  const world = new OauthWorld();

  const { reason, field } = authRefusalOf(await run(world, { client: { clientId: "robot" } }));

  assert.deepEqual([reason, field], ["registration-unavailable", "client_secret"]);
  assert.deepEqual(world.authorizationServer.requests, []);
});

test("U13 a token that ends is had again with the client, and its scopes stay", async () => {
  const world = new OauthWorld();
  valueOf(await run(world, { scopes: ["chosen"] }));
  await world.clock.advance(3_600_000);

  const { server, ports } = world;
  valueOf(await createOAuthAuthenticator({ server, ports }).authorize({ signal: never() }));

  assert.deepEqual(
    world.authorizationServer.requests.map(({ operation, scopes }) => [operation, scopes]),
    [
      ["client", ["chosen"]],
      ["client", ["chosen"]],
    ],
  );
});

test("U13 a client that is refused once keeps its secret: there is no person to give it again", async () => {
  const world = new OauthWorld();
  valueOf(await run(world));
  await world.clock.advance(3_600_000);
  world.authorizationServer.failing.set("client", { reason: "refused", error: "invalid_client" });

  const { server, ports } = world;
  const outcome = await createOAuthAuthenticator({ server, ports }).authorize({ signal: never() });

  assert.equal(authRefusalOf(outcome).reason, "invalid-client");
  assert.equal(world.stored?.client.clientSecret, CLIENT.clientSecret);
});

for (const [error, reason] of [
  ["invalid_client", "invalid-client"],
  ["invalid_scope", "token-refused"],
] as const) {
  test(`U13 ${error} is ${reason}, nothing is stored, and the audit says so`, async () => {
    const world = new OauthWorld();
    world.authorizationServer.failing.set("client", { reason: "refused", error });

    assert.equal(authRefusalOf(await run(world)).reason, reason);

    assert.equal(world.stored, undefined);
    assert.deepEqual(
      world.events.map((event) => event.reason),
      [`auth/${reason}`],
    );
  });
}

test("U13 the secret goes to no issuer but the pinned one", async () => {
  const world = new OauthWorld();
  world.change({ expectedIssuer: "https://pinned.example" });

  assert.equal(authRefusalOf(await run(world)).reason, "issuer-not-pinned");
  assert.deepEqual(world.authorizationServer.requests, []);
});
