import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { beginSignIn } from "../../../src/composition/flows/oauth/begin-sign-in.ts";
import { completeSignIn } from "../../../src/composition/flows/oauth/complete-sign-in.ts";
import { runMcpOAuthLogout } from "../../../src/composition/flows/oauth/logout.ts";
import { createOAuthAuthenticator } from "../../../src/composition/flows/oauth/oauth-authenticator.ts";
import { describeAuthRefusal } from "../../../src/domain/oauth/refusal-text.ts";
import { Secret } from "../../../src/domain/secret.ts";
import type { Failure, Operation } from "../../kit/fake-authorization-server.ts";
import { never, OauthWorld, REDIRECT_URI } from "../../kit/oauth-world.ts";

const CANARY = "kanarienvogel";

/** Everything that a host can print of a whole life of a credential, whatever fails in it. */
async function everythingShown(world: OauthWorld): Promise<readonly unknown[]> {
  const { server, ports } = world;
  const shown: unknown[] = [];
  const client = { clientId: "mine", clientSecret: new Secret(`secret-${CANARY}`) };
  const begun = await beginSignIn({ server, ports, client, redirectUri: REDIRECT_URI, signal: never() });
  if (begun.ok) {
    const { authorizationUrl, pending } = begun.value;
    const redirectUrl = world.authorizationServer.approve(authorizationUrl);
    shown.push(pending, await completeSignIn(pending, { redirectUrl, ports, signal: never() }));
  } else {
    shown.push(begun);
  }
  shown.push(world.stored);
  const authenticator = createOAuthAuthenticator({ server, ports });
  shown.push(await authenticator.authorize({ signal: never() }));
  const rejection = {
    status: 401,
    challenge: undefined,
    generation: world.stored?.generation ?? "",
  } as const;
  shown.push(await authenticator.onRejected(rejection, { signal: never() }));
  await world.clock.advance(7_200_000);
  shown.push(await authenticator.authorize({ signal: never() }));
  shown.push(await runMcpOAuthLogout({ key: world.credential().key, ports, signal: never() }));
  return [...shown, world.events];
}

function texts(shown: readonly unknown[]): string {
  return shown
    .flatMap((one) => [JSON.stringify(one), inspect(one, { depth: 20, showHidden: true }), String(one)])
    .join("\n");
}

const FAILURES: readonly (readonly [Operation, Failure] | undefined)[] = [
  undefined,
  ["document", { reason: "invalid" }],
  ["code", { reason: "refused", error: "invalid_grant" }],
  ["code", { reason: "invalid", field: "access_token" }],
  ["refresh", { reason: "refused", error: "invalid_grant" }],
  ["refresh", { reason: "unreachable" }],
  ["revoke", { reason: "refused", error: "other" }],
];

for (const failing of FAILURES) {
  test(`U1 no token, code, verifier or secret is shown where ${failing?.[0] ?? "nothing"} fails`, async () => {
    const world = new OauthWorld();
    world.authorizationServer.tokenAnswer = {
      access_token: `access-${CANARY}`,
      refresh_token: world.authorizationServer.issue(`refresh-${CANARY}`),
    };
    if (failing !== undefined) world.authorizationServer.failing.set(...failing);

    const shown = texts(await everythingShown(world));

    assert.ok(shown.length > 1_000);
    assert.ok(!shown.includes(CANARY), shown.slice(shown.indexOf(CANARY) - 200, shown.indexOf(CANARY) + 50));
    assert.ok(!/code-\d/.test(shown), "a code is shown");
  });
}

test("U1 a sentence about a refusal shows names and nothing else", () => {
  const sentence = describeAuthRefusal({
    kind: "auth",
    reason: "step-up-required",
    serverId: "fi\u202eles",
    scopes: ["a", "b"],
  });

  assert.equal(
    sentence,
    'Server "fi\\u{202e}les" (scopes: a b) wants more rights than were granted; sign in again and grant them.',
  );
});
