import assert from "node:assert/strict";
import { test } from "node:test";

import {
  decodeKeySet,
  decodeKeySetPlace,
  KEY_SET_LIMIT,
  selectKey,
  type IssuerKey,
} from "../../../src/domain/gate/key-set.ts";

const ISSUER = "https://issuer.example";
const EC = { kty: "EC", crv: "P-256", x: "eA", y: "eQ", kid: "ec" } as const;
const RSA = { kty: "RSA", n: "n".repeat(342), e: "AQAB", kid: "rsa" } as const;
const OKP = { kty: "OKP", crv: "Ed25519", x: "eA", kid: "okp" } as const;

function setOf(...keys: readonly unknown[]): readonly IssuerKey[] | undefined {
  return decodeKeySet(JSON.stringify({ keys }));
}

test("R9 the three kinds of public keys are read, with their public members alone", () => {
  assert.deepEqual(setOf({ ...EC, d: "secret", x5u: "https://evil.example", use: "sig" }, RSA, OKP), [
    { keyId: "ec", algorithm: undefined, material: { kty: "EC", crv: "P-256", x: "eA", y: "eQ" } },
    { keyId: "rsa", algorithm: undefined, material: { kty: "RSA", n: RSA.n, e: "AQAB" } },
    { keyId: "okp", algorithm: undefined, material: { kty: "OKP", crv: "Ed25519", x: "eA" } },
  ]);
});

const LEFT_OUT: readonly (readonly [what: string, key: unknown])[] = [
  ["a key for encryption", { ...EC, use: "enc" }],
  ["a key that only signs", { ...EC, key_ops: ["sign"] }],
  ["operations that are no list", { ...EC, key_ops: "verify" }],
  ["a symmetric key", { kty: "oct", k: "c2VjcmV0" }],
  ["an unknown kind", { kty: "XX", x: "eA" }],
  ["half a point", { kty: "EC", crv: "P-256", x: "eA" }],
  ["a key without curve", { kty: "OKP", x: "eA" }],
  ["an RSA key below 2,048 bits", { ...RSA, n: "n".repeat(341) }],
  ["a member of 4,097 characters", { ...RSA, n: "n".repeat(4_097) }],
  ["a key id that is no text", { ...EC, kid: 1 }],
  ["an algorithm that is no text", { ...EC, alg: 1 }],
  ["null", null],
  ["a text", "key"],
];

for (const [what, key] of LEFT_OUT) {
  test(`R9 ${what} is left out, and the other keys stay`, () => {
    assert.deepEqual(
      setOf(key, OKP)?.map(({ keyId }) => keyId),
      ["okp"],
    );
  });
}

test("R9 a key that says it verifies is read", () => {
  assert.equal(setOf({ ...EC, key_ops: ["sign", "verify"] })?.length, 1);
});

for (const [count, read] of [
  [KEY_SET_LIMIT - 1, true],
  [KEY_SET_LIMIT, true],
  [KEY_SET_LIMIT + 1, false],
] as const) {
  test(`R9 a set of ${count} keys is ${read ? "read" : "no key set"}`, () => {
    const keys = Array.from({ length: count }, (_, index) => ({ ...EC, kid: String(index) }));

    assert.equal(setOf(...keys)?.length, read ? count : undefined);
  });
}

for (const text of ["", "[]", "{}", '{"keys":{}}', '{"keys":null}', '{"keys":[],"keys":[]}', "<html>"]) {
  test(`R9 ${JSON.stringify(text)} is no key set`, () => {
    assert.equal(decodeKeySet(text), undefined);
  });
}

test("R9 an issuer without keys has an empty set", () => {
  assert.deepEqual(setOf(), []);
});

const KEYS = setOf(EC, RSA, OKP, { ...RSA, kid: "ps", alg: "PS256" }) ?? [];

const CHOICES: readonly (readonly [Parameters<typeof selectKey>[1], kid: string | undefined])[] = [
  [{ algorithm: "ES256", keyId: "ec" }, "ec"],
  [{ algorithm: "ES256", keyId: undefined }, "ec"],
  [{ algorithm: "EdDSA", keyId: "okp" }, "okp"],
  [{ algorithm: "Ed25519", keyId: undefined }, "okp"],
  [{ algorithm: "RS256", keyId: undefined }, "rsa"],
  [{ algorithm: "PS256", keyId: "ps" }, "ps"],
  // The issuer said PS256 of it.
  [{ algorithm: "RS256", keyId: "ps" }, undefined],
  // Two could be it.
  [{ algorithm: "PS256", keyId: undefined }, undefined],
  [{ algorithm: "ES384", keyId: "ec" }, undefined],
  [{ algorithm: "RS256", keyId: "ec" }, undefined],
  [{ algorithm: "ES256", keyId: "rsa" }, undefined],
  [{ algorithm: "ES256", keyId: "EC" }, undefined],
  [{ algorithm: "ES256", keyId: "" }, undefined],
];

for (const [asked, kid] of CHOICES) {
  test(`R9 ${asked.algorithm} with key id ${String(asked.keyId)} finds ${kid ?? "no key"}`, () => {
    assert.equal(selectKey(KEYS, asked)?.keyId, kid);
  });
}

test("R9 two keys of one id are no key", () => {
  assert.equal(selectKey(setOf(EC, EC) ?? [], { algorithm: "ES256", keyId: "ec" }), undefined);
});

test("R9 an Edwards curve under the kind of another is no key of either", () => {
  const keys = setOf({ kty: "OKP", crv: "P-256", x: "eA" }, { ...EC, crv: "Ed25519" }) ?? [];

  assert.equal(selectKey(keys, { algorithm: "ES256", keyId: undefined }), undefined);
  assert.equal(selectKey(keys, { algorithm: "EdDSA", keyId: undefined }), undefined);
});

const PLACES: readonly (readonly [what: string, document: unknown, place: string | undefined])[] = [
  ["names a place", { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` }, `${ISSUER}/keys`],
  ["names another origin", { issuer: ISSUER, jwks_uri: "https://keys.example/" }, "https://keys.example/"],
  ["is of another issuer", { issuer: "https://b.example", jwks_uri: `${ISSUER}/keys` }, undefined],
  ["has a slash after its issuer", { issuer: `${ISSUER}/`, jwks_uri: `${ISSUER}/keys` }, undefined],
  ["names plain http", { issuer: ISSUER, jwks_uri: "http://issuer.example/keys" }, undefined],
  ["names this machine", { issuer: ISSUER, jwks_uri: "http://127.0.0.1/keys" }, undefined],
  ["names cloud metadata", { issuer: ISSUER, jwks_uri: "http://169.254.169.254/" }, undefined],
  ["names nothing", { issuer: ISSUER }, undefined],
  ["names no text", { issuer: ISSUER, jwks_uri: 1 }, undefined],
  ["is a list", [], undefined],
];

for (const [what, document, place] of PLACES) {
  test(`R9 metadata that ${what} ${place === undefined ? "leads nowhere" : "leads there"}`, () => {
    assert.equal(decodeKeySetPlace(JSON.stringify(document), ISSUER), place);
  });
}

test("R9 an issuer on loopback may keep its keys there", () => {
  const issuer = "http://127.0.0.1:8000";
  const text = JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` });

  assert.equal(decodeKeySetPlace(text, issuer), `${issuer}/keys`);
});
