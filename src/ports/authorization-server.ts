import type { OauthClient } from "../domain/oauth/credential.ts";
import type { RegistrationAnswer, RegistrationRequest } from "../domain/oauth/registration-answer.ts";
import type { OauthError, TokenAnswer } from "../domain/oauth/token-response.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Secret } from "../domain/secret.ts";

/**
 * - `absent`: nothing is there (a 4xx, or no JSON): look in the next place.
 * - `invalid`: what is there cannot be used: a redirect, more than the limit, a member of the wrong type.
 * - `insecure`: the egress policy does not let this URL be contacted.
 * - `refused`: the server's own no, with its error word out of a closed set.
 * - `unreachable`: network, time, or a 5xx.
 */
export interface AuthorizationServerFailure {
  readonly kind: "authorization-server";
  readonly reason: "absent" | "invalid" | "insecure" | "refused" | "unreachable";
  readonly status?: number;
  readonly error?: OauthError;
  /** A member out of our own schema. */
  readonly field?: string;
}

export interface GrantContext {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly client: OauthClient;
  /** RFC 8707; absent: not sent. */
  readonly resource: string | undefined;
}

export interface CodeGrant extends GrantContext {
  readonly code: Secret;
  readonly verifier: Secret;
  readonly redirectUri: string;
}

export interface RefreshGrant extends GrantContext {
  readonly refreshToken: Secret;
}

export interface ClientCredentialsGrant extends GrantContext {
  readonly scopes: readonly string[];
}

export interface RevocationRequest {
  readonly issuer: string;
  readonly revocationEndpoint: string;
  readonly client: OauthClient;
  readonly token: Secret;
  readonly hint: "refresh_token" | "access_token";
}

type Answer<Value> = Promise<Outcome<Value, AuthorizationServerFailure>>;
interface Options {
  readonly signal: AbortSignal;
}

/**
 * For talking to the authorization server of an MCP server, and for asking that server how it is protected.
 * One exchange each, no redirect, bounded answers. Rejects only with `signal.reason`.
 */
export interface AuthorizationServer {
  /** Asks the MCP server itself, without credentials; answers `WWW-Authenticate` of a 401, else nothing. */
  fetchChallenge(url: string, options: Options): Answer<readonly string[]>;
  /** Reads a metadata document as JSON. Whether it may be believed is the caller's to check. */
  fetchDocument(url: string, options: Options): Answer<unknown>;
  register(request: RegistrationRequest, options: Options): Answer<RegistrationAnswer>;
  exchangeCode(grant: CodeGrant, options: Options): Answer<TokenAnswer>;
  refresh(grant: RefreshGrant, options: Options): Answer<TokenAnswer>;
  requestClientCredentials(grant: ClientCredentialsGrant, options: Options): Answer<TokenAnswer>;
  revoke(request: RevocationRequest, options: Options): Answer<true>;
}
