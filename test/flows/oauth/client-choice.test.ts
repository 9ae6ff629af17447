import assert from "node:assert/strict";
import { test } from "node:test";

import {
  beginSignIn,
  type BegunSignIn,
  type SignInOptions,
} from "../../../src/composition/flows/oauth/begin-sign-in.ts";
import type { AuthRefusal } from "../../../src/domain/oauth/refusal.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { Secret } from "../../../src/domain/secret.ts";
import {
  authRefusalOf,
  CLIENT,
  never,
  OauthWorld,
  REDIRECT_URI,
  SERVER_METADATA,
  valueOf,
} from "../../kit/oauth-world.ts";

const DOCUMENT = "https://host.example/client.json";

function begin(
  world: OauthWorld,
  more: Partial<SignInOptions> = {},
): Promise<Outcome<BegunSignIn, AuthRefusal>> {
  const { server, ports } = world;
  return beginSignIn({ server, ports, redirectUri: REDIRECT_URI, signal: never(), ...more });
}

function scopeOf(begun: BegunSignIn): string | null {
  return new URL(begun.authorizationUrl).searchParams.get("scope");
}

test("U6 a pre-registered id comes before a metadata document and a registration", async () => {
  const world = new OauthWorld();
  world.describeServer({ client_id_metadata_document_supported: true });
  world.change({ settings: { clientId: "mine", callbackPort: 4711 }, clientMetadataUrl: DOCUMENT });

  const { pending } = valueOf(await begin(world));

  assert.deepEqual([pending.client.clientId, pending.client.origin], ["mine", "pre-registered"]);
  assert.equal(world.authorizationServer.count("register"), 0);
});

test("U6 fault F19 a metadata document comes next, where the server takes one, registration or not", async () => {
  const world = new OauthWorld();
  world.describeServer({ client_id_metadata_document_supported: true, registration_endpoint: undefined });
  world.change({ clientMetadataUrl: DOCUMENT });

  const { pending } = valueOf(await begin(world));

  assert.deepEqual([pending.client.clientId, pending.client.origin], [DOCUMENT, "metadata-document"]);
});

test("U6 a server that takes no metadata documents is asked for a registration", async () => {
  const world = new OauthWorld();
  world.change({ clientMetadataUrl: DOCUMENT });

  assert.equal(valueOf(await begin(world)).pending.client.origin, "dynamic");
});

for (const url of [
  "https://host.example/",
  "https://host.example",
  "https://host.example/a/../b",
  "https://host.example/c#f",
  "https://u@host.example/c",
  "https://HOST.example/c",
  "http://host.example/c",
]) {
  test(`U6 fault F20 ${url} is no client id, and nothing takes its place`, async () => {
    const world = new OauthWorld();
    world.describeServer({ client_id_metadata_document_supported: true });
    world.change({ clientMetadataUrl: url });

    const refusal = authRefusalOf(await begin(world));

    assert.deepEqual([refusal.reason, refusal.field], ["registration-unavailable", "clientMetadataUrl"]);
    assert.deepEqual(world.authorizationServer.requests, []);
  });
}

test("U6 without id, document and registration it says so", async () => {
  const world = new OauthWorld();
  world.describeServer({ registration_endpoint: undefined });

  assert.equal(authRefusalOf(await begin(world)).reason, "registration-unavailable");
});

test("U6 an answer for other redirect URIs than ours is refused", async () => {
  const world = new OauthWorld();
  world.authorizationServer.registrationAnswer = { redirect_uris: [REDIRECT_URI, "https://evil.example/"] };

  const refusal = authRefusalOf(await begin(world));

  assert.equal(refusal.reason, "registration-redirect-mismatch");
});

test("U6 a secret that comes with a registration that needs none is not kept", async () => {
  const world = new OauthWorld();
  world.authorizationServer.registrationAnswer = { client_secret: "unasked", client_secret_expires_at: 7 };

  const { client } = valueOf(await begin(world)).pending;

  assert.deepEqual([client.authentication, client.clientSecret], ["none", undefined]);
  assert.equal("secretExpiresAtMs" in client, false);
});

for (const [changes, field] of [
  [{ token_endpoint_auth_method: "tls_client_auth" }, "token_endpoint_auth_method"],
  [{ token_endpoint_auth_method: "client_secret_basic" }, "client_secret"],
] as const) {
  test(`U6 a registration for ${changes.token_endpoint_auth_method} that this client cannot do has failed`, async () => {
    const world = new OauthWorld();
    world.authorizationServer.registrationAnswer = changes;

    const refusal = authRefusalOf(await begin(world));

    assert.deepEqual([refusal.reason, refusal.field], ["registration-failed", field]);
  });
}

test("U6 a registration for a secret keeps it, and when it ends", async () => {
  const world = new OauthWorld();
  world.describeServer({ token_endpoint_auth_methods_supported: undefined });
  world.authorizationServer.registrationAnswer = { client_secret: "s", client_secret_expires_at: 7 };

  const { client } = valueOf(await begin(world)).pending;

  assert.deepEqual(
    [client.authentication, client.clientSecret?.reveal(), client.secretExpiresAtMs],
    ["client_secret_basic", "s", 7_000],
  );
});

