import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { createSystemAccessTokenVerifier } from "../../src/composition/node.ts";
import type { SystemTokenVerifierOptions } from "../../src/composition/node.ts";
import { startTokenIssuer, type TokenIssuer } from "../kit/token-issuer.ts";

const RESOURCE = "https://mcp.example/mcp";
const SCOPE = "mcp:use";

function verdictOf(
  t: TestContext,
  issuer: TokenIssuer,
  options: Partial<SystemTokenVerifierOptions> = {},
): (token: string) => Promise<string> {
  const verifier = createSystemAccessTokenVerifier({
    issuer: issuer.issuer,
    resource: RESOURCE,
    algorithms: ["ES256", "PS256", "EdDSA"],
    requiredScopes: [SCOPE],
    allowedClients: [issuer.clientId],
    ...options,
  });
  t.after(() => verifier.close());
  return async (token) => {
    const outcome = await verifier.verify(token, { signal: t.signal });
    return outcome.ok ? `${outcome.value.subject} ${outcome.value.scopes.join(" ")}` : outcome.refusal.reason;
  };
}

for (const alg of ["ES256", "PS256", "EdDSA"] as const) {
  test(`R9 a token of a real authorization server, signed with ${alg}, opens its resource`, async (t) => {
    const issuer = await startTokenIssuer(t, { alg });
    const verdict = verdictOf(t, issuer);
    const token = await issuer.token({ resource: RESOURCE, scope: "mcp:use mcp:other" });

    assert.equal(await verdict(token), "agent mcp:use mcp:other");
    assert.equal(await verdict(token), "agent mcp:use mcp:other");
    assert.deepEqual(issuer.asked, ["/token", "/.well-known/oauth-authorization-server", "/jwks"]);
  });
}

test("fault J13 a real token for another resource opens nothing here", async (t) => {
  const issuer = await startTokenIssuer(t);
  const verdict = verdictOf(t, issuer);

  assert.equal(
    await verdict(await issuer.token({ resource: "https://b.example/", scope: SCOPE })),
    "audience",
  );
});

test("R9 a real token without the scope is told apart from one that is no good", async (t) => {
  const issuer = await startTokenIssuer(t);
  const verdict = verdictOf(t, issuer);

  assert.equal(
    await verdict(await issuer.token({ resource: RESOURCE, scope: "mcp:other" })),
    "insufficient-scope",
  );
});

test("R9 a real token of a client that is not allowed opens nothing", async (t) => {
  const issuer = await startTokenIssuer(t);
  const verdict = verdictOf(t, issuer, { allowedClients: ["other"], allowedSubjects: ["alice"] });

  assert.equal(await verdict(await issuer.token({ resource: RESOURCE, scope: SCOPE })), "principal");
});

test("R9 an algorithm that the host did not allow is refused, though the issuer uses it", async (t) => {
  const issuer = await startTokenIssuer(t);
  const verdict = verdictOf(t, issuer, { algorithms: ["PS256"] });

  assert.equal(await verdict(await issuer.token({ resource: RESOURCE, scope: SCOPE })), "algorithm");
});

test("R9 an opaque token of a real authorization server is no access token here", async (t) => {
  const issuer = await startTokenIssuer(t, { format: "opaque" });
  const verdict = verdictOf(t, issuer);

  assert.equal(await verdict(await issuer.token({ resource: RESOURCE, scope: SCOPE })), "malformed");
});

test("R9 a real token of an issuer that is gone is a matter of keys", async (t) => {
  const issuer = await startTokenIssuer(t);
  const verdict = verdictOf(t, issuer);
  const token = await issuer.token({ resource: RESOURCE, scope: SCOPE });
  await issuer.stop();

  assert.equal(await verdict(token), "keys-unavailable");
});

test("R9 a real token of another issuer opens nothing, with the same client and resource", async (t) => {
  const [issuer, other] = await Promise.all([startTokenIssuer(t), startTokenIssuer(t)]);
  const verdict = verdictOf(t, issuer);

  assert.equal(await verdict(await other.token({ resource: RESOURCE, scope: SCOPE })), "issuer");
});
