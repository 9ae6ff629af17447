import { isJsonObject, own, type JsonObject } from "../json-value.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import { parseUniqueJson } from "./access-token-json.ts";
import type { TokenRefusal } from "./token-refusal.ts";

/** R9: larger than any issuer's token, and below what headers may have together. */
export const ACCESS_TOKEN_LIMIT_CHARS = 16_384;
const KEY_ID_LIMIT_CHARS = 1_024;

/**
 * What may sign a token (RFC 7518 section 3.1, RFC 8037, RFC 9864). Nothing symmetric: with such an algorithm the
 * issuer's public key would be the secret (RFC 8725 section 2.1).
 */
export const TOKEN_ALGORITHMS = [
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
] as const;

export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];

/** A token taken apart. Nothing of it is believed yet. */
export interface DecodedToken {
  readonly algorithm: TokenAlgorithm;
  readonly keyId: string | undefined;
  readonly claims: JsonObject;
}

/** One for all tokens. A byte order mark stays in the text, where JSON refuses it. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/;
/** RFC 9068 section 2.1; media types have no case (RFC 7515 section 4.1.9). */
const TYPES: ReadonlySet<string> = new Set(["at+jwt", "application/at+jwt"]);

/**
 * Takes a JWT access token apart (RFC 9068). Refuses with `malformed` (also a header with `crit` or `b64`: it wants
 * something that is not done here), `type` or `algorithm`. `jku`, `jwk`, `x5u` and `x5c` are passed over: keys come
 * from the issuer alone.
 */
export function decodeAccessToken(
  token: string,
  { algorithms }: { readonly algorithms: readonly TokenAlgorithm[] },
): Outcome<DecodedToken, TokenRefusal> {
  const parts = token.length > ACCESS_TOKEN_LIMIT_CHARS ? null : COMPACT.exec(token);
  const header = parseObject(parts?.[1]);
  const claims = parseObject(parts?.[2]);
  if (header === undefined || claims === undefined) return no("malformed");
  if (Object.hasOwn(header, "crit") || Object.hasOwn(header, "b64")) return no("malformed");
  const type = own(header, "typ");
  if (typeof type !== "string" || !TYPES.has(type.toLowerCase())) return no("type");
  const algorithm = algorithms.find((allowed) => allowed === own(header, "alg"));
  if (algorithm === undefined) return no("algorithm");
  const keyId = own(header, "kid");
  if (keyId !== undefined && (typeof keyId !== "string" || keyId.length > KEY_ID_LIMIT_CHARS)) {
    return no("malformed");
  }
  return accept({ algorithm, keyId, claims });
}

function parseObject(part: string | undefined): JsonObject | undefined {
  const text = part === undefined ? undefined : decodeBase64Url(part);
  const value = text === undefined ? undefined : parseUniqueJson(text);
  return isJsonObject(value) ? value : undefined;
}

function decodeBase64Url(part: string): string | undefined {
  try {
    const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(binary.length);
    // Not `Uint8Array.from`: going over a text by its characters takes eight times as long.
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function no(reason: TokenRefusal["reason"]): { readonly ok: false; readonly refusal: TokenRefusal } {
  return refuse({ kind: "token", reason });
}
