import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test, type TestContext } from "node:test";

import type { AuthReason } from "../../../src/domain/oauth/refusal.ts";
import { Secret } from "../../../src/domain/secret.ts";
import { oauthHost, type OauthHost } from "../../kit/oauth-host.ts";
import {
  CLIENT_SECRET,
  PATHS,
  personWith,
  redirectTo,
  redirectUrl,
  startTrapWorld,
  type TrapWorld,
} from "../../kit/oauth-trap.ts";
import { authRefusalOf, never, valueOf } from "../../kit/oauth-world.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const TOO_MUCH_BYTES = 20 * 1024 * 1024;

async function start(t: TestContext): Promise<{ readonly world: TrapWorld; readonly host: OauthHost }> {
  const world = await startTrapWorld(t);
  return { world, host: oauthHost(t, { url: world.mcpUrl, folder: await tempFolder(t) }) };
}

/** Signs in with a client whose secret must reach nobody but the issuer. */
function login(world: TrapWorld, host: OauthHost): ReturnType<OauthHost["login"]> {
  const client = { clientId: "by-hand", clientSecret: new Secret(CLIENT_SECRET) };
  return host.login({ client, ...personWith(world.issuer.origin, redirectUrl) });
}

test("U5 where nothing is wrong, code and secret go to the issuer's token endpoint and nowhere else", async (t) => {
  const { world, host } = await start(t);

  valueOf(await login(world, host));

  assert.deepEqual(world.issuer.marked, ["POST /token"]);
  assert.deepEqual(world.resource.marked, []);
  assert.deepEqual(world.stranger.lines, []);
});

interface Trap {
  readonly what: string;
  readonly reason: AuthReason;
  readonly set: (world: TrapWorld) => void;
}

const TRAPS: readonly Trap[] = [
  {
    what: "metadata for a resource of another origin",
    reason: "resource-mismatch",
    set: (world) => world.change("resourceMetadata", { resource: "{stranger}/mcp" }),
  },
  {
    what: "metadata for another path of the origin",
    reason: "resource-mismatch",
    set: (world) => world.change("resourceMetadata", { resource: "{resource}/mc" }),
  },
  {
    what: "an issuer that calls itself another",
    reason: "issuer-mismatch",
    set: (world) => world.change("serverMetadata", { issuer: "{stranger}" }),
  },
  {
    what: "an issuer that calls itself a path of itself",
    reason: "issuer-mismatch",
    set: (world) => world.change("serverMetadata", { issuer: `${world.issuer.origin}/tenant` }),
  },
  ...(
    ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"] as const
  ).flatMap((member): readonly Trap[] =>
    [
      "http://as.example/x",
      "https://who@as.example/x",
      "ftp://as.example/x",
      "javascript:alert(1)",
      "/x",
    ].map((url) => ({
      what: `the ${member} ${url}`,
      reason: "endpoint-insecure",
      set: (world) => world.change("serverMetadata", { [member]: url }),
    })),
  ),
  {
    what: "no word on PKCE",
    reason: "pkce-unsupported",
    set: (world) => world.change("serverMetadata", { code_challenge_methods_supported: undefined }),
  },
  {
    what: "PKCE in plain only",
    reason: "pkce-unsupported",
    set: (world) => world.change("serverMetadata", { code_challenge_methods_supported: ["plain"] }),
  },
  {
    what: "a challenge with a link to another origin",
    reason: "resource-metadata-origin",
    set: (world) => world.challenge(`Bearer resource_metadata="{stranger}${PATHS.resourceMetadata}"`),
  },
  {
    what: "resource metadata that redirects",
    reason: "resource-metadata-invalid",
    set: (world) => world.answer("resource", PATHS.resourceMetadata, redirectTo(world.stranger.origin, 302)),
  },
  {
    what: "server metadata that redirects",
    reason: "server-metadata-invalid",
    set: (world) => world.answer("issuer", PATHS.serverMetadata, redirectTo(world.stranger.origin, 301)),
  },
  {
    what: "an MCP server that redirects instead of asking",
    reason: "resource-mismatch",
    set: (world) => {
      world.answer("resource", "/mcp", redirectTo(world.stranger.origin));
      world.change("resourceMetadata", { resource: "{stranger}/mcp" });
    },
  },
  ...[
    "https://10.0.0.1",
    "https://192.168.1.1",
    "https://[fd00::1]",
    "https://169.254.169.254",
    "http://169.254.169.254",
    "https://metadata.google.internal",
    "http://as.example",
  ].map((issuer): Trap => ({
    what: `the issuer ${issuer}`,
    reason: "endpoint-insecure",
    set: (world) => world.change("resourceMetadata", { authorization_servers: [issuer] }),
  })),
];

for (const { what, reason, set } of TRAPS) {
  test(`U5 ${what} is ${reason}, and no code, token or secret goes anywhere`, async (t) => {
    const { world, host } = await start(t);
    set(world);

    const refusal = authRefusalOf(await login(world, host));

    assert.equal(refusal.reason, reason);
    assert.deepEqual([...world.resource.marked, ...world.issuer.marked], []);
    assert.equal(
      world.issuer.lines.every((line) => line === `GET ${PATHS.serverMetadata}`),
      true,
    );
    assert.deepEqual(world.stranger.lines, []);
    assert.equal(await host.stored(), undefined);
  });
}

