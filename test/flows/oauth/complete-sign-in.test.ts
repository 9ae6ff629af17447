import assert from "node:assert/strict";
import { test } from "node:test";

import { beginSignIn, type BegunSignIn } from "../../../src/composition/flows/oauth/begin-sign-in.ts";
import { completeSignIn, type SignedIn } from "../../../src/composition/flows/oauth/complete-sign-in.ts";
import { decodePendingDocument, pendingDocument } from "../../../src/domain/oauth/credential-document.ts";
import type { AuthRefusal } from "../../../src/domain/oauth/refusal.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { authRefusalOf, ISSUER, never, OauthWorld, REDIRECT_URI, valueOf } from "../../kit/oauth-world.ts";

interface Begun extends BegunSignIn {
  readonly world: OauthWorld;
  /** What the browser is sent to when the person says yes. */
  readonly redirectUrl: string;
  readonly complete: (redirectUrl?: string) => Promise<Outcome<SignedIn, AuthRefusal>>;
}

async function begin(world: OauthWorld = new OauthWorld()): Promise<Begun> {
  const { server, ports } = world;
  const begun = valueOf(await beginSignIn({ server, ports, redirectUri: REDIRECT_URI, signal: never() }));
  const redirectUrl = world.authorizationServer.approve(begun.authorizationUrl);
  return {
    ...begun,
    world,
    redirectUrl,
    complete: (url = redirectUrl) =>
      completeSignIn(begun.pending, { redirectUrl: url, ports, signal: never() }),
  };
}

function promising(): OauthWorld {
  const world = new OauthWorld();
  world.describeServer({ authorization_response_iss_parameter_supported: true });
  return world;
}

const iss = (issuer: string): string => `&iss=${encodeURIComponent(issuer)}`;

test("U7 a sign-in survives the end of the process between its two steps", async () => {
  const { world, pending, redirectUrl } = await begin();
  const kept: unknown = JSON.parse(JSON.stringify(pendingDocument(pending, (secret) => secret.reveal())));

  const again = decodePendingDocument(kept);
  assert.ok(again.ok);
  valueOf(await completeSignIn(again.value, { redirectUrl, ports: world.ports, signal: never() }));

  assert.notEqual(world.stored, undefined);
});

test("U7 the state of the flow is not part of what is kept", async () => {
  const { pending, authorizationUrl } = await begin();
  const state = new URL(authorizationUrl).searchParams.get("state") ?? assert.fail("no state");

  assert.ok(!JSON.stringify(pendingDocument(pending, (secret) => secret.reveal())).includes(state));
});

for (const [what, change, reason] of [
  ["another state", (url: string) => url.replace(/state=[^&]+/, "state=x"), "state-mismatch"],
  ["no state", (url: string) => url.replace(/&state=[^&]+/, ""), "state-mismatch"],
  ["another path", (url: string) => url.replace("/callback", "/other"), "redirect-mismatch"],
  ["another port", (url: string) => url.replace("4711", "4712"), "redirect-mismatch"],
  ["another host", (url: string) => url.replace("127.0.0.1", "localhost"), "redirect-mismatch"],
  ["user information", (url: string) => url.replace("127", "u@127"), "redirect-mismatch"],
  ["a fragment", (url: string) => `${url}#x`, "redirect-mismatch"],
  ["two codes", (url: string) => `${url}&code=other`, "redirect-mismatch"],
  ["two issuers", (url: string) => url + iss(ISSUER) + iss(ISSUER), "redirect-mismatch"],
  ["more than 8,192 characters", (url: string) => `${url}&x=${"x".repeat(8_192)}`, "redirect-mismatch"],
  ["another issuer", (url: string) => url + iss("https://evil.example"), "issuer-mismatch"],
  ["its issuer with a slash", (url: string) => url + iss(`${ISSUER}/`), "issuer-mismatch"],
  ["no code", (url: string) => url.replace(/code=[^&]+&/, ""), "code-missing"],
  ["an error", (url: string) => `${url}&error=server_error`, "authorization-failed"],
  ["a declined request", (url: string) => `${url}&error=access_denied`, "authorization-denied"],
  [
    "an error of another issuer",
    (url: string) => `${url}&error=access_denied${iss("https://evil.example")}`,
    "issuer-mismatch",
  ],
] as const) {
  test(`U7 a redirect with ${what} is ${reason}, and no code is redeemed`, async () => {
    const { world, redirectUrl, complete } = await begin();

    assert.equal(authRefusalOf(await complete(change(redirectUrl))).reason, reason);

    assert.equal(world.authorizationServer.count("code"), 0);
    assert.equal(world.stored, undefined);
  });
}

test("U7 the exact issuer is taken where it is sent, promised or not", async () => {
  for (const world of [new OauthWorld(), promising()]) {
    const { redirectUrl, complete } = await begin(world);

    valueOf(await complete(redirectUrl + iss(ISSUER)));
  }
});

