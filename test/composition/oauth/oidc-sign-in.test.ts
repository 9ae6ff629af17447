import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { completeSignIn } from "../../../src/composition/flows/oauth/complete-sign-in.ts";
import { beginSignIn } from "../../../src/composition/flows/oauth/begin-sign-in.ts";
import { oauthHost, type OauthHost, type OauthHostOptions } from "../../kit/oauth-host.ts";
import { authRefusalOf, never, valueOf } from "../../kit/oauth-world.ts";
import { browse } from "../../kit/oidc-browser.ts";
import { startOidcWorld, type OidcWorld } from "../../kit/oidc-provider.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const REDIRECT_URI = "http://127.0.0.1:49152/callback";

async function start(
  t: TestContext,
  options: Partial<OauthHostOptions> = {},
): Promise<{ readonly world: OidcWorld; readonly host: OauthHost; readonly folder: string }> {
  const world = await startOidcWorld(t);
  const folder = await tempFolder(t);
  return { world, folder, host: oauthHost(t, { url: world.mcpUrl, folder, ...options }) };
}

async function echo(host: OauthHost): Promise<unknown> {
  const session = valueOf(await host.connect());
  return valueOf(await session.callTool("echo", { text: "hello" }))["content"];
}

async function accessToken(host: OauthHost): Promise<string> {
  return (await host.stored())?.tokens?.accessToken.reveal() ?? "";
}

test("U7 a sign-in at a real authorization server brings a token that the MCP server takes", async (t) => {
  const { world, host } = await start(t);

  const signedIn = valueOf(await host.login());

  assert.equal(signedIn.issuer, world.issuer);
  assert.equal(signedIn.client, "dynamic");
  assert.deepEqual(signedIn.scopes, ["mcp:read"]);
  assert.deepEqual(await echo(host), [{ type: "text", text: "hello" }]);
  assert.deepEqual(world.tokenRequests, ["authorization_code"]);
});

test("U3 without a sign-in the server is asked once, without a token, and nobody else is", async (t) => {
  const { world, host } = await start(t);

  const refused = await host.connect();

  assert.equal(refused.ok, false);
  assert.equal(!refused.ok && refused.refusal.refusal.reason, "sign-in-required");
  assert.deepEqual(world.asked, ["POST /mcp"]);
  assert.deepEqual(world.authorizations, [undefined]);
});

test("U9 another process that shares the home uses the sign-in", async (t) => {
  const { world, host, folder } = await start(t);
  valueOf(await host.login());

  const other = oauthHost(t, { url: world.mcpUrl, folder });

  assert.deepEqual(await echo(other), [{ type: "text", text: "hello" }]);
  assert.deepEqual(world.tokenRequests, ["authorization_code"]);
});

test("U10 an expired token is renewed once, and the rotated refresh token renews again", async (t) => {
  const { world, host, folder } = await start(t);
  valueOf(await host.login());
  const first = await accessToken(host);

  for (const _ of [1, 2]) {
    await host.expire();
    // A host that starts now: it remembers no token that was still good.
    const later = oauthHost(t, { url: world.mcpUrl, folder });
    assert.deepEqual(await echo(later), [{ type: "text", text: "hello" }]);
  }

  assert.notEqual(await accessToken(host), first);
  assert.deepEqual(world.tokenRequests, ["authorization_code", "refresh_token", "refresh_token"]);
});

test("U10 a token that the server has forgotten is renewed at the 401, and the call goes through", async (t) => {
  const { world, host } = await start(t);
  valueOf(await host.login());
  await world.forget(await accessToken(host));

  assert.deepEqual(await echo(host), [{ type: "text", text: "hello" }]);
  assert.deepEqual(world.tokenRequests, ["authorization_code", "refresh_token"]);
});

