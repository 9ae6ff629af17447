import type { Secret } from "../secret.ts";

/** Whose credential it is: both parts together, so that neither a renamed server nor a moved URL finds it (U9). */
export interface CredentialKey {
  readonly serverId: string;
  readonly securityIdentity: string;
  /** Canonical URL of the server: spellings of one URL share one key. */
  readonly resource: string;
}

export type ClientAuthentication = "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";

export const SIGNING_ALGORITHMS = ["ES256", "ES384", "ES512", "RS256", "PS256", "Ed25519"] as const;
/** RFC 7518 section 3.1, RFC 9864; RSA keys must have 2,048 bits or more. */
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** The OAuth client that a credential was issued to (U6). */
export interface OauthClient {
  readonly clientId: string;
  readonly origin: "pre-registered" | "metadata-document" | "dynamic";
  readonly authentication: ClientAuthentication;
  readonly clientSecret?: Secret;
  /** PKCS#8 PEM, for `private_key_jwt`. */
  readonly privateKey?: Secret;
  /** How the key signs; absent: ES256, ES384 or ES512 by its curve, Ed25519, or RS256. */
  readonly signingAlgorithm?: SigningAlgorithm;
  /** Of a dynamic registration: never used with another. */
  readonly redirectUris: readonly string[];
  /** When a dynamically registered secret ends; absent: never said. */
  readonly secretExpiresAtMs?: number;
}

/** What the token endpoint gave (U8b). */
export interface Tokens {
  readonly accessToken: Secret;
  readonly refreshToken?: Secret;
  /** Absent: unknown, never "for ever". */
  readonly expiresAtMs?: number;
  readonly obtainedAtMs: number;
  /** What was granted; what was asked for where the answer named none. */
  readonly scopes: readonly string[];
}

/** One record of the store. Replaced as a whole; `generation` changes with every write. */
export interface Credential {
  readonly key: CredentialKey;
  readonly issuer: string;
  /** The `resource` indicator sent (RFC 8707); absent: the host opted out for this server. */
  readonly resourceIndicator?: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly client: OauthClient;
  readonly grant: "authorization_code" | "client_credentials";
  readonly tokens?: Tokens;
  /** 128 random bits in hex, made anew for every write: what a compare-and-swap compares. */
  readonly generation: string;
}

/** U12. Never derived from a token. */
export type AuthState = "signed-in" | "expired-refreshable" | "sign-in-required" | "signed-out";
