/**
 * HTTP statuses with which servers of the older era answer a request that they do not know, or that came
 * before `initialize`. Anything else (authorization, throttling, an outage) says nothing about the era.
 */
const OLDER_ERA_STATUSES = new Set([400, 404, 405, 406, 415, 422]);

/**
 * Whether a failed `server/discover` is evidence that the server speaks the older era. Only then may `auto`
 * go on with `initialize`; a refusal for security reasons never leads to the other era (C7b).
 */
export function isOlderEraEvidence(refusal: {
  readonly kind: string;
  readonly reason: string;
  readonly code?: number;
}): boolean {
  return (
    refusal.kind === "session" &&
    refusal.reason === "http-status" &&
    refusal.code !== undefined &&
    OLDER_ERA_STATUSES.has(refusal.code)
  );
}
