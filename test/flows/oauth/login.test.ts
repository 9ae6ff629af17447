import assert from "node:assert/strict";
import { test } from "node:test";

import { runMcpOAuthLogin, type LoginOptions } from "../../../src/composition/flows/oauth/login.ts";
import type { SignedIn } from "../../../src/composition/flows/oauth/complete-sign-in.ts";
import type { AuthRefusal } from "../../../src/domain/oauth/refusal.ts";
import { refuse, type Outcome } from "../../../src/domain/outcome.ts";
import {
  authRefusalOf,
  FakeReceiver,
  ISSUER,
  never,
  OauthWorld,
  REDIRECT_URI,
  SERVER_URL,
  valueOf,
} from "../../kit/oauth-world.ts";

interface Played {
  readonly world: OauthWorld;
  readonly receiver: FakeReceiver;
  /** The URL of every page that was shown. */
  readonly pages: URL[];
  readonly login: (changes?: Partial<LoginOptions>) => Promise<Outcome<SignedIn, AuthRefusal>>;
}

/** A person who says yes, unless the test says what happens on the page. */
function play(onPage?: (url: string, played: Played) => void): Played {
  const world = new OauthWorld();
  const receiver = new FakeReceiver();
  const pages: URL[] = [];
  const answer = onPage ?? ((url) => receiver.arrive(world.authorizationServer.approve(url)));
  const played: Played = {
    world,
    receiver,
    pages,
    login: (changes = {}) =>
      runMcpOAuthLogin({
        server: world.server,
        ports: world.ports,
        receiver,
        showPage: async (url) => {
          pages.push(new URL(url));
          answer(url, played);
          return true;
        },
        signal: never(),
        ...changes,
      }),
  };
  return played;
}

test("U7 a person who says yes is signed in, and the record holds what a refresh and a sign-out need", async () => {
  const { world, login } = play();

  const signedIn = valueOf(await login());

  assert.deepEqual(signedIn, {
    serverId: "files",
    issuer: ISSUER,
    client: "dynamic",
    scopes: [],
    expiresAtMs: world.clock.nowMs() + 3_600_000,
    resourceOmitted: false,
  });
  const { tokens, generation, ...rest } = world.stored ?? assert.fail("nothing was stored");
  assert.deepEqual(rest, {
    key: { serverId: "files", securityIdentity: "5".repeat(64), resource: SERVER_URL },
    issuer: ISSUER,
    resourceIndicator: SERVER_URL,
    tokenEndpoint: `${ISSUER}/token`,
    revocationEndpoint: `${ISSUER}/revoke`,
    client: {
      clientId: "dynamic-1",
      origin: "dynamic",
      authentication: "none",
      redirectUris: [REDIRECT_URI],
    },
    grant: "authorization_code",
  });
  assert.match(generation, /^[0-9a-f]{32}$/);
  assert.equal(tokens?.accessToken.reveal(), "access-3");
});

test("U7 the page asks for a code with PKCE, state and resource, and for no scope that nobody named", async () => {
  const { pages, login } = play();

  await login();

  const [page] = pages;
  assert.equal(`${page?.origin}${page?.pathname}`, `${ISSUER}/authorize`);
  const { state, code_challenge: challenge, ...rest } = Object.fromEntries(page?.searchParams ?? []);
  assert.deepEqual(rest, {
    response_type: "code",
    client_id: "dynamic-1",
    redirect_uri: REDIRECT_URI,
    code_challenge_method: "S256",
    resource: SERVER_URL,
  });
  assert.match(state ?? "", /^[\w-]{43}$/);
  assert.match(challenge ?? "", /^[\w-]{43}$/);
});

test("U7 the browser is told how it ended after the tokens are stored, and nothing stays open", async () => {
  const { world, receiver, login } = play();

  await login();

  assert.deepEqual(receiver.closed, ["signed-in"]);
  assert.equal(world.clock.pending, 0);
  assert.equal(world.lock.open, 0);
});

test("U7 the receiver listens on the configured port", async () => {
  const { world, receiver, login } = play();
  world.change({ settings: { callbackPort: 4711 } });

  await login({ server: world.server });

  assert.deepEqual(receiver.opened, [{ port: 4711 }]);
});

test("U7 a callback port that is taken ends the sign-in before anything is asked", async () => {
  const { world, pages, login } = play();
  const refusal: AuthRefusal = { kind: "auth", reason: "callback-port-taken", serverId: "files" };

  const outcome = await login({ receiver: { open: async () => refuse(refusal) } });

  assert.deepEqual(outcome, { ok: false, refusal });
  assert.deepEqual(world.authorizationServer.asked, []);
  assert.deepEqual(pages, []);
});

for (const [elapsedMs, ends] of [
  [299_999, false],
  [300_000, true],
] as const) {
  test(`U7 after ${elapsedMs} ms on the page the sign-in has ${ends ? "timed out" : "not ended yet"}`, async () => {
    const shown = Promise.withResolvers<void>();
    const { world, receiver, login } = play(() => shown.resolve());
    const control = new AbortController();
    let outcome: Outcome<SignedIn, AuthRefusal> | undefined;
    const done = login({ signal: control.signal }).then((value) => {
      outcome = value;
    });
    await shown.promise;

    await world.clock.advance(elapsedMs);

    assert.equal(outcome !== undefined && authRefusalOf(outcome).reason, ends ? "sign-in-timeout" : false);
    control.abort("test over");
    await done.catch(() => undefined);
    assert.deepEqual(receiver.closed, ["refused"]);
    assert.equal(world.clock.pending, 0);
  });
}

