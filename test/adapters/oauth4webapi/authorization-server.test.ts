import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";

import { createAuthorizationServerClient } from "../../../src/adapters/oauth4webapi/authorization-server.ts";
import type { OauthClient } from "../../../src/domain/oauth/credential.ts";
import { accept, type Outcome } from "../../../src/domain/outcome.ts";
import { Secret } from "../../../src/domain/secret.ts";
import type {
  AuthorizationServer,
  AuthorizationServerFailure,
} from "../../../src/ports/authorization-server.ts";
import type { Egress } from "../../../src/ports/egress.ts";
import { FakeEgress } from "../../kit/fake-egress.ts";
import { egressWorld } from "../../kit/egress-world.ts";
import { OauthHttpServer, sendJson, type Handler } from "../../kit/oauth-server.ts";
import { never } from "../../kit/oauth-world.ts";

interface World {
  readonly server: OauthHttpServer;
  readonly client: AuthorizationServer;
}

async function start(t: TestContext): Promise<World> {
  const server = await OauthHttpServer.start(t);
  const { egress } = egressWorld(t);
  return { server, client: createAuthorizationServerClient({ egress, policy: { allowDestinations: [] } }) };
}

const PUBLIC: OauthClient = {
  clientId: "client",
  origin: "dynamic",
  authentication: "none",
  redirectUris: [],
};

function failureOf(
  outcome: Outcome<unknown, AuthorizationServerFailure>,
): Omit<AuthorizationServerFailure, "kind"> {
  assert.ok(!outcome.ok, "did not fail");
  const { kind, ...failure } = outcome.refusal;
  assert.equal(kind, "authorization-server");
  return failure;
}

function refresh({ server, client }: World, more: { tokenEndpoint?: string; signal?: AbortSignal } = {}) {
  return client.refresh(
    {
      issuer: server.origin,
      tokenEndpoint: more.tokenEndpoint ?? `${server.origin}/token`,
      client: PUBLIC,
      resource: "https://mcp.example/mcp",
      refreshToken: new Secret("kanarienvogel"),
    },
    { signal: more.signal ?? never() },
  );
}

test("U5 a document is read with one GET that carries nothing but what it accepts", async (t) => {
  const { server, client } = await start(t);
  const url = `${server.origin}/.well-known/oauth-authorization-server`;

  const document = await client.fetchDocument(url, { signal: never() });

  assert.ok(document.ok);
  assert.equal(server.requests.length, 1);
  const [{ method, headers } = assert.fail("nothing was asked")] = server.requests;
  assert.deepEqual([method, headers.accept, headers.authorization], ["GET", "application/json", undefined]);
});

const page: Handler = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<html>");
};
const DOCUMENTS: readonly (readonly [string, Handler, Omit<AuthorizationServerFailure, "kind">])[] = [
  ["that is not there", (_, response) => sendJson(response, 404, {}), { reason: "absent", status: 404 }],
  ["that is forbidden", (_, response) => sendJson(response, 401, {}), { reason: "absent", status: 401 }],
  ["that is a page of a site", page, { reason: "absent" }],
  ["that is a list", (_, response) => sendJson(response, 200, []), { reason: "invalid" }],
  ["that is nothing", (_, response) => sendJson(response, 200, null), { reason: "invalid" }],
  [
    "that is cut",
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end('{"issuer":');
    },
    { reason: "invalid" },
  ],
  [
    "of a server in trouble",
    (_, response) => sendJson(response, 503, {}),
    { reason: "unreachable", status: 503 },
  ],
  [
    "that asks for patience",
    (_, response) => sendJson(response, 429, {}),
    { reason: "unreachable", status: 429 },
  ],
  [
    "that moved",
    (_, response) => {
      response.writeHead(302, { location: "/elsewhere" }).end();
    },
    { reason: "invalid", status: 302 },
  ],
];
for (const [what, handler, expected] of DOCUMENTS) {
  test(`U5 a document ${what} is ${expected.reason}, after one request`, async (t) => {
    const { server, client } = await start(t);
    server.overrides.set("/meta", handler);

    const outcome = await client.fetchDocument(`${server.origin}/meta`, { signal: never() });

    assert.deepEqual(failureOf(outcome), expected);
    assert.equal(server.requests.length, 1);
  });
}

