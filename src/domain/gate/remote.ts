import { judgeAuthority } from "./authority.ts";
import { readBearer } from "./bearer.ts";
import { targetPath, type RequestHead } from "./request-head.ts";
import type { RemotePlace } from "./remote-place.ts";
import type { TokenReason, TokenRefusal } from "./token-refusal.ts";
import { turnAway, type TurnedAway } from "./turned-away.ts";

export type RemoteVerdict =
  | TurnedAway
  | { readonly kind: "metadata" }
  /** An `Authorization: Bearer` that no verifier has to look at. */
  | { readonly kind: "refused-token"; readonly refusal: TokenRefusal }
  /** Addressed to this place with a token that has the form of one. Not verified yet. */
  | { readonly kind: "verify"; readonly token: string };

/** What has become of a token that was refused: which answer, and whether it counts against its address (R6). */
export interface RefusedToken {
  readonly turnedAway: TurnedAway;
  readonly counts: boolean;
}

const WRONG_PATH = turnAway(404, "path");
const MALFORMED: RemoteVerdict = { kind: "refused-token", refusal: { kind: "token", reason: "malformed" } };
const METADATA: RemoteVerdict = { kind: "metadata" };
const NOT_READ = turnAway(405, "method", { headers: { allow: "GET, HEAD" } });
/** Clients of a key server that is down ask again soon enough. */
const OUTAGE_RETRY_S = "5";

/** The gate of a remote host up to the token, in its order (R5): Host and Origin, metadata, path, token. */
export function judgeRemoteHead(head: RequestHead, place: RemotePlace): RemoteVerdict {
  const addressed = judgeAuthority(head, place.authority);
  if (addressed !== undefined) return addressed;
  const path = targetPath(head);
  if (path === place.metadataPath)
    return head.method === "GET" || head.method === "HEAD" ? METADATA : NOT_READ;
  if (path !== place.path) return WRONG_PATH;
  const presented = readBearer(head);
  switch (presented.kind) {
    case "none":
      return turnAway(401, "no-token", { headers: { "www-authenticate": place.challenges.noToken } });
    case "malformed":
      return MALFORMED;
    case "bearer":
      return { kind: "verify", token: presented.token };
  }
}

/** As much of what a verifier found as is looked at again. */
export interface TokenClaims {
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

/** Clocks of an issuer and this machine may differ by as much (R9). */
export const TOKEN_SKEW_MS = 60_000;

/**
 * Holds a verified token against what this host needs, whatever its verifier was told: it may be somebody's own, and a
 * token that never ends, or has none of the scopes that are published, is how such a one goes wrong.
 */
export function judgeVerified(
  { scopes, expiresAtMs }: TokenClaims,
  { place, nowMs }: { readonly place: RemotePlace; readonly nowMs: number },
): TokenRefusal | undefined {
  if (!Number.isFinite(expiresAtMs)) return { kind: "token", reason: "claims" };
  if (expiresAtMs + TOKEN_SKEW_MS <= nowMs) return { kind: "token", reason: "expired" };
  const all = place.scopes.every((scope) => scopes.includes(scope));
  return all ? undefined : { kind: "token", reason: "insufficient-scope" };
}

/** The answer to a refused token. A valid token without a scope, and an outage of ours, are no failure of the caller. */
export function judgeTokenRefusal({ reason }: TokenRefusal, { challenges }: RemotePlace): RefusedToken {
  switch (reason) {
    case "insufficient-scope":
      return {
        turnedAway: turnAway(403, tokenReason(reason), {
          headers: { "www-authenticate": challenges.insufficientScope },
        }),
        counts: false,
      };
    case "keys-unavailable":
      return { turnedAway: outage(tokenReason(reason)), counts: false };
    case "malformed":
    case "type":
    case "algorithm":
    case "unknown-key":
    case "signature":
    case "issuer":
    case "audience":
    case "expired":
    case "not-yet-valid":
    case "claims":
    case "principal":
      break;
  }
  return {
    turnedAway: turnAway(401, tokenReason(reason), {
      headers: { "www-authenticate": challenges.invalidToken },
    }),
    counts: true,
  };
}

/** A verifier that broke is an outage of ours as well. It admits nobody. */
export const VERIFIER_FAILED: TurnedAway = outage("verifier-failed");

export function throttled(retryAfterS: number): TurnedAway {
  return turnAway(429, "throttled", { headers: { "retry-after": String(retryAfterS) } });
}

function outage(reason: TurnedAway["reason"]): TurnedAway {
  return turnAway(503, reason, { headers: { "retry-after": OUTAGE_RETRY_S } });
}

function tokenReason<Reason extends TokenReason>(reason: Reason): `token-${Reason}` {
  return `token-${reason}`;
}