test("U6 a registration that is refused, or that cannot be read, has failed", async () => {
  const world = new OauthWorld();
  world.authorizationServer.registrationAnswer = { client_id: 7 };
  assert.deepEqual(authRefusalOf(await begin(world)), {
    kind: "auth",
    reason: "registration-failed",
    serverId: "files",
    field: "client_id",
  });

  world.authorizationServer.failing.set("register", { reason: "refused", status: 403, error: "other" });
  assert.equal(authRefusalOf(await begin(world)).status, 403);
});

test("U6 a client of another issuer is not used, and its secret does not leave", async () => {
  const world = new OauthWorld();
  const client = { ...CLIENT, clientId: "theirs", clientSecret: new Secret("canary") };
  world.store.put(world.credential({ issuer: "https://other.example", client }));

  const { pending } = valueOf(await begin(world));

  assert.deepEqual([pending.client.clientId, pending.client.clientSecret], ["dynamic-1", undefined]);
});

for (const [leftMs, made] of [
  [1, 0],
  [0, 1],
] as const) {
  test(`U6 a registration whose secret ends in ${leftMs} ms is ${made === 0 ? "used" : "made anew"}`, async () => {
    const world = new OauthWorld();
    const client = { ...CLIENT, secretExpiresAtMs: world.clock.nowMs() + leftMs };
    world.store.put(world.credential({ client }));

    valueOf(await begin(world));

    assert.equal(world.authorizationServer.count("register"), made);
  });
}

test("U13 the secret that was given at an earlier sign-in is used again for the same client and issuer", async () => {
  const world = new OauthWorld();
  const clientSecret = new Secret("kept");
  const client = {
    ...CLIENT,
    origin: "pre-registered" as const,
    authentication: "client_secret_basic" as const,
    clientId: "mine",
    clientSecret,
  };
  world.store.put(world.credential({ client }));
  world.change({ settings: { clientId: "mine", callbackPort: 4711 } });

  const { pending } = valueOf(await begin(world));
  assert.equal(pending.client.clientSecret, clientSecret);
  assert.equal(pending.client.authentication, "client_secret_basic");

  world.change({ settings: { clientId: "another", callbackPort: 4711 } });
  assert.equal(valueOf(await begin(world)).pending.client.clientSecret, undefined);
});

for (const [supported, secret, method] of [
  [undefined, true, "client_secret_basic"],
  [["client_secret_post"], true, "client_secret_post"],
  [["client_secret_post", "client_secret_basic"], true, "client_secret_basic"],
  [["none"], true, "none"],
  [undefined, false, "none"],
  [["client_secret_basic"], false, "none"],
] as const) {
  test(`U6 a client ${secret ? "with" : "without"} a secret is ${method} where the server takes ${supported?.join(", ") ?? "what it does not say"}`, async () => {
    const world = new OauthWorld();
    world.describeServer({ token_endpoint_auth_methods_supported: supported });

    const { pending } = valueOf(
      await begin(world, {
        client: { clientId: "mine", ...(secret && { clientSecret: new Secret("s") }) },
      }),
    );

    assert.equal(pending.client.authentication, method);
  });
}

test("U6 a client whose proof the server does not take is refused before the page is shown", async () => {
  const world = new OauthWorld();
  world.describeServer({ token_endpoint_auth_methods_supported: ["tls_client_auth"] });

  const client = { clientId: "mine", clientSecret: new Secret("s") };
  const refusal = authRefusalOf(await begin(world, { client }));

  assert.deepEqual(
    [refusal.reason, refusal.field],
    ["registration-unavailable", "token_endpoint_auth_methods_supported"],
  );
});

test("U8 the challenge's scopes come before the configured ones, and those before all that are supported", async () => {
  const world = new OauthWorld();
  world.describeResource({ scopes_supported: ["s1", "s2"] });
  assert.equal(scopeOf(valueOf(await begin(world))), "s1 s2");

  world.change({ settings: { scopes: ["configured"] } });
  assert.equal(scopeOf(valueOf(await begin(world))), "configured");

  const challenge = { resourceMetadata: undefined, scopes: ["wanted"], error: undefined };
  assert.equal(scopeOf(valueOf(await begin(world, { challenge }))), "wanted");
  assert.equal(scopeOf(valueOf(await begin(world, { challenge, scopes: ["chosen"] }))), "chosen");
});

test("U8 `offline_access` is asked for only where the server lists it, and then with the person's consent", async () => {
  const world = new OauthWorld();
  world.describeResource({ scopes_supported: ["s1"] });
  assert.equal(scopeOf(valueOf(await begin(world))), "s1");

  world.describeServer({ scopes_supported: ["offline_access"] }, SERVER_METADATA);
  const begun = valueOf(await begin(world));
  assert.equal(scopeOf(begun), "s1 offline_access");
  assert.equal(new URL(begun.authorizationUrl).searchParams.get("prompt"), "consent");

  world.change({ settings: { scopes: ["configured"] } });
  assert.equal(scopeOf(valueOf(await begin(world))), "configured");
});

test("U8 `offline_access` alone is not asked for: it would be the only right that is granted", async () => {
  const world = new OauthWorld();
  world.describeServer({ scopes_supported: ["offline_access"] });

  assert.equal(scopeOf(valueOf(await begin(world))), null);
});

test("U8 fault F14 a step-up asks for what was granted and for what is missing together", async () => {
  const world = new OauthWorld();
  world.store.put(world.credential({ tokens: { scopes: ["a"] } }));

  const begun = valueOf(await begin(world, { stepUpScopes: ["b"] }));

  assert.equal(scopeOf(begun), "a b");
});
