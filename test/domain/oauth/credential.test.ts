import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { toBase64Url } from "../../../src/domain/oauth/bytes-text.ts";
import {
  credentialDocument,
  decodeCredentialDocument,
  decodePendingDocument,
} from "../../../src/domain/oauth/credential-document.ts";
import { authStateOf, freshnessOf } from "../../../src/domain/oauth/credential-state.ts";
import { makeProofKey } from "../../../src/domain/oauth/proof-key.ts";
import { AUTH_REASONS } from "../../../src/domain/oauth/refusal.ts";
import { describeAuthRefusal } from "../../../src/domain/oauth/refusal-text.ts";
import { parseScopeText, unionScopes } from "../../../src/domain/oauth/scopes.ts";
import { readOauthError } from "../../../src/domain/oauth/token-response.ts";
import { Secret } from "../../../src/domain/secret.ts";
import { OauthWorld } from "../../kit/oauth-world.ts";

const reveal = (secret: Secret): string => secret.reveal();
const NOW = 1_800_000_000_000;

function tokens(lifetimeMs: number | undefined) {
  return {
    accessToken: new Secret("a"),
    obtainedAtMs: NOW,
    scopes: [],
    ...(lifetimeMs !== undefined && { expiresAtMs: NOW + lifetimeMs }),
  };
}

for (const [lifetimeMs, ageMs, expected] of [
  [3_600_000, 3_539_999, "fresh"],
  [3_600_000, 3_540_000, "early"],
  [3_600_000, 3_599_999, "early"],
  [3_600_000, 3_600_000, "expired"],
  [60_000, 29_999, "fresh"],
  [60_000, 30_000, "early"],
  [1, 0, "fresh"],
  [0, 0, "expired"],
  [3_600_000, -7_200_000, "fresh"],
  [undefined, 1e12, "fresh"],
] as const) {
  test(`U10 fault F26 a token of ${lifetimeMs} ms is ${expected} after ${ageMs} ms`, () => {
    assert.equal(freshnessOf(tokens(lifetimeMs), NOW + ageMs), expected);
  });
}

test("U12 the state is one word out of the record", () => {
  const world = new OauthWorld();
  const record = world.credential();
  const nowMs = world.clock.nowMs();
  const { tokens: given, ...bare } = record;
  const { refreshToken: _, ...without } = given ?? assert.fail();
  const ended = { expiresAtMs: nowMs };

  assert.equal(authStateOf(undefined, nowMs), "signed-out");
  assert.equal(authStateOf(record, nowMs), "signed-in");
  assert.equal(authStateOf({ ...bare, tokens: { ...without, ...ended } }, nowMs), "sign-in-required");
  assert.equal(
    authStateOf({ ...record, tokens: { ...(given ?? assert.fail()), ...ended } }, nowMs),
    "expired-refreshable",
  );
  assert.equal(authStateOf(bare, nowMs), "sign-in-required");
  assert.equal(authStateOf({ ...bare, grant: "client_credentials" }, nowMs), "expired-refreshable");
});

test("U9 a record is read back from its document with every member", () => {
  const record = new OauthWorld().credential();

  const document: unknown = JSON.parse(JSON.stringify(credentialDocument(record, reveal)));
  const read = decodeCredentialDocument(document);

  assert.ok(read.ok);
  assert.deepEqual(credentialDocument(read.value, reveal), document);
  assert.equal(read.value.tokens?.accessToken.reveal(), "access-0");
});

for (const [what, change, fault] of [
  ["an unknown member", { more: 1 }, "corrupt"],
  ["a later version", { version: 2 }, "too-new"],
  ["no version", { version: undefined }, "corrupt"],
  ["no key", { key: undefined }, "corrupt"],
  ["another grant", { grant: "password" }, "corrupt"],
  ["a short generation", { generation: "abc" }, "corrupt"],
  ["a token that is none", { tokens: { accessToken: 7 } }, "corrupt"],
] as const) {
  test(`U9 a document with ${what} is ${fault}, and decoding it throws nothing`, () => {
    const document = { ...credentialDocument(new OauthWorld().credential(), reveal), ...change };

    assert.deepEqual(decodeCredentialDocument(document), { ok: false, refusal: fault });
  });
}

test("U9 decoding never throws, whatever is in a file", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(decodeCredentialDocument(value).ok, false);
      assert.equal(decodePendingDocument(value).ok, false);
    }),
    { numRuns: 200 },
  );
});

test("U7 the challenge of the specification's example verifier is the specification's", () => {
  // RFC 7636 appendix B.
  const bytes = Buffer.from("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "base64url");

  const { verifier, challenge } = makeProofKey(new Uint8Array(bytes));

  assert.equal(verifier.reveal(), "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
  assert.equal(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
});

test("U7 base64url is the one of every other program", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      assert.equal(toBase64Url(bytes), Buffer.from(bytes).toString("base64url"));
    }),
  );
});

for (const [text, expected] of [
  ["", []],
  ["a  b a", ["a", "b"]],
  ["a\tb", undefined],
  ['a"', undefined],
  ["a\\b", undefined],
  ["x".repeat(256), ["x".repeat(256)]],
  ["x".repeat(257), undefined],
] as const) {
  test(`U8 the scope text ${JSON.stringify(text.slice(0, 12))} is ${expected === undefined ? "none" : "read"}`, () => {
    assert.deepEqual(parseScopeText(text), expected);
  });
}

test("U8 a union has every scope once, the first ones first, and no more than 64", () => {
  assert.deepEqual(unionScopes(["a", "b"], ["b", "c"]), ["a", "b", "c"]);
  assert.equal(unionScopes(Array.from({ length: 100 }, (_, at) => `s${at}`)).length, 64);
});

test("U8b an error answer says one closed word", () => {
  assert.equal(readOauthError({ error: "invalid_grant", error_description: "x" }), "invalid_grant");
  for (const value of [undefined, null, {}, { error: 7 }, { error: "kanarienvogel" }, []]) {
    assert.equal(readOauthError(value), "other");
  }
});

test("U1 every reason has one sentence of its own, that names the server and ends", () => {
  const sentences = AUTH_REASONS.map((reason) =>
    describeAuthRefusal({ kind: "auth", reason, serverId: "files" }),
  );

  assert.equal(new Set(sentences).size, AUTH_REASONS.length);
  for (const sentence of sentences) assert.match(sentence, /^Server "files" [^\n]+\.$/);
});