test("U5 fault F5 without metadata nobody takes the server's own origin for its issuer", async (t) => {
  const { world, host } = await start(t);
  for (const path of [PATHS.resourceMetadata, PATHS.rootMetadata]) world.answer("resource", path, notFound);
  // It would be there for whoever looked.
  world.answer("resource", PATHS.serverMetadata, redirectTo(world.issuer.origin));
  world.challenge("Bearer");

  assert.equal(authRefusalOf(await login(world, host)).reason, "resource-metadata-missing");
  assert.deepEqual(world.resource.lines, [
    "POST /mcp",
    `GET ${PATHS.resourceMetadata}`,
    `GET ${PATHS.rootMetadata}`,
  ]);
  assert.deepEqual(world.issuer.lines, []);
});

test("U5 fault F7 of two resources on one origin the one at the server's own path counts", async (t) => {
  const { world, host } = await start(t);
  world.challenge("Bearer");
  world.change("rootMetadata", { authorization_servers: [world.stranger.origin] });

  const signedIn = valueOf(await login(world, host));

  assert.equal(signedIn.issuer, world.issuer.origin);
  assert.equal((await host.stored())?.resourceIndicator, world.mcpUrl);
  assert.ok(!world.resource.lines.includes(`GET ${PATHS.rootMetadata}`));
  assert.deepEqual(world.stranger.lines, []);
});

test("U1 fault F31 a server that redirects gets the token, and where it points to gets nothing", async (t) => {
  const { world, host } = await start(t);
  valueOf(await login(world, host));
  world.answer("resource", "/mcp", redirectTo(world.stranger.origin));

  const refused = await host.connect();

  assert.ok(!refused.ok);
  assert.equal(refused.refusal.refusal.reason, "redirect");
  assert.deepEqual(world.resource.marked, ["POST /mcp"]);
  assert.deepEqual(world.stranger.lines, []);
});

function notFound(response: ServerResponse): void {
  response.writeHead(404).end();
}

/** Sends for as long as the client takes it, up to {@link TOO_MUCH_BYTES}; answers how much was asked for. */
async function flood(response: ServerResponse): Promise<number> {
  let sentBytes = 0;
  const spaces = function* (): Generator<Buffer> {
    const chunk = Buffer.alloc(64 * 1024, " ");
    for (; sentBytes < TOO_MUCH_BYTES; sentBytes += chunk.byteLength) yield chunk;
  };
  response.writeHead(200, { "content-type": "application/json" });
  // Cut off in the middle is how it should end.
  await pipeline(Readable.from(spaces()), response).catch(() => undefined);
  return sentBytes;
}

for (const [where, path, reason] of [
  ["resource", PATHS.resourceMetadata, "resource-metadata-invalid"],
  ["issuer", PATHS.serverMetadata, "server-metadata-invalid"],
] as const) {
  test(`U5 a document of 20 MiB at the ${where} is ${reason}, and is not read to its end`, async (t) => {
    const { world, host } = await start(t);
    const sent = Promise.withResolvers<number>();
    world.answer(where, path, (response) => void flood(response).then(sent.resolve, sent.reject));

    const refusal = authRefusalOf(await login(world, host));

    assert.equal(refusal.reason, reason);
    assert.ok((await sent.promise) < TOO_MUCH_BYTES, "all of it was taken");
    assert.deepEqual([...world.resource.marked, ...world.issuer.marked], []);
    assert.deepEqual(world.stranger.lines, []);
  });
}

test("U5 a token endpoint that redirects gets the code once, and the stranger hears nothing", async (t) => {
  const { world, host } = await start(t);
  world.answer("issuer", "/token", redirectTo(world.stranger.origin));

  assert.equal(authRefusalOf(await login(world, host)).reason, "token-response-invalid");
  assert.deepEqual(world.issuer.marked, ["POST /token"]);
  assert.deepEqual(world.stranger.lines, []);
  assert.equal(await host.stored(), undefined);
});

test("U6 a registration endpoint that redirects registers nowhere", async (t) => {
  const { world, host } = await start(t);
  world.answer("issuer", "/register", redirectTo(world.stranger.origin));

  const refused = await host.login(personWith(world.issuer.origin, redirectUrl));

  assert.equal(authRefusalOf(refused).reason, "registration-failed");
  assert.deepEqual(world.stranger.lines, []);
  assert.deepEqual(world.issuer.marked, []);
});

test("U10 a refresh goes to the token endpoint of the sign-in, wherever the metadata points by now", async (t) => {
  const { world, host } = await start(t);
  valueOf(await login(world, host));
  world.change("serverMetadata", { token_endpoint: "{stranger}/token" });
  await host.expire();

  valueOf(await host.authenticator.authorize({ signal: never() }));

  assert.deepEqual(world.issuer.marked, ["POST /token", "POST /token"]);
  assert.deepEqual(world.stranger.lines, []);
});

test("U10 a refresh that is redirected stays here, and the old credential stays too", async (t) => {
  const { world, host } = await start(t);
  valueOf(await login(world, host));
  world.answer("issuer", "/token", redirectTo(world.stranger.origin, 308));
  await host.expire();
  const old = await host.stored();

  const refusal = authRefusalOf(await host.authenticator.authorize({ signal: never() }));

  assert.equal(refusal.reason, "token-response-invalid");
  assert.deepEqual(world.stranger.lines, []);
  assert.deepEqual(await host.stored(), old);
});

test("U11 a revocation that is redirected tells the stranger nothing, and the record is gone", async (t) => {
  const { world, host } = await start(t);
  valueOf(await login(world, host));
  world.answer("issuer", "/revoke", redirectTo(world.stranger.origin));

  const out = valueOf(await host.logout());

  assert.equal(out.revocation, "failed");
  assert.deepEqual(world.stranger.lines, []);
  assert.equal(await host.stored(), undefined);
});