test("U10 a refresh token that somebody used before us ends the sign-in, and the registration stays", async (t) => {
  const { world, host } = await start(t);
  valueOf(await host.login());
  const before = await host.stored();
  assert.ok(before?.tokens?.refreshToken !== undefined);
  const { issuer, client, tokenEndpoint, resourceIndicator: resource, tokens } = before;
  const stolen = { issuer, client, tokenEndpoint, resource, refreshToken: before.tokens.refreshToken };
  valueOf(await host.ports.authorizationServer.refresh(stolen, { signal: never() }));
  await host.expire();

  const refusal = authRefusalOf(await host.authenticator.authorize({ signal: never() }));

  assert.equal(refusal.reason, "grant-refused");
  assert.deepEqual(world.tokenRequests.slice(1), ["refresh_token", "refresh_token invalid_grant"]);
  const after = await host.stored();
  assert.equal(after?.tokens, undefined);
  assert.equal(after?.client.clientId, before.client.clientId);
  assert.equal(await world.isLive(tokens?.accessToken.reveal() ?? ""), false);
});

test("U8 a step-up asks a person for the union of scopes, and no refresh is spent on it", async (t) => {
  const { world, host } = await start(t);
  valueOf(await host.login());
  world.demandScope("mcp:write");

  const refused = await host.connect();
  assert.ok(!refused.ok && refused.refusal.refusal.kind === "auth");
  const { reason, scopes = [] } = refused.refusal.refusal;
  assert.equal(reason, "step-up-required");
  assert.deepEqual([...scopes].toSorted(), ["mcp:read", "mcp:write"]);

  // At once: what was refused a moment ago is not remembered.
  const signedIn = valueOf(await host.login({ stepUpScopes: scopes }));
  assert.deepEqual([...signedIn.scopes].toSorted(), ["mcp:read", "mcp:write"]);
  assert.deepEqual(await echo(host), [{ type: "text", text: "hello" }]);
  assert.deepEqual(world.tokenRequests, ["authorization_code", "authorization_code"]);
});

test("U11 signing out removes the record, and the server takes neither token any more", async (t) => {
  const { world, host } = await start(t);
  valueOf(await host.login());
  const access = await accessToken(host);
  assert.equal(await world.isLive(access), true);

  const out = valueOf(await host.logout());

  assert.equal(out.revocation, "revoked");
  assert.equal(await host.stored(), undefined);
  assert.equal(await world.isLive(access), false);
  assert.equal(
    authRefusalOf(await host.authenticator.authorize({ signal: never() })).reason,
    "sign-in-required",
  );
});

test("U11 signing out with the issuer down removes the record all the same, and says failed", async (t) => {
  const { world, host } = await start(t);
  valueOf(await host.login());
  await world.stopIssuer();

  const out = valueOf(await host.logout());

  assert.equal(out.revocation, "failed");
  assert.equal(await host.stored(), undefined);
});

test("U7 a person who says no is authorization-denied, and no code is redeemed", async (t) => {
  const { world, host } = await start(t);
  world.sayNo();

  assert.equal(authRefusalOf(await host.login()).reason, "authorization-denied");
  assert.deepEqual(world.tokenRequests, []);
  assert.equal(await host.stored(), undefined);
});

test("U7 fault F22 a pasted redirect is good once; with a changed issuer or state no code is redeemed", async (t) => {
  const { world, host } = await start(t);
  const { server, ports } = host;
  const begun = valueOf(await beginSignIn({ server, ports, redirectUri: REDIRECT_URI, signal: never() }));
  const redirectUrl = await browse(begun.authorizationUrl, { until: REDIRECT_URI, signal: never() });
  const complete = async (changes: Readonly<Record<string, string | null>>) => {
    const url = new URL(redirectUrl);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    const pending = { ...begun.pending };
    return completeSignIn(pending, { redirectUrl: url.href, ports, signal: never() });
  };

  for (const [changes, reason] of [
    [{ state: "somebody-elses" }, "state-mismatch"],
    [{ state: null }, "state-mismatch"],
    [{ iss: "http://127.0.0.1:1" }, "issuer-mismatch"],
    [{ iss: `${world.issuer}/` }, "issuer-mismatch"],
    [{ iss: null }, "issuer-missing"],
    [{ code: null }, "code-missing"],
  ] as const) {
    assert.equal(authRefusalOf(await complete(changes)).reason, reason);
  }
  assert.deepEqual(world.tokenRequests, []);

  const taken = await completeSignIn(begun.pending, { redirectUrl, ports, signal: never() });
  const again = await completeSignIn(begun.pending, { redirectUrl, ports, signal: never() });
  assert.equal(taken.ok, true);
  assert.equal(authRefusalOf(again).reason, "pending-used");
  assert.deepEqual(world.tokenRequests, ["authorization_code"]);
});

