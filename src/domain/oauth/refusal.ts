/**
 * Why a sign-in, a refresh or the authorization of a request did not come about (U1–U13). Closed. Nothing in
 * it is a token, a code, a URL beyond an origin, or a word of a server's.
 */
export const AUTH_REASONS = [
  /** No credential, and none can be had without a person: sign in (exit code 3). */
  "sign-in-required",
  /** The server wants scopes that the credential lacks: sign in again with them (U8). */
  "step-up-required",
  /** More step-ups than allowed. */
  "step-up-limit",
  /** The helper or the credential was refused by the server, twice. */
  "rejected",

  /** Discovery (U5). */
  "resource-metadata-missing",
  "resource-metadata-invalid",
  "resource-mismatch",
  "resource-metadata-origin",
  "authorization-server-missing",
  "server-metadata-missing",
  "server-metadata-invalid",
  "issuer-mismatch",
  "issuer-not-pinned",
  "endpoint-insecure",
  "pkce-unsupported",

  /** Client identity (U6). */
  "registration-unavailable",
  "registration-failed",
  "registration-redirect-mismatch",
  "invalid-client",

  /** The redirect (U7). */
  "redirect-mismatch",
  "state-mismatch",
  "issuer-missing",
  "authorization-denied",
  "authorization-failed",
  "code-missing",
  "sign-in-timeout",
  "sign-in-cancelled",
  "callback-port-taken",
  "pending-missing",
  "pending-expired",
  "pending-used",

  /** The token endpoint (U8b, U10). */
  "token-response-invalid",
  "token-refused",
  "grant-refused",
  "refresh-impossible",

  /** A headers helper (U4). */
  "helper-not-allowed",
  "helper-untrusted",
  "helper-failed",
  "helper-timeout",
  "helper-output-too-large",
  "helper-output-invalid",
  "helper-header-refused",

  /** The machine. */
  "lock-timeout",
  "store-failed",
  "store-unavailable",
  /** What the person settled about sign-ins is there, and not believed. */
  "settings-invalid",
  "unreachable",
] as const;

export type AuthReason = (typeof AUTH_REASONS)[number];

export interface AuthRefusal {
  readonly kind: "auth";
  readonly reason: AuthReason;
  readonly serverId: string;
  /** Names of fields or metadata members out of our own schema, never values. */
  readonly field?: string;
  /** Scopes wanted, as RFC 6749 scope tokens, bounded in number and length. */
  readonly scopes?: readonly string[];
  /** HTTP status, where one is the reason. */
  readonly status?: number;
}

/** A refusal before it is known whose it is: what the checks of documents and answers say. */
export type AuthFault = Omit<AuthRefusal, "kind" | "serverId">;
