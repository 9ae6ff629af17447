import assert from "node:assert/strict";
import { request } from "node:http";
import { test, type TestContext } from "node:test";

import type { AuthReason } from "../../../src/domain/oauth/refusal.ts";
import { oauthHost, type OauthHost } from "../../kit/oauth-host.ts";
import {
  personWith,
  redirectUrl,
  startTrapWorld,
  type Redirect,
  type TrapWorld,
} from "../../kit/oauth-trap.ts";
import { authRefusalOf, valueOf } from "../../kit/oauth-world.ts";
import { tempFolder } from "../../kit/temp-folder.ts";

const REGISTERED = { client: { clientId: "by-hand" } };

async function start(t: TestContext): Promise<{ readonly world: TrapWorld; readonly host: OauthHost }> {
  const world = await startTrapWorld(t);
  return { world, host: oauthHost(t, { url: world.mcpUrl, folder: await tempFolder(t) }) };
}

/** One request to the listener, under a Host of one's own; answers the status. */
function send(
  url: string,
  options: { readonly method?: string; readonly host?: string; readonly destination?: string } = {},
): Promise<number> {
  const { method = "GET", host = new URL(url).host, destination = "document" } = options;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { host, "sec-fetch-dest": destination } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });
}

function tokenRequests(world: TrapWorld): readonly string[] {
  return world.issuer.lines.filter((line) => line === "POST /token");
}

const HAZARDS: readonly (readonly [what: string, number, (url: URL) => Promise<number>])[] = [
  ["another path", 404, (url) => send(url.href.replace("/callback", "/callbacks"))],
  ["the root", 404, (url) => send(`${url.origin}/${url.search}`)],
  ["another Host", 400, (url) => send(url.href, { host: "attacker.example" })],
  ["another port in the Host", 400, (url) => send(url.href, { host: "127.0.0.1:1" })],
  ["`localhost` as the Host", 400, (url) => send(url.href, { host: `localhost:${url.port}` })],
  ["an image in a page", 400, (url) => send(url.href, { destination: "image" })],
  ["POST", 405, (url) => send(url.href, { method: "POST" })],
  ["HEAD", 405, (url) => send(url.href, { method: "HEAD" })],
  ["OPTIONS", 405, (url) => send(url.href, { method: "OPTIONS" })],
];

for (const [what, status, hazard] of HAZARDS) {
  test(`U7 a right redirect by ${what} is answered ${status}, redeems nothing, and does not spoil the sign-in`, async (t) => {
    const { world, host } = await start(t);
    const seen: unknown[] = [];
    const person = personWith(world.issuer.origin, async (redirectUri, right) => {
      const back = redirectUrl(redirectUri, right);
      seen.push(await hazard(new URL(back)), tokenRequests(world).length);
      return back;
    });

    valueOf(await host.login({ ...REGISTERED, ...person }));

    assert.deepEqual(seen, [status, 0]);
    assert.equal(tokenRequests(world).length, 1);
  });
}

