import * as v from "valibot";

import { accept, refuse, type Outcome } from "../outcome.ts";
import { Secret } from "../secret.ts";
import type { Tokens } from "./credential.ts";
import type { AuthFault } from "./refusal.ts";
import { parseScopeText } from "./scopes.ts";

/** Tokens with many claims reach some kilobytes; no server accepts a header line beyond this. */
const TOKEN_LIMIT_CHARS = 16_384;
/** Ten years: what a server says beyond it means "long", and stays a time that can be computed with. */
const LIFETIME_CAP_S = 315_360_000;

/** A token endpoint's answer, read strictly (U8b). */
export interface TokenAnswer {
  readonly accessToken: Secret;
  readonly refreshToken?: Secret;
  /** 0: expired now. Absent: unknown. */
  readonly expiresInS?: number;
  /** Absent: as asked for (RFC 6749 section 5.1). */
  readonly scopes?: readonly string[];
}

/** Fits into a header: no white space, no control character. */
const token = v.pipe(v.string(), v.maxLength(TOKEN_LIMIT_CHARS), v.regex(/^[\x21-\x7e]+$/));
const answer = v.object({
  access_token: token,
  token_type: v.pipe(
    v.string(),
    v.check((type) => type.toLowerCase() === "bearer"),
  ),
  expires_in: v.optional(v.pipe(v.number(), v.finite(), v.integer(), v.minValue(0))),
  refresh_token: v.optional(token),
  scope: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => parseScopeText(text) !== undefined),
    ),
  ),
});

/** Decodes what a token endpoint answered. The refusal names the first wrong field, never what stood in it. */
export function decodeTokenAnswer(value: unknown): Outcome<TokenAnswer, AuthFault> {
  const read = v.safeParse(answer, value);
  if (!read.success) {
    const key = read.issues[0].path?.[0].key;
    const known = typeof key === "string" && key in answer.entries;
    return refuse({ reason: "token-response-invalid", ...(known && { field: key }) });
  }
  const { access_token: access, refresh_token: refresh, expires_in: expires, scope } = read.output;
  const scopes = scope === undefined ? undefined : parseScopeText(scope);
  return accept({
    accessToken: new Secret(access),
    ...(refresh !== undefined && { refreshToken: new Secret(refresh) }),
    ...(expires !== undefined && { expiresInS: Math.min(expires, LIFETIME_CAP_S) }),
    ...(scopes !== undefined && scopes.length > 0 && { scopes }),
  });
}

/** What is kept of an answer: a missing refresh token keeps the old one (RFC 6749 section 6). */
export function tokensOf(
  given: TokenAnswer,
  {
    nowMs,
    askedScopes,
    previous,
  }: {
    readonly nowMs: number;
    readonly askedScopes: readonly string[];
    readonly previous?: Tokens | undefined;
  },
): Tokens {
  const refreshToken = given.refreshToken ?? previous?.refreshToken;
  return {
    accessToken: given.accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(given.expiresInS !== undefined && { expiresAtMs: nowMs + given.expiresInS * 1_000 }),
    obtainedAtMs: nowMs,
    scopes: given.scopes ?? askedScopes,
  };
}

/** Errors of RFC 6749 section 5.2, RFC 8707 and RFC 7009; `other` is every other word. Closed. */
export const OAUTH_ERRORS = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_target",
  "other",
] as const;

export type OauthError = (typeof OAUTH_ERRORS)[number];

/** Reads the error word of an error answer, and drops the rest of it. */
export function readOauthError(value: unknown): OauthError {
  const read = v.safeParse(v.object({ error: v.picklist(OAUTH_ERRORS) }), value);
  return read.success ? read.output.error : "other";
}