for (const [bytes, good] of [
  [262_144, true],
  [262_145, false],
  [20_971_520, false],
] as const) {
  test(`U5 a document of ${bytes} bytes is ${good ? "read" : "refused"}`, async (t) => {
    const { server, client } = await start(t);
    server.overrides.set("/meta", (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"a":"${"x".repeat(bytes - 8)}"}`);
    });

    const outcome = await client.fetchDocument(`${server.origin}/meta`, { signal: never() });

    if (good) assert.ok(outcome.ok);
    else assert.deepEqual(failureOf(outcome), { reason: "invalid" });
  });
}

for (const url of [
  "http://169.254.169.254/latest/meta-data",
  "https://metadata.google.internal/x",
  "https://10.0.0.1/x",
  "http://as.example/x",
  "https://user:secret@as.example/x",
  "file:///etc/passwd",
  "javascript:alert(1)",
]) {
  test(`E1 nothing is sent to ${url}: it is insecure`, async (t) => {
    const world = await start(t);

    assert.deepEqual(failureOf(await world.client.fetchDocument(url, { signal: never() })), {
      reason: "insecure",
    });
    assert.deepEqual(failureOf(await refresh(world, { tokenEndpoint: url })), { reason: "insecure" });
    assert.deepEqual(world.server.requests, []);
  });
}

test("U5 a server that does not listen is unreachable", async (t) => {
  const world = await start(t);
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  // Bound to an address, never to a path.
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));

  const outcome = await refresh(world, { tokenEndpoint: `http://127.0.0.1:${port}/token` });

  assert.deepEqual(failureOf(outcome), { reason: "unreachable" });
});

test("U5 a POST is never redirected: the token goes to no other place", async (t) => {
  const world = await start(t);
  world.server.overrides.set("/token", (_, response) => {
    response.writeHead(307, { location: "/stolen" }).end();
  });

  assert.deepEqual(failureOf(await refresh(world)), { reason: "invalid", status: 307 });
  assert.deepEqual(world.server.to("/stolen"), []);
});

test("U5 an egress that hands a redirect over is not followed either", async () => {
  const egress = new FakeEgress(() => ({ status: 302, headers: { location: "https://evil.example" } }));
  const client = createAuthorizationServerClient({ egress, policy: { allowDestinations: [] } });

  const outcome = await client.fetchDocument("https://as.example/meta", { signal: never() });

  assert.deepEqual(failureOf(outcome), { reason: "invalid", status: 302 });
  assert.equal(egress.sent.length, 1);
  assert.equal(egress.open, 0);
});

test("U5 an egress that counts no bytes is counted for: 256 KiB and no more", async () => {
  const egress = new FakeEgress(() => ({ status: 200, chunks: ['{"a":"', "x".repeat(262_144), '"}'] }));
  const uncounted: Egress = {
    fetch: (target, request, options) =>
      egress.fetch(target, { ...request, responseLimitBytes: null }, options),
    close: () => egress.close(),
    [Symbol.asyncDispose]: () => egress.close(),
  };
  const client = createAuthorizationServerClient({ egress: uncounted, policy: { allowDestinations: [] } });

  const outcome = await client.fetchDocument("https://as.example/meta", { signal: never() });

  assert.deepEqual(failureOf(outcome), { reason: "invalid" });
  assert.equal(egress.open, 0);
});

for (const [error, status, expected] of [
  ["invalid_grant", 400, { reason: "refused", status: 400, error: "invalid_grant" }],
  ["invalid_client", 401, { reason: "refused", status: 401, error: "invalid_client" }],
  ["kanarienvogel", 400, { reason: "refused", status: 400, error: "other" }],
  ["server_error", 500, { reason: "unreachable", status: 500 }],
  ["slow_down", 429, { reason: "unreachable", status: 429 }],
] as const) {
  test(`U8b a token endpoint that answers ${status} ${error} says no more than ${expected.reason}`, async (t) => {
    const world = await start(t);
    world.server.overrides.set("/token", ({ text }, response) =>
      sendJson(response, status, { error, error_description: text, error_uri: "https://evil.example" }),
    );

    assert.deepEqual(failureOf(await refresh(world)), expected);
  });
}

test("U8b an answer that is not the specification's names its field and quotes nothing", async (t) => {
  const world = await start(t);
  world.server.tokenAnswer = { expires_in: "kanarienvogel" };
  world.server.overrides.set("/token", (_, response) =>
    sendJson(response, 200, { access_token: "kanarienvogel", token_type: "bearer", expires_in: "soon" }),
  );

  assert.deepEqual(failureOf(await refresh(world)), { reason: "invalid", field: "expires_in" });
});

test("U8b a token answer that is no JSON is invalid", async (t) => {
  const world = await start(t);
  world.server.overrides.set("/token", page);

  assert.deepEqual(failureOf(await refresh(world)), { reason: "invalid" });
});

test("U7 an exchange that is aborted rejects with the signal's own reason", async (t) => {
  const world = await start(t);
  const control = new AbortController();
  const reason = new Error("enough");
  world.server.overrides.set("/token", () => control.abort(reason));

  await assert.rejects(refresh(world, { signal: control.signal }), (error) => error === reason);
});

test("U5 the question for a challenge carries no credential, and every value of the answer counts", async (t) => {
  const { server, client } = await start(t);
  server.overrides.set("/mcp", (_, response) => {
    response.writeHead(
      401,
      [
        ["www-authenticate", 'Basic realm="x"'],
        ["www-authenticate", 'Bearer scope="a"'],
      ].flat(),
    );
    response.end("kanarienvogel");
  });

  const values = await client.fetchChallenge(server.url, { signal: never() });

  assert.ok(values.ok);
  assert.deepEqual(values.value.join(", "), 'Basic realm="x", Bearer scope="a"');
  assert.equal(server.requests[0]?.headers.authorization, undefined);
});

test("U5 a server that answers without a challenge has said nothing", async (t) => {
  const { server, client } = await start(t);
  server.overrides.set("/mcp", (_, response) => sendJson(response, 200, {}));

  assert.deepEqual(await client.fetchChallenge(server.url, { signal: never() }), accept([]));
});

test("U6 a registration is sent as it was made, and its answer is decoded", async (t) => {
  const { server, client } = await start(t);
  const metadata = {
    client_name: "Sallyport",
    application_type: "native",
    redirect_uris: ["http://127.0.0.1:1/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  } as const;

  const answer = await client.register(
    { registrationEndpoint: `${server.origin}/register`, metadata },
    { signal: never() },
  );

  assert.deepEqual(JSON.parse(server.requests[0]?.text ?? ""), metadata);
  assert.deepEqual(
    answer,
    accept({
      clientId: "client-1",
      redirectUris: metadata.redirect_uris,
      authentication: "none",
    }),
  );
});

test("U11 a revocation names the token and what it is, and 200 is done", async (t) => {
  const { server, client } = await start(t);
  const request = {
    issuer: server.origin,
    revocationEndpoint: `${server.origin}/revoke`,
    client: PUBLIC,
    token: new Secret("t"),
    hint: "refresh_token",
  } as const;

  assert.deepEqual(await client.revoke(request, { signal: never() }), accept(true));
  assert.deepEqual(server.requests[0]?.form, {
    token: "t",
    token_type_hint: "refresh_token",
    client_id: "client",
  });

  server.overrides.set("/revoke", (_, response) => sendJson(response, 400, { error: "invalid_client" }));
  assert.equal(failureOf(await client.revoke(request, { signal: never() })).error, "invalid_client");
});
