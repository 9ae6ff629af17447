import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { accept } from "../../../../src/domain/outcome.ts";
import type { Authenticator } from "../../../../src/ports/authenticator.ts";
import { authRefusal, bearer, scriptedAuthenticator, type Step } from "../../../kit/authenticators.ts";
import { carrierRefusal, openCarrier } from "../../../kit/http-carriers.ts";
import { echo, sendStatus, startScriptedServer, type Script } from "../../../kit/http-mcp-server.ts";

const NOBODY = authRefusal("sign-in-required");
const LINK = "https://mcp.example/.well-known/oauth-protected-resource";

async function open(t: TestContext, script: Script, authenticator: Authenticator | undefined) {
  const server = await startScriptedServer(t, script);
  return { server, ...(await openCarrier(t, server.url, { authenticatorFor: () => authenticator })) };
}

/** Answers in turn, whatever `onRejected` hears. */
function inTurn(...steps: readonly Step[]): Authenticator {
  let step = 0;
  return {
    ...scriptedAuthenticator(steps),
    authorize: async () => {
      const current = steps[Math.min(step, steps.length - 1)] ?? NOBODY;
      step += 1;
      return "kind" in current ? { ok: false, refusal: current } : accept(current);
    },
  };
}

function asking(status: 401 | 403, ...challenges: readonly string[]): Script {
  return (_, response) => void response.writeHead(status, { "www-authenticate": [...challenges] }).end();
}

test("U2 a server that asks for no sign-in is used without one, while nobody has signed in", async (t) => {
  const authenticator = scriptedAuthenticator([NOBODY]);
  const { server, request, received } = await open(t, echo, authenticator);
  await request(1, "tools/list");
  await request(2, "tools/list");
  assert.equal(received.length, 2);
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    [undefined, undefined],
  );
  assert.equal(authenticator.asked(), 2);
});

test("U2 once a server has asked, nothing goes without: the refusal is the authenticator's, with what was asked", async (t) => {
  const { server, carrier, request } = await open(
    t,
    asking(401, `Bearer resource_metadata="${LINK}", scope="read"`),
    scriptedAuthenticator([NOBODY]),
  );
  assert.deepEqual(await carrierRefusal(request(1, "initialize")), {
    ...NOBODY,
    status: 401,
    scopes: ["read"],
  });
  assert.deepEqual(carrier.challenge, { resourceMetadata: LINK, scopes: ["read"], error: undefined });
  assert.deepEqual(await carrierRefusal(request(2, "initialize")), NOBODY);
  assert.equal(server.requests.length, 1);
});

test("U2 what was authorized once never goes without again, even if the server never asked", async (t) => {
  const { server, request } = await open(t, echo, inTurn(bearer("token"), NOBODY));
  await request(1, "tools/list");
  assert.deepEqual(await carrierRefusal(request(2, "tools/list")), NOBODY);
  assert.equal(server.requests.length, 1);
});

test("U2 a first answer of 403 without a challenge asks for no sign-in: it is the server's no", async (t) => {
  const { server, request } = await open(
    t,
    (_, response) => sendStatus(response, 403),
    scriptedAuthenticator([NOBODY]),
  );
  for (const id of [1, 2]) {
    const refusal = await carrierRefusal(request(id, "tools/list"));
    assert.equal(`${refusal.kind}/${refusal.reason}`, "session/auth-required");
  }
  assert.equal(server.requests.length, 2);
});

for (const reason of ["store-failed", "refresh-impossible", "unreachable"] as const) {
  test(`U2 an authenticator that fails with ${reason} is no leave to go without`, async (t) => {
    const { server, request } = await open(t, echo, scriptedAuthenticator([authRefusal(reason)]));
    assert.deepEqual(await carrierRefusal(request(1, "tools/list")), authRefusal(reason));
    assert.equal(server.requests.length, 0);
  });
}

test("U5 without an authenticator the challenge is kept for a sign-in, out of any of several headers", async (t) => {
  const { carrier, request } = await open(
    t,
    asking(401, 'Basic realm="x"', `Bearer resource_metadata="${LINK}", scope="a b"`),
    undefined,
  );
  assert.equal(carrier.challenge, undefined);
  assert.equal((await carrierRefusal(request(1, "tools/list"))).reason, "auth-required");
  await carrier.close();
  assert.deepEqual(carrier.challenge, { resourceMetadata: LINK, scopes: ["a", "b"], error: undefined });
});

test("U5 the newest challenge counts, and a malformed one is none", async (t) => {
  const answers = ['Bearer scope="a"', 'Bearer scope="b"', "Bearer =,"];
  const { carrier, request } = await open(
    t,
    (_, response) => sendStatus(response, 401, { "www-authenticate": answers.shift() ?? "" }),
    undefined,
  );
  const scopes: unknown[] = [];
  for (const id of [1, 2, 3]) {
    await carrierRefusal(request(id, "tools/list"));
    scopes.push(carrier.challenge?.scopes);
  }
  assert.deepEqual(scopes, [["a"], ["b"], undefined]);
});
