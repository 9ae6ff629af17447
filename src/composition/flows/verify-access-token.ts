import { decodeAccessToken, type TokenAlgorithm } from "../../domain/gate/access-token.ts";
import { checkBearer, checkClaims, type AllowedBearers } from "../../domain/gate/access-token-claims.ts";
import { selectKey } from "../../domain/gate/key-set.ts";
import type { TokenRefusal } from "../../domain/gate/token-refusal.ts";
import { refuse, type Outcome } from "../../domain/outcome.ts";
import type { VerifiedToken } from "../../ports/access-token-verifier.ts";
import type { Clock } from "../../ports/clock.ts";
import type { TokenSignature } from "../../ports/token-signature.ts";
import type { IssuerKeys } from "./issuer-keys.ts";

export interface TokenExpectations {
  readonly issuer: string;
  readonly resource: string;
  readonly algorithms: readonly TokenAlgorithm[];
  readonly allowed: AllowedBearers;
  readonly keys: IssuerKeys;
  readonly signature: TokenSignature;
  readonly clock: Clock;
}

/**
 * Verifies one token (R9). What it says comes first, as a token for somebody else must not make us ask the issuer
 * for keys; who it belongs to comes last, since only a genuine token may learn which scope it lacks.
 */
export async function verifyAccessToken(
  token: string,
  expected: TokenExpectations & { readonly signal: AbortSignal },
): Promise<Outcome<VerifiedToken, TokenRefusal>> {
  const { issuer, resource, clock, signal } = expected;
  signal.throwIfAborted();
  const decoded = decodeAccessToken(token, expected);
  if (!decoded.ok) return decoded;
  const claims = checkClaims(decoded.value.claims, { issuer, resource, nowMs: clock.nowMs() });
  if (!claims.ok) return claims;
  const key = await expected.keys.find((keys) => selectKey(keys, decoded.value), { signal });
  if (key === "unavailable") return refuse({ kind: "token", reason: "keys-unavailable" });
  if (key === undefined) return refuse({ kind: "token", reason: "unknown-key" });
  const { algorithm } = decoded.value;
  const nowMs = clock.nowMs();
  const genuine = await expected.signature.isGenuine(token, { algorithm, key, issuer, resource, nowMs });
  signal.throwIfAborted();
  return genuine
    ? checkBearer(claims.value, expected.allowed)
    : refuse({ kind: "token", reason: "signature" });
}