const WRONG: readonly (readonly [
  what: string,
  AuthReason,
  (redirectUri: string, right: Redirect) => string,
])[] = [
  ["another state", "state-mismatch", (uri, right) => redirectUrl(uri, { ...right, state: "guessed" })],
  ["no state", "state-mismatch", (uri, { code = "", iss = "" }) => redirectUrl(uri, { code, iss })],
  [
    "another issuer",
    "issuer-mismatch",
    (uri, right) => redirectUrl(uri, { ...right, iss: "https://as.example" }),
  ],
  [
    "the issuer with a slash",
    "issuer-mismatch",
    (uri, right) => redirectUrl(uri, { ...right, iss: `${right["iss"]}/` }),
  ],
  [
    "no issuer, though promised",
    "issuer-missing",
    (uri, { code = "", state = "" }) => redirectUrl(uri, { code, state }),
  ],
  [
    "the issuer twice",
    "redirect-mismatch",
    (uri, right) => `${redirectUrl(uri, right)}&iss=${encodeURIComponent(right["iss"] ?? "")}`,
  ],
  ["the code twice", "redirect-mismatch", (uri, right) => `${redirectUrl(uri, right)}&code=other`],
  ["the state twice", "redirect-mismatch", (uri, right) => `${redirectUrl(uri, right)}&state=other`],
  ["no code", "code-missing", (uri, { state = "", iss = "" }) => redirectUrl(uri, { state, iss })],
  ["an error", "authorization-failed", (uri, right) => redirectUrl(uri, { ...right, error: "server_error" })],
  [
    "the person's no",
    "authorization-denied",
    (uri, right) => redirectUrl(uri, { ...right, error: "access_denied" }),
  ],
  [
    "an error of another issuer",
    "issuer-mismatch",
    (uri, right) => redirectUrl(uri, { ...right, error: "access_denied", iss: "https://as.example" }),
  ],
];

for (const [what, reason, back] of WRONG) {
  test(`U7 a redirect with ${what} is ${reason}, and no code is redeemed`, async (t) => {
    const { world, host } = await start(t);

    const refused = await host.login({ ...REGISTERED, ...personWith(world.issuer.origin, back) });

    assert.equal(authRefusalOf(refused).reason, reason);
    assert.deepEqual(tokenRequests(world), []);
    assert.equal(await host.stored(), undefined);
  });
}

test("U7 the second of two right redirects is turned away, and the code is redeemed once", async (t) => {
  const { world, host } = await start(t);
  const seen: { back: string; second: Promise<number> | undefined } = { back: "", second: undefined };
  // The token endpoint holds the first one until the second one has been answered.
  world.answer("issuer", "/token", (response) => {
    void send(seen.back).then((status) => {
      seen.second = Promise.resolve(status);
      const tokens = { access_token: "once", token_type: "Bearer" };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(tokens));
    });
  });
  const person = personWith(world.issuer.origin, (redirectUri, right) => {
    seen.back = redirectUrl(redirectUri, right);
    return seen.back;
  });

  valueOf(await host.login({ ...REGISTERED, ...person }));

  assert.equal(await seen.second, 404);
  assert.equal(tokenRequests(world).length, 1);
  await assert.rejects(send(seen.back), { code: "ECONNREFUSED" });
});

test("U6 fault F17 a registration that the server has forgotten is made anew, once, on the same port", async (t) => {
  const { world, host } = await start(t);
  const person = personWith(world.issuer.origin, redirectUrl);
  let registered = 0;
  let purged = "";
  world.answer("issuer", "/register", (response) => {
    registered += 1;
    response.writeHead(201, { "content-type": "application/json" });
    response.end(JSON.stringify({ client_id: `client-${registered}`, token_endpoint_auth_method: "none" }));
  });
  world.answer("issuer", "/token", (response) => {
    const client = new URLSearchParams(world.issuer.bodies.at(-1)).get("client_id");
    const known = client !== purged;
    const answer = known ? { access_token: "fresh", token_type: "Bearer" } : { error: "invalid_client" };
    response.writeHead(known ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  world.change("serverMetadata", { token_endpoint_auth_methods_supported: ["none"] });
  valueOf(await host.login(person));
  const [redirectUri = ""] = (await host.stored())?.client.redirectUris ?? [];
  // From here on the person has one port for it, so that the registration is good for another sign-in.
  const settings = { callbackPort: Number(new URL(redirectUri).port) };
  const server = { ...host.server, settings };

  valueOf(await host.login({ ...person, server }));
  assert.deepEqual([registered, (await host.stored())?.client.clientId], [1, "client-1"]);
  purged = "client-1";
  valueOf(await host.login({ ...person, server }));
  assert.deepEqual([registered, (await host.stored())?.client.clientId], [2, "client-2"]);
});
