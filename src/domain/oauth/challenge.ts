/** The `Bearer` challenge of a 401 or 403 (RFC 6750 section 3, RFC 9728 section 5.1), as far as it is well-formed. */
export interface BearerChallenge {
  readonly resourceMetadata: string | undefined;
  readonly scopes: readonly string[];
  readonly error: "invalid_request" | "invalid_token" | "insufficient_scope" | undefined;
}