test("U7 a promised issuer that is not sent is issuer-missing, in an error response too", async () => {
  for (const more of ["", "&error=access_denied"]) {
    const { world, redirectUrl, complete } = await begin(promising());

    assert.equal(authRefusalOf(await complete(redirectUrl + more)).reason, "issuer-missing");
    assert.equal(world.authorizationServer.count("code"), 0);
  }
});

test("U7 a second use of a sign-in is refused, and asks nobody", async () => {
  const { world, complete } = await begin();
  valueOf(await complete());

  assert.equal(authRefusalOf(await complete()).reason, "pending-used");
  assert.equal(world.authorizationServer.count("code"), 1);
});

test("U7 a sign-in that the person declined cannot be completed after all", async () => {
  const { redirectUrl, complete } = await begin();
  await complete(`${redirectUrl}&error=access_denied`);

  assert.equal(authRefusalOf(await complete()).reason, "pending-used");
});

test("U7 a redirect of somebody else's does not use up the sign-in", async () => {
  const { redirectUrl, complete } = await begin();
  await complete(redirectUrl.replace(/state=[^&]+/, "state=x"));

  valueOf(await complete());
});

for (const [elapsedMs, reason] of [
  [299_999, undefined],
  [300_000, "pending-expired"],
] as const) {
  test(`U7 after ${elapsedMs} ms a pending sign-in is ${reason ?? "still good"}`, async () => {
    const { world, complete } = await begin();
    await world.clock.advance(elapsedMs);

    const outcome = await complete();

    assert.equal(outcome.ok ? undefined : outcome.refusal.reason, reason);
    assert.equal(world.authorizationServer.count("code"), reason === undefined ? 1 : 0);
  });
}

for (const [field, value] of [
  ["access_token", undefined],
  ["access_token", "two words"],
  ["access_token", "x".repeat(16_385)],
  ["token_type", "DPoP"],
  ["token_type", undefined],
  ["expires_in", "3600"],
  ["expires_in", -1],
  ["expires_in", 1.5],
  ["expires_in", null],
  ["refresh_token", 7],
  ["scope", 'quoted "scope"'],
] as const) {
  test(`U8b fault F23 a token answer with ${field} ${JSON.stringify(value)?.slice(0, 20)} is refused, naming the field`, async () => {
    const { world, complete } = await begin();
    world.authorizationServer.tokenAnswer = { [field]: value };

    const { reason, field: named } = authRefusalOf(await complete());

    assert.deepEqual([reason, named], ["token-response-invalid", field]);
    assert.equal(world.stored, undefined);
  });
}

for (const [expiresIn, leftMs] of [
  [0, 0],
  [1, 1_000],
  [1e12, 315_360_000_000],
] as const) {
  test(`U8b an expires_in of ${expiresIn} ends ${leftMs} ms from now`, async () => {
    const { world, complete } = await begin();
    world.authorizationServer.tokenAnswer = { expires_in: expiresIn };

    const signedIn = valueOf(await complete());

    assert.equal(signedIn.expiresAtMs, world.clock.nowMs() + leftMs);
  });
}

test("U8b a missing expires_in stays unknown, and a missing scope is what was asked for", async () => {
  const world = new OauthWorld();
  world.describeResource({ scopes_supported: ["asked"] });
  world.authorizationServer.tokenAnswer = { expires_in: undefined };
  const { complete } = await begin(world);

  const signedIn = valueOf(await complete());

  assert.equal("expiresAtMs" in signedIn, false);
  assert.deepEqual(signedIn.scopes, ["asked"]);
});

test("U8b the scopes that were granted are kept, not those that were asked for", async () => {
  const { world, complete } = await begin();
  world.authorizationServer.tokenAnswer = { scope: "granted less" };

  await complete();

  assert.deepEqual(world.stored?.tokens?.scopes, ["granted", "less"]);
});

for (const reason of ["store-failed", "lock-timeout"] as const) {
  test(`U9 a sign-in whose tokens cannot be kept is ${reason}`, async () => {
    const { world, complete } = await begin();
    if (reason === "lock-timeout") world.lock.refusal = reason;
    else world.store.failing.set("set", reason);

    assert.equal(authRefusalOf(await complete()).reason, reason);
    assert.equal(world.stored, undefined);
  });
}

test("U7 an aborted completion redeems nothing", async () => {
  const { world, pending, redirectUrl } = await begin();
  const signal = AbortSignal.abort(new Error("enough"));

  const completing = completeSignIn(pending, { redirectUrl, ports: world.ports, signal });

  await assert.rejects(completing, (error) => error === signal.reason);
  assert.equal(world.authorizationServer.count("code"), 0);
});
