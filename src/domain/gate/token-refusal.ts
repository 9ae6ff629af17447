/** Why a bearer token was not taken (R9). Never token text. */
export const TOKEN_REASONS = [
  "malformed",
  "type",
  "algorithm",
  "unknown-key",
  "signature",
  "issuer",
  "audience",
  "expired",
  "not-yet-valid",
  "claims",
  /** Neither an allowed subject nor an allowed client. */
  "principal",
  /** Valid, but without a scope that is needed: 403, not 401. */
  "insufficient-scope",
  /** The issuer's keys could not be had: 503, and no failure of the caller. */
  "keys-unavailable",
] as const;

export type TokenReason = (typeof TOKEN_REASONS)[number];

export interface TokenRefusal {
  readonly kind: "token";
  readonly reason: TokenReason;
}
