import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { test } from "node:test";
import { inspect } from "node:util";

import { createAccessTokenVerifier } from "../../src/composition/access-token-verifier.ts";
import { encode, makeKey, signSymmetric, type KeyKind } from "../kit/access-tokens.ts";
import { FakeClock } from "../kit/fake-clock.ts";
import { ISSUER, KEYS_URL, METADATA_URL, TestIssuer } from "../kit/issuer-documents.ts";
import { claimsAt, RESOURCE, tokenWorld } from "../kit/token-world.ts";

for (const kind of ["ES256", "ES384", "ES512", "RS256", "PS256", "Ed25519"] satisfies readonly KeyKind[]) {
  test(`R9 a token signed with ${kind} by a published key opens the resource`, async () => {
    const world = tokenWorld({ kind });
    const signal = new AbortController().signal;

    assert.deepEqual(await world.verifier.verify(world.token(), { signal }), {
      ok: true,
      value: {
        issuer: ISSUER,
        subject: "alice",
        clientId: "agent",
        scopes: ["mcp:use", "other"],
        expiresAtMs: world.clock.nowMs() + 3_600_000,
      },
    });
  });
}

test("R9 a token that names no key is taken where one key alone can be meant", async () => {
  const world = tokenWorld();

  assert.equal(await world.verdict(world.token({ header: { kid: undefined } })), "ok");
});

test("R9 an allowed client is let in whoever uses it", async () => {
  const world = tokenWorld({ allowedSubjects: [], allowedClients: ["agent"] });

  assert.equal(await world.verdict(world.token({ claims: { sub: "somebody" } })), "ok");
});

const REFUSED = [
  ["is opaque", "malformed", () => "opaque"],
  ["is typed JWT", "type", (world) => world.token({ header: { typ: "JWT" } })],
  ["says alg none", "algorithm", (world) => unsigned(world, { alg: "none", typ: "at+jwt", kid: "one" })],
  [
    "says alg none and has no signature",
    "malformed",
    (world) => unsigned(world, { alg: "none", typ: "at+jwt" }).replace(/[^.]*$/, ""),
  ],
  [
    "is an HMAC under the public key",
    "algorithm",
    (world) => {
      const key = createPublicKey({ key: { ...world.key.jwk }, format: "jwk" });
      const header = { alg: "HS256", typ: "at+jwt", kid: "one" };
      const claims = claimsAt(world.clock.nowMs());
      return signSymmetric({ header, claims }, key.export({ type: "spki", format: "pem" }).toString());
    },
  ],
  ["wants an extension", "malformed", (world) => world.token({ header: { crit: ["x"], x: 1 } })],
  [
    "wants its payload unencoded",
    "malformed",
    (world) => world.token({ header: { b64: false, crit: ["b64"] } }),
  ],
  ["is from another issuer", "issuer", (world) => world.token({ claims: { iss: "https://other.example" } })],
  [
    "is for another resource",
    "audience",
    (world) => world.token({ claims: { aud: "https://other.example" } }),
  ],
  ["has expired", "expired", (world) => world.token({ claims: { iat: 1, exp: 2 } })],
  ["is not valid yet", "not-yet-valid", (world) => world.token({ claims: { nbf: 4e9, exp: 5e9 } })],
  ["has no expiry", "claims", (world) => world.token({ claims: { exp: undefined } })],
  ["has a repeated claim", "malformed", (world) => repeated(world)],
  ["names a key that is not there", "unknown-key", (world) => world.token({ header: { kid: "two" } })],
  ["was signed with another key", "signature", (world) => world.token({ key: makeKey("ES256") })],
  ["was changed after it was signed", "signature", (world) => tampered(world)],
  ["has an empty-looking signature", "signature", (world) => world.token().replace(/[^.]*$/, "A".repeat(86))],
  ["belongs to nobody who is allowed", "principal", (world) => world.token({ claims: { sub: "mallory" } })],
  ["lacks the scope", "insufficient-scope", (world) => world.token({ claims: { scope: "other" } })],
  ["has no scope at all", "insufficient-scope", (world) => world.token({ claims: { scope: undefined } })],
] as const satisfies readonly (readonly [string, string, (world: World) => string])[];

type World = ReturnType<typeof tokenWorld>;

function unsigned(world: World, header: object): string {
  return `${encode(header)}.${encode(claimsAt(world.clock.nowMs()))}.c2ln`;
}

function tampered(world: World): string {
  const [header, , signature] = world.token().split(".");
  return `${header}.${encode({ ...claimsAt(world.clock.nowMs()), scope: "mcp:use admin" })}.${signature}`;
}

function repeated(world: World): string {
  const claims = JSON.stringify(claimsAt(world.clock.nowMs())).replace(
    "{",
    '{"aud":"https://other.example",',
  );
  return `${encode({ alg: "ES256", typ: "at+jwt", kid: "one" })}.${encode(claims)}.c2ln`;
}

