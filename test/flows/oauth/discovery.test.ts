import assert from "node:assert/strict";
import { test } from "node:test";

import { beginSignIn, type BegunSignIn } from "../../../src/composition/flows/oauth/begin-sign-in.ts";
import type { BearerChallenge } from "../../../src/domain/oauth/challenge.ts";
import type { AuthRefusal } from "../../../src/domain/oauth/refusal.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import type { Failure } from "../../kit/fake-authorization-server.ts";
import {
  authRefusalOf,
  ISSUER,
  never,
  OauthWorld,
  REDIRECT_URI,
  RESOURCE_METADATA,
  ROOT_METADATA,
  SERVER_METADATA,
  SERVER_URL,
  serverDocument,
  valueOf,
} from "../../kit/oauth-world.ts";

function begin(world: OauthWorld, challenge?: BearerChallenge): Promise<Outcome<BegunSignIn, AuthRefusal>> {
  const { server, ports } = world;
  return beginSignIn({ server, ports, challenge, redirectUri: REDIRECT_URI, signal: never() });
}

function documentsOf({ authorizationServer }: OauthWorld): readonly string[] {
  return authorizationServer.asked.filter(({ operation }) => operation === "document").map(({ url }) => url);
}

function pageOf(begun: BegunSignIn): URLSearchParams {
  return new URL(begun.authorizationUrl).searchParams;
}

/** Whatever is wrong: nobody is asked for anything but documents, and nothing is kept. */
async function assertRefused(
  world: OauthWorld,
  expected: Partial<AuthRefusal>,
  challenge?: BearerChallenge,
): Promise<void> {
  const refusal = authRefusalOf(await begin(world, challenge));
  assert.deepEqual(refusal, { kind: "auth", serverId: "files", ...expected });
  assert.deepEqual(world.authorizationServer.requests, []);
  assert.equal(world.stored, undefined);
  assert.deepEqual(
    world.events.map(({ action, reason }) => [action, reason]),
    [["sign-in-refused", `auth/${expected.reason}`]],
  );
}

function linkTo(resourceMetadata: string): BearerChallenge {
  return { resourceMetadata, scopes: [], error: undefined };
}

test("U5 the path-specific metadata is asked first, and the origin's not at all where it is there", async () => {
  const world = new OauthWorld();

  valueOf(await begin(world));

  assert.deepEqual(documentsOf(world), [RESOURCE_METADATA, SERVER_METADATA]);
});

test("U5 the origin's metadata stands in for a missing one, and its `resource` is sent verbatim", async () => {
  const world = new OauthWorld();
  world.authorizationServer.documents.delete(RESOURCE_METADATA);
  world.describeResource({ resource: "https://mcp.example/" }, ROOT_METADATA);

  const begun = valueOf(await begin(world));

  assert.equal(pageOf(begun).get("resource"), "https://mcp.example/");
  assert.equal(begun.pending.resourceIndicator, "https://mcp.example/");
});

test("U5 the challenge's link is the only place asked, and used as it is", async () => {
  const world = new OauthWorld();
  const link = "https://mcp.example/meta%2Fdata?of=mcp";
  world.describeResource({}, link);

  valueOf(await begin(world, linkTo(link)));

  assert.deepEqual(documentsOf(world), [link, SERVER_METADATA]);
});

test("U5 without a challenge at hand the server is asked for one, once and without credentials", async () => {
  const world = new OauthWorld();
  const link = "https://mcp.example/elsewhere";
  world.describeResource({}, link);
  world.authorizationServer.challenges = [`Basic realm="x", Bearer resource_metadata="${link}"`];

  valueOf(await begin(world));

  assert.equal(world.authorizationServer.count("challenge"), 1);
  assert.deepEqual(documentsOf(world), [link, SERVER_METADATA]);
});

test("U5 a link to another origin ends discovery: it is not fetched, and no other place is", async () => {
  const world = new OauthWorld();

  await assertRefused(world, { reason: "resource-metadata-origin" }, linkTo("https://evil.example/meta"));

  assert.deepEqual(documentsOf(world), []);
});

test("U5 a link that leads nowhere ends discovery: the well-known places are not tried instead", async () => {
  const world = new OauthWorld();

  await assertRefused(world, { reason: "resource-metadata-missing" }, linkTo("https://mcp.example/gone"));

  assert.deepEqual(documentsOf(world), ["https://mcp.example/gone"]);
});

test("U5 fault F10 without metadata no authorization server is invented on the server's own host", async () => {
  const world = new OauthWorld();
  world.authorizationServer.documents.clear();
  world.describeServer({}, "https://mcp.example/.well-known/oauth-authorization-server");

  await assertRefused(world, { reason: "resource-metadata-missing" });

  assert.deepEqual(documentsOf(world), [RESOURCE_METADATA, ROOT_METADATA]);
});

