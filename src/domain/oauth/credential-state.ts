import { toHex } from "./bytes-text.ts";
import type { AuthState, Credential, Tokens } from "./credential.ts";

/** U10: a token is renewed this long before it ends, but never before half of its life. */
const EARLY_EXPIRY_MS = 60_000;

/** `early`: near its end, and still good where it cannot be renewed. */
export type Freshness = "fresh" | "early" | "expired";

/** A token of unknown end is fresh until it is refused. At its very end it is expired. */
export function freshnessOf(tokens: Tokens, nowMs: number): Freshness {
  const { expiresAtMs, obtainedAtMs } = tokens;
  if (expiresAtMs === undefined) return "fresh";
  if (nowMs >= expiresAtMs) return "expired";
  const skewMs = Math.min(EARLY_EXPIRY_MS, Math.max(0, expiresAtMs - obtainedAtMs) / 2);
  return nowMs < expiresAtMs - skewMs ? "fresh" : "early";
}

/** Whether new tokens can be had without a person. */
export function isRefreshable(credential: Credential): boolean {
  return credential.grant === "client_credentials" || credential.tokens?.refreshToken !== undefined;
}

/** U12: one word, out of what the record says about its tokens; the tokens themselves are not looked into. */
export function authStateOf(credential: Credential | undefined, nowMs: number): AuthState {
  if (credential === undefined) return "signed-out";
  const { tokens } = credential;
  if (tokens === undefined) {
    return credential.grant === "client_credentials" ? "expired-refreshable" : "sign-in-required";
  }
  if (freshnessOf(tokens, nowMs) !== "expired") return "signed-in";
  return isRefreshable(credential) ? "expired-refreshable" : "sign-in-required";
}

/** The generation of a record that is about to be written, out of 16 random bytes. */
export function generationOf(random: Uint8Array): string {
  return toHex(random);
}
