import type { TokenReason, TokenRefusal } from "./token-refusal.ts";

const SENTENCES: Readonly<Record<TokenReason, string>> = {
  malformed: "the access token is no signed JWT that can be read",
  type: "the token is not typed as an access token (`at+jwt`)",
  algorithm: "the access token is signed with an algorithm that is not allowed",
  "unknown-key": "the issuer publishes no key that the access token could be signed with",
  signature: "the signature of the access token is not the issuer's",
  issuer: "the access token is from another issuer",
  audience: "the access token is for another resource",
  expired: "the access token has expired",
  "not-yet-valid": "the access token is not valid yet",
  claims: "the access token lacks a claim that RFC 9068 wants, or has a broken one",
  principal: "the access token belongs to nobody who is allowed in",
  "insufficient-scope": "the access token lacks a scope that is needed here",
  "keys-unavailable": "the issuer's keys could not be read; try again later",
};

/** One sentence for a person. Nothing of the token is in it. */
export function describeTokenRefusal({ reason }: TokenRefusal): string {
  return SENTENCES[reason];
}
