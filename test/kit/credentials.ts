import assert from "node:assert/strict";

import { credentialDocument } from "../../src/domain/oauth/credential-document.ts";
import type { Credential, CredentialKey } from "../../src/domain/oauth/credential.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { Secret } from "../../src/domain/secret.ts";
import { sha256Hex } from "../../src/domain/sha256.ts";

/** In every secret of {@link makeCredential}: where it turns up, a secret does. */
export const CANARY = "canary-5ecre7";

export function makeKey(facts: Partial<CredentialKey> = {}): CredentialKey {
  const { serverId = "helper", resource = "https://mcp.example/mcp" } = facts;
  return { serverId, securityIdentity: sha256Hex(`identity of ${serverId}`), resource, ...facts };
}

export function generationOf(word: string): string {
  return sha256Hex(word).slice(0, 32);
}

/** Every member is there. What is not said is plausible and fixed. */
export function makeCredential(facts: Partial<Credential> = {}): Credential {
  return {
    key: makeKey(),
    issuer: "https://as.example",
    resourceIndicator: "https://mcp.example/mcp",
    tokenEndpoint: "https://as.example/token",
    revocationEndpoint: "https://as.example/revoke",
    client: {
      clientId: "client-1",
      origin: "dynamic",
      authentication: "client_secret_basic",
      clientSecret: new Secret(`${CANARY}-client-secret`),
      privateKey: new Secret(`${CANARY}-private-key`),
      signingAlgorithm: "ES256",
      redirectUris: ["http://127.0.0.1:49152/callback"],
      secretExpiresAtMs: 1_900_000_000_000,
    },
    grant: "authorization_code",
    tokens: {
      accessToken: new Secret(`${CANARY}-access-token-ü-\u{1f511}`),
      refreshToken: new Secret(`${CANARY}-refresh-token`),
      expiresAtMs: 1_800_000_003_600,
      obtainedAtMs: 1_800_000_000_000,
      scopes: ["read", "write"],
    },
    generation: generationOf("first"),
    ...facts,
  };
}

/** A credential whose access token has so many characters. */
export function credentialOfSize(tokenChars: number, generation = "sized"): Credential {
  return makeCredential({
    tokens: { accessToken: new Secret("x".repeat(tokenChars)), obtainedAtMs: 1, scopes: [] },
    generation: generationOf(generation),
  });
}

/** Two secrets compare as equal whatever they hold: tests compare what is in them. */
export function readable(credential: Credential | undefined): unknown {
  return credential && credentialDocument(credential, (secret) => secret.reveal());
}

export function assertHolds(
  outcome: Outcome<Credential | undefined, unknown>,
  expected: Credential | undefined,
): void {
  assert.ok(outcome.ok, JSON.stringify(outcome));
  assert.deepEqual(readable(outcome.value), readable(expected));
}
