import assert from "node:assert/strict";
import { test } from "node:test";

import { createAuthorizationServerClient } from "../../../src/adapters/oauth4webapi/authorization-server.ts";
import { createSystemRandom } from "../../../src/adapters/system/random.ts";
import { runMcpOAuthLogin } from "../../../src/composition/flows/oauth/login.ts";
import { runMcpOAuthLogout } from "../../../src/composition/flows/oauth/logout.ts";
import { createOAuthAuthenticator } from "../../../src/composition/flows/oauth/oauth-authenticator.ts";
import { credentialKeyOf } from "../../../src/composition/flows/oauth/oauth-server.ts";
import { egressWorld } from "../../kit/egress-world.ts";
import { OauthHttpServer } from "../../kit/oauth-server.ts";
import { FakeReceiver, never, OauthWorld, valueOf } from "../../kit/oauth-world.ts";

test("U7 U10 U11 a credential lives its whole life over real sockets", async (t) => {
  const http = await OauthHttpServer.start(t);
  const { egress } = egressWorld(t);
  const world = new OauthWorld();
  const authorizationServer = createAuthorizationServerClient({ egress, policy: { allowDestinations: [] } });
  const ports = { ...world.ports, authorizationServer, random: createSystemRandom() };
  const server = { ...world.server, url: http.url };
  const receiver = new FakeReceiver();

  const signedIn = valueOf(
    await runMcpOAuthLogin({
      server,
      ports,
      receiver,
      showPage: async (url) => {
        receiver.arrive(await http.approve(url));
        return true;
      },
      signal: never(),
    }),
  );
  assert.equal(signedIn.issuer, http.origin);
  assert.equal(http.to("/token")[0]?.form["resource"], http.url);

  const authenticator = createOAuthAuthenticator({ server, ports });
  const first = valueOf(await authenticator.authorize({ signal: never() }));
  assert.ok(http.accepted.has(first.headers[0]?.[1].reveal().replace("Bearer ", "") ?? ""));
  await world.clock.advance(3_600_000);
  const second = valueOf(await authenticator.authorize({ signal: never() }));
  assert.notEqual(second.generation, first.generation);
  assert.equal(http.to("/token")[1]?.form["resource"], http.url);

  const key = credentialKeyOf(server);
  assert.deepEqual(valueOf(await runMcpOAuthLogout({ key, ports, signal: never() })), {
    revocation: "revoked",
  });
  assert.equal(http.revoked.length, 2);
  assert.equal(world.store.peek(key), undefined);
});