for (const [what, document, expected] of [
  ["of another origin", { resource: "https://evil.example/mcp" }, { reason: "resource-mismatch" }],
  [
    "of the origin, at the path's place",
    { resource: "https://mcp.example" },
    { reason: "resource-mismatch" },
  ],
  ["of another path", { resource: "https://mcp.example/other" }, { reason: "resource-mismatch" }],
  ["with a fragment", { resource: `${SERVER_URL}#x` }, { reason: "resource-mismatch" }],
  ["of no resource", { resource: 7 }, { reason: "resource-metadata-invalid", field: "resource" }],
  ["without a server", { authorization_servers: [] }, { reason: "authorization-server-missing" }],
  [
    "with a server over plain http",
    { authorization_servers: ["http://as.example"] },
    { reason: "endpoint-insecure", field: "authorization_servers" },
  ],
  [
    "with a server on this machine",
    { authorization_servers: ["http://127.0.0.1:4711"] },
    { reason: "endpoint-insecure", field: "authorization_servers" },
  ],
] as const) {
  test(`U5 metadata ${what} is ${expected.reason}, and no authorization server is asked`, async () => {
    const world = new OauthWorld();
    world.describeResource(document);

    await assertRefused(world, expected);

    assert.deepEqual(documentsOf(world), [RESOURCE_METADATA]);
  });
}

test("U5 fault F8 a prefix of the path that is no path boundary is another resource", async () => {
  const world = new OauthWorld();
  const link = "https://mcp.example/meta";
  world.describeResource({ resource: "https://mcp.example/m" }, link);

  await assertRefused(world, { reason: "resource-mismatch" }, linkTo(link));
});

for (const [what, changes, expected] of [
  ["with another issuer", { issuer: "https://evil.example" }, { reason: "issuer-mismatch" }],
  [
    "with a token endpoint over plain http",
    { token_endpoint: "http://as.example/token" },
    { reason: "endpoint-insecure", field: "token_endpoint" },
  ],
  [
    "with user information in an endpoint",
    { authorization_endpoint: "https://user@as.example/authorize" },
    { reason: "endpoint-insecure", field: "authorization_endpoint" },
  ],
  [
    "with an endpoint on this machine",
    { registration_endpoint: "http://localhost:4711/register" },
    { reason: "endpoint-insecure", field: "registration_endpoint" },
  ],
  [
    "with a page that is a file",
    { authorization_endpoint: "file:///etc/passwd" },
    { reason: "endpoint-insecure", field: "authorization_endpoint" },
  ],
  ["without PKCE", { code_challenge_methods_supported: undefined }, { reason: "pkce-unsupported" }],
  ["with plain PKCE only", { code_challenge_methods_supported: ["plain"] }, { reason: "pkce-unsupported" }],
  [
    "without a token endpoint",
    { token_endpoint: undefined },
    { reason: "server-metadata-invalid", field: "token_endpoint" },
  ],
  [
    "without a page to sign in at",
    { authorization_endpoint: undefined },
    { reason: "server-metadata-invalid", field: "authorization_endpoint" },
  ],
] as const) {
  test(`U5 server metadata ${what} is ${expected.reason}`, async () => {
    const world = new OauthWorld();
    world.describeServer(changes);

    await assertRefused(world, expected);
  });
}

for (const [listed, own] of [
  ["https://as.example/", "https://as.example"],
  ["https://as.example", "https://as.example/"],
] as const) {
  test(`U5 fault F1 F2 the issuer ${listed} is ${own}: an empty path may have its slash or not`, async () => {
    const world = new OauthWorld();
    world.describeResource({ authorization_servers: [listed] });
    world.describeServer({ issuer: own });

    const { pending } = valueOf(await begin(world));

    // What `iss` will be compared with is what the server calls itself.
    assert.equal(pending.issuer, own);
  });
}

test("U5 a path of an issuer has no such concession", async () => {
  const world = new OauthWorld();
  world.describeResource({ authorization_servers: [`${ISSUER}/tenant`] });
  world.authorizationServer.documents.set(`${SERVER_METADATA}/tenant`, serverDocument(`${ISSUER}/tenant/`));

  await assertRefused(world, { reason: "issuer-mismatch" });
});