for (const [what, reason, make] of REFUSED) {
  test(`R9 a token that ${what} is refused as ${reason}`, async () => {
    const world = tokenWorld();

    assert.equal(await world.verdict(make(world)), reason);
  });
}

test("R9 a token that cannot be for us makes nobody ask the issuer", async () => {
  const world = tokenWorld();
  for (const claims of [{ aud: "https://other.example" }, { iss: "https://other.example" }, { exp: 1 }]) {
    assert.notEqual(await world.verdict(world.token({ claims })), "ok");
  }

  assert.deepEqual(world.issuer.asked, []);
});

test("R9 keys that the token brings or points to are never used and never fetched", async () => {
  const world = tokenWorld();
  const mine = makeKey("ES256", { kid: "one" });
  const header = {
    jwk: mine.jwk,
    jku: "https://evil.example/keys",
    x5u: "https://evil.example/certificate",
    x5c: ["AAAA"],
  };

  assert.equal(await world.verdict(world.token({ header, key: mine })), "signature");
  assert.equal(await world.verdict(world.token({ header })), "ok");
  assert.deepEqual(world.issuer.asked, [METADATA_URL, KEYS_URL]);
});

test("R9 every part of a token is inside its signature", async () => {
  const world = tokenWorld();
  const token = world.token();
  const [header = "", claims = ""] = token.split(".");
  const other = world.token({ claims: { jti: "2" } }).split(".");

  assert.equal(await world.verdict(`${header}.${claims}.${other[2]}`), "signature");
  assert.equal(await world.verdict(`${header}.${other[1]}.${token.split(".")[2]}`), "signature");
});

test("R9 the verifier goes by the clock of its host, 60 s either way", async () => {
  const world = tokenWorld();
  const token = world.token();

  await world.clock.advance(3_600_000 + 59_999);
  assert.equal(await world.verdict(token), "ok");
  await world.clock.advance(1);
  assert.equal(await world.verdict(token), "expired");
});

test("D17 no refusal holds anything of the token", async () => {
  const world = tokenWorld();
  const marked = world.token({ claims: { sub: "canary-subject", jti: "canary-id" } });
  const signal = new AbortController().signal;
  const outcome = await world.verifier.verify(marked, { signal });

  assert.deepEqual(outcome, { ok: false, refusal: { kind: "token", reason: "principal" } });
  assert.doesNotMatch(inspect(world.verifier, { depth: 9, showHidden: true }), /canary/);
});

test("R9 an aborted verification rejects with the signal's reason", async () => {
  const world = tokenWorld();
  const reason = new Error("mine");

  await assert.rejects(world.verifier.verify(world.token(), { signal: AbortSignal.abort(reason) }), reason);
  assert.deepEqual(world.issuer.asked, []);
});

const MISUSED = [
  ["issuer-insecure", { issuer: "http://issuer.example" }],
  ["issuer-insecure", { issuer: "https://user@issuer.example" }],
  ["issuer-insecure", { issuer: "https://issuer.example/?tenant=1" }],
  ["issuer-insecure", { issuer: "https://issuer.example/#a" }],
  ["issuer-insecure", { issuer: "" }],
  ["resource-invalid", { resource: "mcp" }],
  ["algorithm-unknown", { algorithms: [] }],
  ["scope-missing", { requiredScopes: [] }],
  ["scope-missing", { requiredScopes: ["two words"] }],
  ["principal-missing", { allowedSubjects: [] }],
  ["principal-missing", { allowedSubjects: [""], allowedClients: [""] }],
] as const;

for (const [code, change] of MISUSED) {
  test(`R9 a verifier with ${JSON.stringify(change)} cannot be built: ${code}`, () => {
    assert.throws(() => tokenWorld(change), { name: "TypeError", code });
  });
}

for (const name of ["none", "HS256", "es256", "constructor"]) {
  test(`R9 a verifier for ${name} cannot be built`, () => {
    const algorithms = JSON.parse(JSON.stringify([name]));

    assert.throws(() => tokenWorld({ algorithms }), { code: "algorithm-unknown" });
  });
}

test("R9 a verifier with neither subjects nor clients cannot be built", () => {
  const { egress } = new TestIssuer();

  assert.throws(
    () =>
      createAccessTokenVerifier({
        issuer: ISSUER,
        resource: RESOURCE,
        algorithms: ["ES256"],
        requiredScopes: ["mcp:use"],
        egress,
        clock: new FakeClock(),
      }),
    { code: "principal-missing" },
  );
});

test("R9 an audience is the canonical form of the resource, however the host wrote it", async () => {
  const world = tokenWorld({ resource: "HTTPS://MCP.example:443/mcp" });

  assert.equal(await world.verdict(world.token()), "ok");
});
