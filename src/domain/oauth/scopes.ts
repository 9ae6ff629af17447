/** As many as a definition may name (D6); a person cannot judge more either. */
export const SCOPES_LIMIT = 64;
export const SCOPE_LENGTH_LIMIT = 256;

/** RFC 6749 section 3.3: `scope-token = 1*( %x21 / %x23-5B / %x5D-7E )`. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** The scope that asks OpenID providers for a refresh token. */
const OFFLINE_ACCESS = "offline_access";

export function isScope(text: string): boolean {
  return text.length <= SCOPE_LENGTH_LIMIT && SCOPE_TOKEN.test(text);
}

/** Parses `scope` as RFC 6749 writes it. `undefined`: no list of 0 to 64 scope tokens. Repeats are dropped. */
export function parseScopeText(text: string): readonly string[] | undefined {
  if (text.length > SCOPES_LIMIT * (SCOPE_LENGTH_LIMIT + 1)) return undefined;
  const scopes = new Set(text.split(" ").filter((part) => part !== ""));
  if (scopes.size > SCOPES_LIMIT || ![...scopes].every((scope) => isScope(scope))) return undefined;
  return [...scopes];
}

/** All of them once, first ones first, at most 64 (U8). */
export function unionScopes(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].slice(0, SCOPES_LIMIT);
}

export interface ScopeSources {
  /** Of the server's challenge. */
  readonly challenge: readonly string[];
  readonly configured: readonly string[] | undefined;
  /** `scopes_supported` of the resource's metadata. */
  readonly supported: readonly string[] | undefined;
  /** `scopes_supported` of the authorization server's metadata. */
  readonly serverScopes: readonly string[] | undefined;
  /** What was granted or asked for before, and what a step-up adds: both are in the union. */
  readonly before: readonly string[];
  readonly stepUp: readonly string[];
}

/**
 * Selects the scopes to ask for (U8): those of the challenge, else the configured ones, else
 * `scopes_supported`, else none; for a step-up the union with what there was before (SEP-2350).
 * `offline_access` is added only where the authorization server lists it, scopes are asked for at all, and
 * nobody configured the list.
 */
export function selectScopes(sources: ScopeSources): readonly string[] {
  if (sources.stepUp.length > 0) return unionScopes(sources.before, sources.stepUp);
  if (sources.challenge.length === 0 && sources.configured !== undefined) {
    return unionScopes(sources.configured);
  }
  const asked = sources.challenge.length > 0 ? sources.challenge : (sources.supported ?? []);
  const offline = asked.length > 0 && sources.serverScopes?.includes(OFFLINE_ACCESS) === true;
  return unionScopes(asked, offline ? [OFFLINE_ACCESS] : []);
}

/** Whether the person has to be asked anew: OpenID gives `offline_access` only then. */
export function asksOffline(scopes: readonly string[]): boolean {
  return scopes.includes(OFFLINE_ACCESS);
}