test("U7 a person who would not see the page has cancelled the sign-in", async () => {
  const { world, receiver, login } = play();

  const outcome = await login({ showPage: async () => false });

  assert.equal(authRefusalOf(outcome).reason, "sign-in-cancelled");
  assert.deepEqual(receiver.closed, ["refused"]);
  assert.equal(world.stored, undefined);
});

test("U7 an abort while the person is on the page rejects with its reason and leaves nothing open", async () => {
  const control = new AbortController();
  const reason = new Error("enough");
  const { world, receiver, login } = play(() => control.abort(reason));

  await assert.rejects(login({ signal: control.signal }), (error) => error === reason);

  assert.deepEqual(receiver.closed, ["refused"]);
  assert.equal(world.clock.pending, 0);
});

test("U7 a declined request is denied, and no code is redeemed", async () => {
  const { world, login } = play((url, { receiver }) => {
    const state = new URL(url).searchParams.get("state") ?? "";
    receiver.arrive(`${REDIRECT_URI}?error=access_denied&state=${state}`);
  });

  assert.equal(authRefusalOf(await login()).reason, "authorization-denied");
  assert.equal(world.authorizationServer.count("code"), 0);
});

test("U6 fault F17 a kept registration that the server has forgotten is dropped, and made anew once", async () => {
  const { world, receiver, login } = play();
  world.store.put(world.credential());
  world.authorizationServer.forgotten.add("client-0");

  const signedIn = valueOf(await login());

  assert.equal(signedIn.client, "dynamic");
  assert.notEqual(world.stored?.client.clientId, "client-0");
  assert.deepEqual(
    world.authorizationServer.requests.map(({ operation }) => operation),
    ["code", "register", "code"],
  );
  assert.deepEqual(receiver.closed, ["refused", "signed-in"]);
});

test("U6 a registration that took the place of the forgotten one meanwhile is not dropped", async () => {
  const { world, login } = play();
  world.store.put(world.credential());
  world.authorizationServer.forgotten.add("client-0");
  const client = { ...world.credential().client, clientId: "winner" };
  world.authorizationServer.after = async (operation) => {
    if (operation === "code") world.store.put(world.credential({ client }));
  };

  await login();

  assert.deepEqual(world.store.changes, ["set"]);
  assert.equal(world.authorizationServer.count("register"), 0);
  assert.equal(world.stored?.client.clientId, "winner");
});

test("U6 a registration that was just made and is not known is refused at once, not made again", async () => {
  const { world, login } = play();
  world.authorizationServer.forgotten.add("dynamic-1");

  assert.equal(authRefusalOf(await login()).reason, "invalid-client");
  assert.equal(world.authorizationServer.count("register"), 1);
});

test("U6 a kept registration is used again where its redirect URI is the one of this sign-in", async () => {
  const { world, login } = play();
  world.store.put(world.credential());

  await login();

  assert.equal(world.authorizationServer.count("register"), 0);
  assert.equal(world.stored?.client.clientId, "client-0");
});

test("U6 fault F16 a registration for another port is not used: the server is asked for another", async () => {
  const { world, login } = play();
  const client = {
    ...world.credential().client,
    redirectUris: ["http://127.0.0.1:9/callback"],
  };
  world.store.put(world.credential({ client }));

  valueOf(await login());

  assert.equal(world.authorizationServer.count("register"), 1);
});

test("U10 a sign-in that lost the lock before it could write stores nothing, and says so", async () => {
  const { world, login } = play();
  world.lock.losing = 1;

  assert.equal(authRefusalOf(await login()).reason, "lock-timeout");
  assert.equal(world.stored, undefined);
});

test("U10 a code that was redeemed is stored although the caller has gone", async () => {
  const control = new AbortController();
  const { world, login } = play();
  world.authorizationServer.after = async (operation) => {
    if (operation === "code") control.abort(new Error("gone"));
  };

  valueOf(await login({ signal: control.signal }));

  assert.notEqual(world.stored, undefined);
});

test("A6 a sign-in appends one event, and a refused one says why in closed words", async () => {
  const { world, login } = play();
  await login();
  world.authorizationServer.failing.set("code", { reason: "refused", error: "invalid_grant" });

  assert.equal(authRefusalOf(await login()).reason, "grant-refused");

  const common = {
    atMs: world.clock.nowMs(),
    serverId: "files",
    securityIdentity: "5".repeat(64),
  };
  assert.deepEqual(world.events, [
    { action: "sign-in", ...common },
    { action: "sign-in-refused", ...common, reason: "auth/grant-refused" },
  ]);
});

test("U7 the opt-out of `resource` leaves it out of page, code and record, and the audit says so", async () => {
  const { world, pages, login } = play();
  world.change({ omitResource: true });

  const signedIn = valueOf(await login({ server: world.server }));

  assert.equal(signedIn.resourceOmitted, true);
  assert.equal(pages[0]?.searchParams.has("resource"), false);
  assert.deepEqual(
    world.authorizationServer.requests.map(({ resource }) => resource),
    [undefined, undefined],
  );
  assert.equal(world.stored?.resourceIndicator, undefined);
  assert.deepEqual(
    world.events.map(({ action, reason }) => [action, reason]),
    [["sign-in", "resource-omitted"]],
  );
});
