/** The revisions whose required client scenarios have to pass. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

const IN_BOTH = [
  "tools_call",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/basic-cimd",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-step-up",
  "auth/scope-retry-limit",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/pre-registration",
] as const;

/**
 * What each revision requires of a client, name by name. Written out, so that a scenario which the suite drops
 * or renames is a failure here and not one less.
 */
export const REQUIRED: Readonly<Record<Revision, readonly string[]>> = {
  "2025-11-25": ["initialize", "elicitation-sep1034-client-defaults", "sse-retry", ...IN_BOTH],
  "2026-07-28": [
    "request-metadata",
    ...IN_BOTH,
    "auth/resource-mismatch",
    "auth/offline-access-scope",
    "auth/offline-access-not-supported",
    "auth/authorization-server-migration",
    "auth/iss-supported",
    "auth/iss-not-advertised",
    "auth/iss-supported-missing",
    "auth/iss-wrong-issuer",
    "auth/iss-unexpected",
    "auth/iss-normalized",
    "auth/metadata-issuer-mismatch",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
  ],
};

/** Not scored by any revision; ours all the same. */
export const EXTENSIONS = ["auth/client-credentials-basic", "auth/client-credentials-jwt"] as const;

/** Of the skills extension, which 2026-07-28 has and no revision scores. */
export const SKILLS = [
  "sep-2640-client-no-prefetch",
  "sep-2640-client-verify-digest",
  "sep-2640-client-verify-size",
  "sep-2640-client-verify-frontmatter",
] as const;

/** Required, and not done yet. One that passes all the same has to leave this list. */
export const LATER: Readonly<Record<string, string>> = {};

/** Guessing where a server's authorization might be, as the revision of 2025-03-26 did: refused (U5). */
export const GUESSES = [
  "auth/2025-03-26-oauth-metadata-backcompat",
  "auth/2025-03-26-oauth-endpoint-fallback",
] as const;

/** All that may be asked before a guess would begin. */
export const BEFORE_A_GUESS: ReadonlySet<string> = new Set([
  "POST /mcp",
  "GET /.well-known/oauth-protected-resource/mcp",
  "GET /.well-known/oauth-protected-resource",
]);

/** How our client has to end, where the right end is a refusal. Everywhere else it ends with `done`. */
export const ENDINGS: Readonly<Record<string, string>> = {
  "sep-2640-client-verify-digest": "skill/digest-mismatch",
  "sep-2640-client-verify-size": "skill/size-mismatch",
  "sep-2640-client-verify-frontmatter": "skill/frontmatter-mismatch",
  "auth/scope-retry-limit": "auth/step-up-limit",
  "auth/resource-mismatch": "auth/resource-mismatch",
  "auth/iss-supported-missing": "auth/issuer-missing",
  "auth/iss-wrong-issuer": "auth/issuer-mismatch",
  "auth/iss-unexpected": "auth/issuer-mismatch",
  "auth/iss-normalized": "auth/issuer-mismatch",
  "auth/metadata-issuer-mismatch": "auth/issuer-mismatch",
  "auth/2025-03-26-oauth-metadata-backcompat": "auth/resource-metadata-missing",
  "auth/2025-03-26-oauth-endpoint-fallback": "auth/resource-metadata-missing",
};

export function endingOf(scenario: string): string {
  return ENDINGS[scenario] ?? "done";
}