test("U5 server metadata is looked for in the specification's order, and missing at the end of it", async () => {
  const world = new OauthWorld();
  world.describeResource({ authorization_servers: [`${ISSUER}/tenant`] });

  await assertRefused(world, { reason: "server-metadata-missing" });

  assert.deepEqual(documentsOf(world).slice(1), [
    `${ISSUER}/.well-known/oauth-authorization-server/tenant`,
    `${ISSUER}/.well-known/openid-configuration/tenant`,
    `${ISSUER}/tenant/.well-known/openid-configuration`,
  ]);
});

test("U5 fault F34 an issuer that is not the server's own URL is right when the metadata names it", async () => {
  const world = new OauthWorld();
  world.describeResource({ authorization_servers: ["https://mcp.example"] });
  world.authorizationServer.documents.set(
    "https://mcp.example/.well-known/oauth-authorization-server",
    serverDocument("https://mcp.example"),
  );

  assert.equal(valueOf(await begin(world)).pending.issuer, "https://mcp.example");
});

const FAILURES: readonly (readonly [Failure, Partial<AuthRefusal>])[] = [
  [
    { reason: "invalid", status: 302 },
    { reason: "resource-metadata-invalid", status: 302 },
  ],
  [{ reason: "insecure" }, { reason: "endpoint-insecure" }],
  [
    { reason: "unreachable", status: 503 },
    { reason: "unreachable", status: 503 },
  ],
];
for (const [failure, expected] of FAILURES) {
  test(`U5 a document that is ${failure.reason} ends discovery as ${expected.reason}`, async () => {
    const world = new OauthWorld();
    world.authorizationServer.failing.set("document", failure);

    await assertRefused(world, expected);

    assert.deepEqual(documentsOf(world), [RESOURCE_METADATA]);
  });
}

test("U5 a document that takes longer than 30 seconds is unreachable, and its timer is gone", async () => {
  const world = new OauthWorld();
  const asked = Promise.withResolvers<void>();
  world.authorizationServer.before = (operation) => {
    if (operation !== "document") return Promise.resolve();
    asked.resolve();
    return new Promise((_, reject) => {
      void world.clock.wait(30_000, { signal: never() }).then(() => reject(new Error("cut")));
    });
  };
  const begun = begin(world);
  await asked.promise;

  await world.clock.advance(30_000);

  assert.equal(authRefusalOf(await begun).reason, "unreachable");
  assert.equal(world.clock.pending, 0);
});

test("U5 the pinned issuer is chosen among those that the server names", async () => {
  const world = new OauthWorld();
  world.describeResource({ authorization_servers: ["https://other.example", ISSUER] });
  world.change({ expectedIssuer: ISSUER });

  assert.equal(valueOf(await begin(world)).pending.issuer, ISSUER);
});

test("U5 a server that names another issuer than the pinned one is refused before that one is asked", async () => {
  const world = new OauthWorld();
  world.change({ expectedIssuer: "https://pinned.example" });

  await assertRefused(world, { reason: "issuer-not-pinned" });

  assert.deepEqual(documentsOf(world), [RESOURCE_METADATA]);
});

test("U5 the pin is the way in where the server publishes nothing, and hears nothing of the URL's query", async () => {
  const world = new OauthWorld();
  world.authorizationServer.documents.delete(RESOURCE_METADATA);
  world.change({ expectedIssuer: ISSUER, url: `${SERVER_URL}?key=own` });

  const { pending } = valueOf(await begin(world));

  assert.deepEqual([pending.issuer, pending.resourceIndicator], [ISSUER, SERVER_URL]);
});

test("U5 configured metadata is read in the place of the well-known, on the issuer's own origin", async () => {
  const world = new OauthWorld();
  world.describeServer({}, `${ISSUER}/custom`);
  world.change({ settings: { authServerMetadataUrl: `${ISSUER}/custom` } });

  valueOf(await begin(world));

  assert.deepEqual(documentsOf(world), [RESOURCE_METADATA, `${ISSUER}/custom`]);
});

test("U5 configured metadata on another origin does not speak for the issuer, and is not fetched", async () => {
  const world = new OauthWorld();
  world.describeServer({}, "https://evil.example/custom");
  world.change({ settings: { authServerMetadataUrl: "https://evil.example/custom" } });

  await assertRefused(world, { reason: "issuer-mismatch", field: "authServerMetadataUrl" });

  assert.deepEqual(documentsOf(world), [RESOURCE_METADATA]);
});

for (const reason of ["store-failed", "store-unavailable"] as const) {
  test(`U9 a store that is ${reason} ends the sign-in before anybody is asked`, async () => {
    const world = new OauthWorld();
    world.store.failing.set("get", reason);

    assert.equal(authRefusalOf(await begin(world)).reason, reason);
    assert.deepEqual(world.authorizationServer.asked, []);
  });
}
