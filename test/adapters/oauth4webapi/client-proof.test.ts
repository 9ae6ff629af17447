import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { test, type TestContext } from "node:test";

import { createAuthorizationServerClient } from "../../../src/adapters/oauth4webapi/authorization-server.ts";
import type { OauthClient, SigningAlgorithm } from "../../../src/domain/oauth/credential.ts";
import type { TokenAnswer } from "../../../src/domain/oauth/token-response.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { Secret } from "../../../src/domain/secret.ts";
import type { AuthorizationServerFailure } from "../../../src/ports/authorization-server.ts";
import { egressWorld } from "../../kit/egress-world.ts";
import { OauthHttpServer, type OauthRequest } from "../../kit/oauth-server.ts";
import { never } from "../../kit/oauth-world.ts";

interface Exchanged {
  readonly outcome: Outcome<TokenAnswer, AuthorizationServerFailure>;
  readonly requests: readonly OauthRequest[];
  readonly issuer: string;
}

async function requestAs(t: TestContext, client: Partial<OauthClient>): Promise<Exchanged> {
  const server = await OauthHttpServer.start(t);
  const { egress } = egressWorld(t);
  const port = createAuthorizationServerClient({ egress, policy: { allowDestinations: [] } });
  const outcome = await port.requestClientCredentials(
    {
      issuer: server.origin,
      tokenEndpoint: `${server.origin}/token`,
      client: {
        clientId: "client",
        origin: "pre-registered",
        authentication: "none",
        redirectUris: [],
        ...client,
      },
      resource: undefined,
      scopes: ["a", "b"],
    },
    { signal: never() },
  );
  return { outcome, requests: server.requests, issuer: server.origin };
}

test("U13 a secret goes as Basic, form-encoded as the specification says and no further", async (t) => {
  const { requests } = await requestAs(t, {
    clientId: "my-client.id_1*",
    authentication: "client_secret_basic",
    clientSecret: new Secret("s:e c/r+et%ü"),
  });

  const [{ headers, form } = assert.fail("nothing was asked")] = requests;
  const pair = Buffer.from(headers.authorization?.replace("Basic ", "") ?? "", "base64").toString();
  assert.equal(pair, "my-client.id_1*:s%3Ae+c%2Fr%2Bet%25%C3%BC");
  assert.deepEqual(form, { grant_type: "client_credentials", scope: "a b" });
});

test("U13 a secret goes in the body where the server wants it there, and in no header", async (t) => {
  const { requests } = await requestAs(t, {
    authentication: "client_secret_post",
    clientSecret: new Secret("s&s"),
  });

  const [{ headers, form } = assert.fail("nothing was asked")] = requests;
  assert.equal(headers.authorization, undefined);
  assert.deepEqual(form, {
    grant_type: "client_credentials",
    scope: "a b",
    client_id: "client",
    client_secret: "s&s",
  });
});

test("U6 a public client sends its id alone", async (t) => {
  const { requests } = await requestAs(t, { clientSecret: new Secret("not for you") });

  assert.deepEqual(requests[0]?.form, {
    grant_type: "client_credentials",
    scope: "a b",
    client_id: "client",
  });
});

interface KeyCase {
  readonly algorithm: SigningAlgorithm;
  readonly given: SigningAlgorithm | undefined;
  readonly make: () => { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
}

const rsa: KeyCase["make"] = () => generateKeyPairSync("rsa", { modulusLength: 2_048 });
const KEYS: readonly KeyCase[] = [
  { algorithm: "ES256", given: undefined, make: () => generateKeyPairSync("ec", { namedCurve: "P-256" }) },
  { algorithm: "ES384", given: undefined, make: () => generateKeyPairSync("ec", { namedCurve: "P-384" }) },
  { algorithm: "ES512", given: "ES512", make: () => generateKeyPairSync("ec", { namedCurve: "P-521" }) },
  { algorithm: "Ed25519", given: undefined, make: () => generateKeyPairSync("ed25519") },
  { algorithm: "RS256", given: undefined, make: rsa },
  { algorithm: "PS256", given: "PS256", make: rsa },
];

for (const { algorithm, given, make } of KEYS) {
  test(`U13 a private key signs its assertion with ${algorithm}, for the issuer alone`, async (t) => {
    const { privateKey, publicKey } = make();
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

    const { outcome, requests, issuer } = await requestAs(t, {
      authentication: "private_key_jwt",
      privateKey: new Secret(pem),
      ...(given !== undefined && { signingAlgorithm: given }),
    });

    assert.ok(outcome.ok);
    const form = requests[0]?.form ?? {};
    assert.equal(form["client_assertion_type"], "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const [header = "", payload = "", signature = ""] = (form["client_assertion"] ?? "").split(".");
    assert.equal(read(header)["alg"], algorithm);
    const { iss, sub, aud } = read(payload);
    assert.deepEqual({ iss, sub, aud }, { iss: "client", sub: "client", aud: issuer });
    assert.ok(isSigned(`${header}.${payload}`, signature, { algorithm, publicKey }));
  });
}

function read(part: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
  return Object.assign({}, value);
}

function isSigned(
  text: string,
  signature: string,
  { algorithm, publicKey }: { readonly algorithm: SigningAlgorithm; readonly publicKey: KeyObject },
): boolean {
  const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
  const hash = algorithm === "Ed25519" ? undefined : `sha${algorithm.slice(2)}`;
  const padding = algorithm === "PS256" ? { padding: 6, saltLength: 32 } : {};
  const encoding = algorithm.startsWith("ES") ? { dsaEncoding: "ieee-p1363" as const } : {};
  const bytes = Buffer.from(signature, "base64url");
  return verify(hash, Buffer.from(text), { key, ...padding, ...encoding }, bytes);
}

for (const [what, client] of [
  ["a key that is none", { authentication: "private_key_jwt", privateKey: new Secret("kanarienvogel") }],
  [
    "a key that is garbage",
    {
      authentication: "private_key_jwt",
      privateKey: new Secret("-----BEGIN PRIVATE KEY-----\nMTIz\n-----END PRIVATE KEY-----\n"),
    },
  ],
  ["no secret", { authentication: "client_secret_basic" }],
] as const) {
  test(`U13 a client with ${what} cannot prove itself: nothing is sent, and nothing of it is said`, async (t) => {
    const { outcome, requests } = await requestAs(t, client);

    assert.deepEqual(outcome, {
      ok: false,
      refusal: { kind: "authorization-server", reason: "refused", error: "invalid_client" },
    });
    assert.deepEqual(requests, []);
  });
}
