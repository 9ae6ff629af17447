import assert from "node:assert/strict";
import { test } from "node:test";

import { runMcpOAuthLogin, type LoginOptions } from "../../../src/composition/flows/oauth/login.ts";
import {
  authRefusalOf,
  FakeReceiver,
  never,
  OauthWorld,
  REDIRECT_URI,
  valueOf,
} from "../../kit/oauth-world.ts";

const TOO_LATE_MS = 300_000;

interface Played {
  readonly world: OauthWorld;
  /** Settles when the page is shown. */
  readonly shown: Promise<void>;
  readonly login: (changes?: Partial<LoginOptions>) => ReturnType<typeof runMcpOAuthLogin>;
}

/** A kept registration, and a page that nobody comes back from. */
function play(): Played {
  const world = new OauthWorld();
  world.store.put(world.credential());
  const shown = Promise.withResolvers<void>();
  return {
    world,
    shown: shown.promise,
    login: (changes = {}) =>
      runMcpOAuthLogin({
        server: world.server,
        ports: world.ports,
        receiver: new FakeReceiver(),
        showPage: async () => {
          shown.resolve();
          return true;
        },
        signal: never(),
        ...changes,
      }),
  };
}

test("U6 a kept registration that nobody came back from in time is made anew at the next sign-in", async () => {
  const { world, shown, login } = play();
  const ending = login();
  await shown;
  await world.clock.advance(TOO_LATE_MS);

  assert.equal(authRefusalOf(await ending).reason, "sign-in-timeout");
  assert.equal(world.authorizationServer.count("register"), 0);

  const receiver = new FakeReceiver();
  const showPage = async (url: string): Promise<boolean> => {
    receiver.arrive(world.authorizationServer.approve(url));
    return true;
  };
  valueOf(await login({ receiver, showPage }));
  assert.equal(world.authorizationServer.count("register"), 1);
  assert.notEqual(world.stored?.client.clientId, "client-0");
});

test("U6 the tokens of a registration that nobody came back from stay, and renew", async () => {
  const { world, shown, login } = play();
  const before = world.stored?.tokens;
  const ending = login();
  await shown;
  await world.clock.advance(TOO_LATE_MS);
  await ending;

  assert.equal(world.stored?.tokens, before);
  assert.equal(world.stored?.client.clientId, "client-0");
  assert.deepEqual(world.stored?.client.redirectUris, []);
});

test("U6 a caller who leaves the page leaves the registration in doubt as well", async () => {
  const { world, shown, login } = play();
  const control = new AbortController();
  const reason = new Error("enough");
  const ending = login({ signal: control.signal });
  await shown;
  control.abort(reason);

  await assert.rejects(ending, reason);
  assert.deepEqual(world.stored?.client.redirectUris, []);
});

test("U6 a page that was not shown puts nothing in doubt", async () => {
  const { world, login } = play();

  assert.equal(authRefusalOf(await login({ showPage: async () => false })).reason, "sign-in-cancelled");
  assert.deepEqual(world.stored?.client.redirectUris, [REDIRECT_URI]);
  assert.deepEqual(world.store.changes, []);
});

test("U6 a registration that took the place of the doubted one meanwhile is left alone", async () => {
  const { world, shown, login } = play();
  const ending = login();
  await shown;
  const client = { ...world.credential().client, clientId: "winner" };
  world.store.put(world.credential({ client }));
  await world.clock.advance(TOO_LATE_MS);
  await ending;

  assert.equal(world.stored?.client.clientId, "winner");
  assert.deepEqual(world.stored?.client.redirectUris, [REDIRECT_URI]);
  assert.deepEqual(world.store.changes, []);
});
