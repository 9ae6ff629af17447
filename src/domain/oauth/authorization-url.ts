import { asksOffline } from "./scopes.ts";

export interface AuthorizationRequest {
  readonly endpoint: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  /** PKCE, S256. */
  readonly challenge: string;
  readonly resourceIndicator?: string;
  readonly scopes: readonly string[];
}

/** Makes the URL of the page where a person signs in (RFC 6749 section 4.1.1, RFC 7636, RFC 8707). */
export function authorizationUrl(request: AuthorizationRequest): string {
  const url = new URL(request.endpoint);
  const { searchParams } = url;
  searchParams.set("response_type", "code");
  searchParams.set("client_id", request.clientId);
  searchParams.set("redirect_uri", request.redirectUri);
  searchParams.set("state", request.state);
  searchParams.set("code_challenge", request.challenge);
  searchParams.set("code_challenge_method", "S256");
  if (request.resourceIndicator !== undefined) searchParams.set("resource", request.resourceIndicator);
  if (request.scopes.length > 0) searchParams.set("scope", request.scopes.join(" "));
  // OpenID Connect Core section 11: without it `offline_access` is ignored.
  if (asksOffline(request.scopes)) searchParams.set("prompt", "consent");
  return url.href;
}
