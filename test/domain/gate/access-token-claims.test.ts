import assert from "node:assert/strict";
import { test } from "node:test";

import { checkBearer, checkClaims } from "../../../src/domain/gate/access-token-claims.ts";
import type { TokenReason } from "../../../src/domain/gate/token-refusal.ts";

const NOW_S = 1_800_000_000;
const EXPECTED = {
  issuer: "https://issuer.example",
  resource: "https://mcp.example/mcp",
  nowMs: NOW_S * 1_000,
};
const CLAIMS = {
  iss: EXPECTED.issuer,
  aud: EXPECTED.resource,
  sub: "alice",
  client_id: "agent",
  jti: "1",
  iat: NOW_S - 10,
  exp: NOW_S + 300,
  scope: "mcp:read mcp:write",
};

function without(name: keyof typeof CLAIMS): object {
  return Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));
}

test("R9 claims of this issuer for this resource are read", () => {
  assert.deepEqual(checkClaims(CLAIMS, EXPECTED), {
    ok: true,
    value: {
      issuer: EXPECTED.issuer,
      subject: "alice",
      clientId: "agent",
      scopes: ["mcp:read", "mcp:write"],
      expiresAtMs: (NOW_S + 300) * 1_000,
    },
  });
});

const TAKEN: readonly (readonly [what: string, claims: object])[] = [
  ["an audience list that holds the resource", { ...CLAIMS, aud: ["https://a.example", EXPECTED.resource] }],
  ["no scope", without("scope")],
  ["claims that nobody asked for", { ...CLAIMS, roles: ["admin"], email: 1 }],
  ["an expiry 59 s ago", { ...CLAIMS, iat: NOW_S - 400, exp: NOW_S - 59 }],
  ["nbf in 59 s", { ...CLAIMS, nbf: NOW_S + 59 }],
  ["nbf in 60 s", { ...CLAIMS, nbf: NOW_S + 60 }],
  ["iat in 60 s", { ...CLAIMS, iat: NOW_S + 60 }],
  ["times with fractions", { ...CLAIMS, iat: NOW_S - 0.5, exp: NOW_S + 0.5 }],
];

for (const [what, claims] of TAKEN) {
  test(`R9 claims with ${what} are taken`, () => {
    assert.equal(checkClaims({ ...claims }, EXPECTED).ok, true);
  });
}

const REFUSED: readonly (readonly [what: string, claims: object, reason: TokenReason])[] = [
  ["no issuer", without("iss"), "issuer"],
  ["another issuer", { ...CLAIMS, iss: "https://other.example" }, "issuer"],
  ["the issuer with a slash", { ...CLAIMS, iss: `${EXPECTED.issuer}/` }, "issuer"],
  ["the issuer in capitals", { ...CLAIMS, iss: EXPECTED.issuer.toUpperCase() }, "issuer"],
  ["the issuer in a list", { ...CLAIMS, iss: [EXPECTED.issuer] }, "issuer"],
  ["no audience", without("aud"), "audience"],
  ["another audience", { ...CLAIMS, aud: "https://other.example" }, "audience"],
  ["an audience that begins like it", { ...CLAIMS, aud: `${EXPECTED.resource}/x` }, "audience"],
  ["an audience that is its parent", { ...CLAIMS, aud: "https://mcp.example" }, "audience"],
  ["an audience list without it", { ...CLAIMS, aud: ["https://other.example"] }, "audience"],
  ["an empty audience list", { ...CLAIMS, aud: [] }, "audience"],
  ["an audience list that holds more than texts", { ...CLAIMS, aud: [EXPECTED.resource, 1] }, "audience"],
  ["an audience object", { ...CLAIMS, aud: { [EXPECTED.resource]: true } }, "audience"],
  ["no expiry", without("exp"), "claims"],
  ["an expiry that is a text", { ...CLAIMS, exp: String(NOW_S + 300) }, "claims"],
  ["an expiry before all time", { ...CLAIMS, exp: -1 }, "claims"],
  ["an expiry that no clock reaches", { ...CLAIMS, exp: 1e300 }, "claims"],
  ["an expiry 60 s ago", { ...CLAIMS, iat: NOW_S - 400, exp: NOW_S - 60 }, "expired"],
  ["an expiry 61 s ago", { ...CLAIMS, iat: NOW_S - 400, exp: NOW_S - 61 }, "expired"],
  ["nbf in 61 s", { ...CLAIMS, nbf: NOW_S + 61 }, "not-yet-valid"],
  ["nbf that is a text", { ...CLAIMS, nbf: "0" }, "claims"],
  ["nbf that is null", { ...CLAIMS, nbf: null }, "claims"],
  ["iat in 61 s", { ...CLAIMS, iat: NOW_S + 61 }, "not-yet-valid"],
  ["no iat", without("iat"), "claims"],
  ["iat after exp", { ...CLAIMS, iat: NOW_S + 50, exp: NOW_S + 40 }, "claims"],
  ["no subject", without("sub"), "claims"],
  ["an empty subject", { ...CLAIMS, sub: "" }, "claims"],
  ["a subject of 2,049 characters", { ...CLAIMS, sub: "s".repeat(2_049) }, "claims"],
  ["no client", without("client_id"), "claims"],
  ["a client that is a number", { ...CLAIMS, client_id: 1 }, "claims"],
  ["no token id", without("jti"), "claims"],
  ["a scope that is a list", { ...CLAIMS, scope: ["mcp:read"] }, "claims"],
  ["a scope that is null", { ...CLAIMS, scope: null }, "claims"],
  ["a scope with a control character", { ...CLAIMS, scope: "mcp:read\u0000" }, "claims"],
  ["a proof key", { ...CLAIMS, cnf: { jkt: "x" } }, "claims"],
  ["an empty cnf", { ...CLAIMS, cnf: {} }, "claims"],
  ["all of it inherited", Object.create(CLAIMS), "issuer"],
];