test("U7 the server itself refuses the code without our verifier: PKCE is in force", async (t) => {
  const { world, host } = await start(t);
  const { server, ports } = host;
  const begun = valueOf(await beginSignIn({ server, ports, redirectUri: REDIRECT_URI, signal: never() }));
  const other = valueOf(await beginSignIn({ server, ports, redirectUri: REDIRECT_URI, signal: never() }));
  const redirectUrl = await browse(begun.authorizationUrl, { until: REDIRECT_URI, signal: never() });

  const pending = { ...begun.pending, verifier: other.pending.verifier };
  const refused = await completeSignIn(pending, { redirectUrl, ports, signal: never() });

  assert.equal(authRefusalOf(refused).reason, "grant-refused");
  assert.deepEqual(world.tokenRequests, ["authorization_code invalid_grant"]);
});

test("U6 fault F16 signing in again on another free port registers for that port, and succeeds", async (t) => {
  const { world, host } = await start(t);
  valueOf(await host.login());
  const first = (await host.stored())?.client;

  valueOf(await host.login());

  const second = (await host.stored())?.client;
  assert.notDeepEqual(second?.redirectUris, first?.redirectUris);
  assert.notEqual(second?.clientId, first?.clientId);
  assert.equal(world.asked.filter((line) => line === "POST /reg").length, 2);
});

test("U6 fault F17 after the dead page of a server that purged our client the next sign-in registers anew", async (t) => {
  const { world, host } = await start(t);
  valueOf(await host.login());
  const first = (await host.stored())?.client;
  const callbackPort = Number(new URL(first?.redirectUris[0] ?? "").port);
  const server = { ...host.server, settings: { callbackPort } };
  await world.purge(first?.clientId ?? "");
  const dead: string[] = [];
  const showPage = async (page: string): Promise<boolean> => {
    const until = new URL(page).searchParams.get("redirect_uri") ?? "";
    await browse(page, { until, signal: never() }).catch((error: Error) => dead.push(error.message));
    return true;
  };

  const refused = await host.login({ server, showPage, limitMs: 500 });
  const signedIn = await host.login({ server });

  assert.equal(authRefusalOf(refused).reason, "sign-in-timeout");
  assert.deepEqual(dead, ["the page /auth says 400"]);
  assert.equal(signedIn.ok, true);
  assert.notEqual((await host.stored())?.client.clientId, first?.clientId);
  assert.deepEqual(await echo(host), [{ type: "text", text: "hello" }]);
});

test("U9 fault F28 a server moved to another URL gets no token of the old one", async (t) => {
  const { host, folder } = await start(t);
  valueOf(await host.login());
  const elsewhere = await startOidcWorld(t);

  const moved = oauthHost(t, { url: elsewhere.mcpUrl, folder });
  const refused = await moved.connect();

  assert.equal(!refused.ok && refused.refusal.refusal.reason, "sign-in-required");
  assert.deepEqual(elsewhere.authorizations, [undefined]);
});

test("U5 a token for another resource than the MCP server is refused by the authorization server", async (t) => {
  const { world, host } = await start(t);
  valueOf(await host.login());
  const record = await host.stored();
  assert.ok(record?.tokens?.refreshToken !== undefined);
  const { issuer, client, tokenEndpoint, tokens } = record;
  const grant = {
    issuer,
    client,
    tokenEndpoint,
    resource: "https://other.example/mcp",
    refreshToken: tokens.refreshToken ?? tokens.accessToken,
  };

  const refused = await host.ports.authorizationServer.refresh(grant, { signal: never() });

  assert.ok(!refused.ok);
  assert.equal(refused.refusal.error, "invalid_target");
  assert.equal(world.tokenRequests.at(-1), "refresh_token invalid_target");
});
