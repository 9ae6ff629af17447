import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { inspect } from "node:util";

import {
  createTokenSignature,
  GENUINE_TOKENS_LIMIT,
  REMEMBERED_TOKEN_LIMIT_CHARS,
} from "../../../src/adapters/oauth4webapi/token-signature.ts";
import { decodeKeySet, type IssuerKey } from "../../../src/domain/gate/key-set.ts";
import type { ExpectedSignature, TokenSignature } from "../../../src/ports/token-signature.ts";
import { makeKey, signToken } from "../../kit/access-tokens.ts";
import { ISSUER } from "../../kit/issuer-documents.ts";
import { claimsAt, RESOURCE, tokenWorld } from "../../kit/token-world.ts";

const NOW_MS = 1_800_000_000_000;
const SIGNER = makeKey("Ed25519", { kid: "one" });
const HEADER = { alg: "Ed25519", typ: "at+jwt", kid: "one" };

function issuerKey(): IssuerKey {
  const [key] = decodeKeySet(JSON.stringify({ keys: [SIGNER.jwk] })) ?? [];
  return key ?? assert.fail("no key");
}

function tokenOf(jti: string): string {
  return signToken({ header: HEADER, claims: { ...claimsAt(NOW_MS), jti } }, SIGNER);
}

/** A signature check, what it expects, and how often the runtime was asked to verify. */
function counted(t: TestContext): {
  readonly signature: TokenSignature;
  readonly expected: ExpectedSignature;
  readonly verifications: () => number;
} {
  const verify = t.mock.method(globalThis.crypto.subtle, "verify");
  const expected = {
    algorithm: "Ed25519",
    key: issuerKey(),
    issuer: ISSUER,
    resource: RESOURCE,
    nowMs: NOW_MS,
  } as const;
  return { signature: createTokenSignature(), expected, verifications: () => verify.mock.callCount() };
}

test("R9 a genuine token is verified once under a key, however often it comes", async (t) => {
  const { signature, expected, verifications } = counted(t);
  const token = tokenOf("1");

  const answers = [
    await signature.isGenuine(token, expected),
    await signature.isGenuine(token, expected),
    await signature.isGenuine(token, { ...expected, nowMs: NOW_MS + 1_000 }),
  ];

  assert.deepEqual(answers, [true, true, true]);
  assert.equal(verifications(), 1);
});

test("R9 a forged token is verified each time, and a genuine one with the same words does not help it", async (t) => {
  const { signature, expected, verifications } = counted(t);
  const token = tokenOf("1");
  const forged = `${token.slice(0, token.lastIndexOf("."))}.${tokenOf("2").split(".")[2] ?? ""}`;
  await signature.isGenuine(token, expected);

  assert.equal(await signature.isGenuine(forged, expected), false);
  assert.equal(await signature.isGenuine(forged, expected), false);
  assert.equal(verifications(), 3);
});

test("R9 a key that was fetched anew verifies anew", async (t) => {
  const { signature, expected, verifications } = counted(t);
  const token = tokenOf("1");
  await signature.isGenuine(token, expected);

  assert.equal(await signature.isGenuine(token, { ...expected, key: issuerKey() }), true);
  assert.equal(verifications(), 2);
});

for (const [what, change] of [
  ["another resource", { resource: "https://mcp.example/other" }],
  ["another algorithm", { algorithm: "ES256" }],
] as const) {
  test(`R9 a token that was genuine is nothing for ${what}`, async (t) => {
    const { signature, expected } = counted(t);
    const token = tokenOf("1");
    await signature.isGenuine(token, expected);

    assert.equal(await signature.isGenuine(token, { ...expected, ...change }), false);
  });
}

for (const [what, count, verifiedAgain] of [
  ["as many tokens as are remembered", GENUINE_TOKENS_LIMIT, 0],
  ["one token more", GENUINE_TOKENS_LIMIT + 1, 1],
] as const) {
  test(`R9 after ${what} the first is verified ${verifiedAgain === 0 ? "no more" : "again"}`, async (t) => {
    const { signature, expected, verifications } = counted(t);
    for (let at = 0; at < count; at += 1) await signature.isGenuine(tokenOf(String(at)), expected);

    assert.equal(await signature.isGenuine(tokenOf("0"), expected), true);
    assert.equal(verifications(), count + verifiedAgain);
  });
}

test("R9 a token that was taken is refused once its time is over", async () => {
  const world = tokenWorld();
  const token = world.token();
  assert.equal(await world.verdict(token), "ok");

  await world.clock.advance(3_600_000 + 60_000);

  assert.equal(await world.verdict(token), "expired");
});

test("R9 a token that was taken is refused once its key is withdrawn", async () => {
  const world = tokenWorld();
  const token = world.token();
  assert.equal(await world.verdict(token), "ok");
  world.issuer.publish(makeKey("ES256", { kid: "two", use: "sig" }).jwk);

  await world.clock.advance(300_000);

  assert.equal(await world.verdict(token), "unknown-key");
});

/** A token of exactly so many characters: base64 of the claims alone cannot have every length. */
function tokenOfLength(chars: number): string {
  for (const cty of ["", "x", "xx"]) {
    const header = { ...HEADER, cty };
    const made = (filling: number): string =>
      signToken({ header, claims: { ...claimsAt(NOW_MS), jti: "x".repeat(filling) } }, SIGNER);
    for (let filling = Math.floor(((chars - made(0).length) * 3) / 4) - 2; ; filling += 1) {
      const token = made(filling);
      if (token.length === chars) return token;
      if (token.length > chars) break;
    }
  }
  return assert.fail("no token of this length");
}

test("R9 a token above 4,096 characters is verified each time, and one of that length is not", async (t) => {
  const { signature, expected, verifications } = counted(t);
  const fits = tokenOfLength(REMEMBERED_TOKEN_LIMIT_CHARS);
  const larger = tokenOfLength(REMEMBERED_TOKEN_LIMIT_CHARS + 1);
  for (const token of [fits, fits, larger, larger]) {
    assert.equal(await signature.isGenuine(token, expected), true);
  }

  assert.equal(verifications(), 3);
  assert.deepEqual([fits.length, larger.length], [4_096, 4_097]);
});

test("D17 what is remembered of tokens stands in nothing that prints", async (t) => {
  const { signature, expected } = counted(t);
  const token = tokenOf("1");
  await signature.isGenuine(token, expected);

  const printed = inspect(signature, { showHidden: true, depth: 10 }) + JSON.stringify(signature);
  assert.ok(!printed.includes(token.split(".")[2] ?? ""));
});