for (const [what, claims, reason] of REFUSED) {
  test(`R9 claims with ${what} are refused as ${reason}`, () => {
    // Spread drops what is inherited, which one row is about.
    const given = Object.keys(claims).length === 0 ? Object.create(CLAIMS) : { ...claims };

    assert.deepEqual(checkClaims(given, EXPECTED), { ok: false, refusal: { kind: "token", reason } });
  });
}

for (const aud of ["https://other.example", ["https://other.example"], undefined]) {
  test(`fault J13 a token for ${JSON.stringify(aud)} is for somebody else, whoever issued it`, () => {
    assert.deepEqual(checkClaims({ ...CLAIMS, aud }, EXPECTED), {
      ok: false,
      refusal: { kind: "token", reason: "audience" },
    });
  });
}

const BEARER = {
  issuer: EXPECTED.issuer,
  subject: "alice",
  clientId: "agent",
  scopes: ["mcp:read", "mcp:write"],
  expiresAtMs: EXPECTED.nowMs,
} as const;

for (const [what, allowed] of [
  ["its subject", { subjects: ["bob", "alice"], clients: [], scopes: ["mcp:read"] }],
  ["its client", { subjects: [], clients: ["agent"], scopes: ["mcp:read"] }],
  ["its client, where other subjects are", { subjects: ["bob"], clients: ["agent"], scopes: ["mcp:read"] }],
  ["its subject, with every scope", { subjects: ["alice"], clients: [], scopes: ["mcp:write", "mcp:read"] }],
] as const) {
  test(`R9 a bearer who is allowed by ${what} comes in`, () => {
    assert.deepEqual(checkBearer(BEARER, allowed), { ok: true, value: BEARER });
  });
}

for (const [what, allowed, reason] of [
  ["who is on neither list", { subjects: ["bob"], clients: ["other"], scopes: ["mcp:read"] }, "principal"],
  ["whose subject is another's client", { subjects: ["agent"], clients: ["alice"], scopes: [] }, "principal"],
  ["whose name only begins so", { subjects: ["alic"], clients: [], scopes: [] }, "principal"],
  ["who is nobody and lacks a scope", { subjects: [], clients: [], scopes: ["admin"] }, "principal"],
  [
    "without one scope of two",
    { subjects: ["alice"], clients: [], scopes: ["mcp:read", "admin"] },
    "insufficient-scope",
  ],
  [
    "with a scope that only begins so",
    { subjects: ["alice"], clients: [], scopes: ["mcp"] },
    "insufficient-scope",
  ],
] as const) {
  test(`R9 a bearer ${what} is refused as ${reason}`, () => {
    assert.deepEqual(checkBearer(BEARER, allowed), { ok: false, refusal: { kind: "token", reason } });
  });
}
