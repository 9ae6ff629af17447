import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ACCESS_TOKEN_LIMIT_CHARS,
  decodeAccessToken,
  TOKEN_ALGORITHMS,
} from "../../../src/domain/gate/access-token.ts";
import type { TokenReason } from "../../../src/domain/gate/token-refusal.ts";
import { encode } from "../../kit/access-tokens.ts";

const HEADER = { alg: "ES256", typ: "at+jwt", kid: "one" } as const;
const CLAIMS = { sub: "alice" };
const ALLOWED = { algorithms: ["ES256", "RS256"] } as const;

function tokenOf(header: object | string, claims: object | string = CLAIMS): string {
  return `${encode(header)}.${encode(claims)}.c2ln`;
}

test("R9 a token is taken apart into algorithm, key id and claims", () => {
  assert.deepEqual(decodeAccessToken(tokenOf(HEADER), ALLOWED), {
    ok: true,
    value: { algorithm: "ES256", keyId: "one", claims: CLAIMS },
  });
});

test("R9 a token that breaks off within a character leaves the next one as it is", () => {
  const broken = Buffer.from([0x7b, 0xe2, 0x82]).toString("base64url");

  assert.equal(decodeAccessToken(`${broken}.${broken}.c2ln`, ALLOWED).ok, false);
  assert.equal(decodeAccessToken(tokenOf(HEADER), ALLOWED).ok, true);
});

test("R9 a key id may be missing", () => {
  const outcome = decodeAccessToken(tokenOf({ alg: "RS256", typ: "at+jwt" }), ALLOWED);

  assert.deepEqual(outcome.ok && outcome.value.keyId, undefined);
});

for (const typ of ["at+jwt", "application/at+jwt", "AT+JWT", "Application/at+JWT"]) {
  test(`R9 the type ${typ} is that of an access token`, () => {
    assert.equal(decodeAccessToken(tokenOf({ ...HEADER, typ }), ALLOWED).ok, true);
  });
}

const REFUSED: readonly (readonly [what: string, token: string, reason: TokenReason])[] = [
  ["an empty text", "", "malformed"],
  ["an opaque token", "2YotnFZFEjr1zCsicMWpAA", "malformed"],
  ["two parts", `${encode(HEADER)}.${encode(CLAIMS)}`, "malformed"],
  ["an empty signature", `${encode(HEADER)}.${encode(CLAIMS)}.`, "malformed"],
  ["an encrypted token of five parts", `${tokenOf(HEADER)}.a.b`, "malformed"],
  ["a space around it", ` ${tokenOf(HEADER)}`, "malformed"],
  ["a line end after it", `${tokenOf(HEADER)}\n`, "malformed"],
  ["padding", `${tokenOf(HEADER)}=`, "malformed"],
  ["plain base64", `${tokenOf(HEADER)}+/`, "malformed"],
  ["a part of an impossible length", `${encode(HEADER)}.aaaaa.c2ln`, "malformed"],
  ["a header that is no JSON", tokenOf("{"), "malformed"],
  ["a header that is a list", tokenOf("[]"), "malformed"],
  ["claims that are no object", tokenOf(HEADER, '"alice"'), "malformed"],
  ["claims that are null", tokenOf(HEADER, "null"), "malformed"],
  [
    "bytes that are no UTF-8",
    `${encode(HEADER)}.${Buffer.from([0x22, 0xff, 0x22]).toString("base64url")}.c2ln`,
    "malformed",
  ],
  ["a byte order mark", tokenOf(`\ufeff${JSON.stringify(HEADER)}`), "malformed"],
  ["a claim named twice", tokenOf(HEADER, '{"aud":"a","aud":"b"}'), "malformed"],
  ["a header member named twice", tokenOf('{"alg":"none","typ":"at+jwt","alg":"ES256"}'), "malformed"],
  ["crit", tokenOf({ ...HEADER, crit: ["exp"] }), "malformed"],
  ["an empty crit", tokenOf({ ...HEADER, crit: [] }), "malformed"],
  ["b64", tokenOf({ ...HEADER, b64: false }), "malformed"],
  ["b64 that says what is so anyway", tokenOf({ ...HEADER, b64: true }), "malformed"],
  ["a key id that is no text", tokenOf({ ...HEADER, kid: 1 }), "malformed"],
  ["a key id of 1,025 characters", tokenOf({ ...HEADER, kid: "k".repeat(1_025) }), "malformed"],
  ["no type", tokenOf({ alg: "ES256" }), "type"],
  ["an ID token's type", tokenOf({ ...HEADER, typ: "JWT" }), "type"],
  ["another application's type", tokenOf({ ...HEADER, typ: "application/application/at+jwt" }), "type"],
  ["a type that is no text", tokenOf({ ...HEADER, typ: ["at+jwt"] }), "type"],
  ["no algorithm", tokenOf({ typ: "at+jwt" }), "algorithm"],
  ["none", tokenOf({ ...HEADER, alg: "none" }), "algorithm"],
  ["None", tokenOf({ ...HEADER, alg: "None" }), "algorithm"],
  ["HS256", tokenOf({ ...HEADER, alg: "HS256" }), "algorithm"],
  ["an algorithm in another case", tokenOf({ ...HEADER, alg: "es256" }), "algorithm"],
  ["an asymmetric algorithm that is not on the list", tokenOf({ ...HEADER, alg: "PS256" }), "algorithm"],
  ["an algorithm in a list", tokenOf({ ...HEADER, alg: ["ES256"] }), "algorithm"],
  ["a name of the prototype", tokenOf({ ...HEADER, alg: "constructor" }), "algorithm"],
];

for (const [what, token, reason] of REFUSED) {
  test(`R9 a token with ${what} is refused as ${reason}`, () => {
    assert.deepEqual(decodeAccessToken(token, ALLOWED), { ok: false, refusal: { kind: "token", reason } });
  });
}

test("R9 a key id of 1,024 characters is read", () => {
  assert.equal(decodeAccessToken(tokenOf({ ...HEADER, kid: "k".repeat(1_024) }), ALLOWED).ok, true);
});

for (const [length, ok] of [
  [ACCESS_TOKEN_LIMIT_CHARS - 1, true],
  [ACCESS_TOKEN_LIMIT_CHARS, true],
  [ACCESS_TOKEN_LIMIT_CHARS + 1, false],
] as const) {
  test(`R9 a token of ${length} characters is ${ok ? "read" : "malformed"}`, () => {
    const start = `${encode(HEADER)}.${encode(CLAIMS)}.`;

    assert.equal(decodeAccessToken(start.padEnd(length, "s"), ALLOWED).ok, ok);
  });
}

test("R9 a token of 16 KiB that nests as deep as it can is refused, and nothing overflows", () => {
  const deep = `${"[".repeat(6_000)}${"]".repeat(6_000)}`;

  assert.equal(decodeAccessToken(tokenOf(HEADER, deep), ALLOWED).ok, false);
});

test("R9 no algorithm that can be allowed is symmetric", () => {
  assert.deepEqual(
    TOKEN_ALGORITHMS.filter((name) => !/^(ES|PS|RS)(256|384|512)$|^Ed(DSA|25519)$/.test(name)),
    [],
  );
});
