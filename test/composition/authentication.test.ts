import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createOAuthAuthenticator,
  runMcpOAuthLogin,
  runMcpOAuthLogout,
} from "../../src/composition/client.ts";
import { FakeReceiver, OauthWorld, never, valueOf } from "../kit/oauth-world.ts";

test("U1 the exported authenticator is bound to its server and supplies the stored token", async () => {
  const world = new OauthWorld();
  const { server, ports } = world;
  await world.store.set(world.credential(), { signal: never() });

  const authenticator = createOAuthAuthenticator({ server, ports });
  const authorization = valueOf(await authenticator.authorize({ signal: never() }));

  assert.equal(authenticator.securityIdentity, server.securityIdentity);
  assert.deepEqual(
    authorization.headers.map(([name, value]) => [name, value.reveal()]),
    [["authorization", "Bearer access-0"]],
  );
});

test("U11 the exported sign-in and sign-out run over ports alone", async () => {
  const { server, ports, store } = new OauthWorld();
  const receiver = new FakeReceiver();

  const declined = await runMcpOAuthLogin({
    server,
    ports,
    receiver,
    showPage: async () => false,
    signal: never(),
  });
  const key = { ...server, resource: server.url };
  const out = valueOf(await runMcpOAuthLogout({ key, ports, signal: never() }));

  assert.partialDeepStrictEqual(declined, { ok: false, refusal: { reason: "sign-in-cancelled" } });
  assert.deepEqual(receiver.closed, ["refused"]);
  assert.equal(out.revocation, "not-attempted");
  assert.equal(store.peek(key), undefined);
});
