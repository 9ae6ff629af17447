/** RFC 6750 section 3.1. `invalid_request` is not used: a token that cannot be read is an invalid one. */
export type BearerError = "invalid_token" | "insufficient_scope";

/**
 * Writes a `WWW-Authenticate` value (R5): where the metadata is (RFC 9728 section 5.1), the scopes that are needed,
 * and an error code where a token was refused. Nothing of a request, and no description: it would say why.
 */
export function writeChallenge({
  metadataUrl,
  scopes,
  error,
}: {
  /** A URL as the parser writes it, which holds no quote. */
  readonly metadataUrl: string;
  /** Scope tokens, which hold neither quote nor backslash. */
  readonly scopes: readonly string[];
  /** Left out where no token was presented (RFC 6750 section 3.1: then no error is named). */
  readonly error?: BearerError;
}): string {
  const parts = [`resource_metadata="${metadataUrl}"`, `scope="${scopes.join(" ")}"`];
  return `Bearer ${(error === undefined ? parts : [`error="${error}"`, ...parts]).join(", ")}`;
}
