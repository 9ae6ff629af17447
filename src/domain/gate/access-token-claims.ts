import { own, type JsonObject } from "../json-value.ts";
import { parseScopeText } from "../oauth/scopes.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import type { TokenReason, TokenRefusal } from "./token-refusal.ts";

/** R9: how far the issuer's clock and ours may be apart. */
export const TOKEN_SKEW_MS = 60_000;
/** Subjects, clients and token ids of real issuers have a tenth of it. */
const NAME_LIMIT_CHARS = 2_048;

export interface ExpectedClaims {
  readonly issuer: string;
  readonly resource: string;
  readonly nowMs: number;
}

/** The claims of RFC 9068 section 2.2, well-formed, of this issuer, for this resource, and in force. */
export interface TokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

/** Who may come in, and with what. One of the two lists at least has a name in it. */
export interface AllowedBearers {
  readonly subjects: readonly string[];
  readonly clients: readonly string[];
  readonly scopes: readonly string[];
}

/**
 * Checks what a token says, whoever signed it. Refuses with `issuer`, `audience`, `claims` (one of RFC 9068's is
 * missing or no such thing, `iat` after `exp`, a token that is bound to a key its bearer would have to prove),
 * `expired` or `not-yet-valid`.
 */
export function checkClaims(
  claims: JsonObject,
  { issuer, resource, nowMs }: ExpectedClaims,
): Outcome<TokenClaims, TokenRefusal> {
  if (own(claims, "iss") !== issuer) return no("issuer");
  if (!isAudience(own(claims, "aud"), resource)) return no("audience");
  const expiresAtMs = timeOf(claims, "exp");
  const issuedAtMs = timeOf(claims, "iat");
  const notBeforeMs = Object.hasOwn(claims, "nbf") ? timeOf(claims, "nbf") : issuedAtMs;
  if (expiresAtMs === undefined || issuedAtMs === undefined || notBeforeMs === undefined) return no("claims");
  if (nowMs >= expiresAtMs + TOKEN_SKEW_MS) return no("expired");
  if (Math.max(issuedAtMs, notBeforeMs) > nowMs + TOKEN_SKEW_MS) return no("not-yet-valid");
  const subject = nameOf(claims, "sub");
  const clientId = nameOf(claims, "client_id");
  const scope = Object.hasOwn(claims, "scope") ? own(claims, "scope") : "";
  const scopes = typeof scope === "string" ? parseScopeText(scope) : undefined;
  if (subject === undefined || clientId === undefined || scopes === undefined) return no("claims");
  if (nameOf(claims, "jti") === undefined || issuedAtMs > expiresAtMs) return no("claims");
  // RFC 7800: whoever holds such a token is not yet whom it was given to, and no proof is read here.
  if (Object.hasOwn(claims, "cnf")) return no("claims");
  return accept({ issuer, subject, clientId, scopes, expiresAtMs });
}

/** Decides on the bearer of a token that is genuine. Refuses with `principal` or `insufficient-scope`. */
export function checkBearer(
  claims: TokenClaims,
  allowed: AllowedBearers,
): Outcome<TokenClaims, TokenRefusal> {
  if (!allowed.subjects.includes(claims.subject) && !allowed.clients.includes(claims.clientId)) {
    return no("principal");
  }
  return allowed.scopes.every((scope) => claims.scopes.includes(scope))
    ? accept(claims)
    : no("insufficient-scope");
}

function isAudience(audience: unknown, resource: string): boolean {
  if (!Array.isArray(audience)) return audience === resource;
  const named: readonly unknown[] = audience;
  return named.every((one) => typeof one === "string") && named.includes(resource);
}

/** RFC 7519 section 2: NumericDate, seconds. */
function timeOf(claims: JsonObject, name: string): number | undefined {
  const value = own(claims, name);
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER / 1_000
    ? value * 1_000
    : undefined;
}

function nameOf(claims: JsonObject, name: string): string | undefined {
  const value = own(claims, name);
  return typeof value === "string" && value !== "" && value.length <= NAME_LIMIT_CHARS ? value : undefined;
}

function no(reason: TokenReason): { readonly ok: false; readonly refusal: TokenRefusal } {
  return refuse({ kind: "token", reason });
}
