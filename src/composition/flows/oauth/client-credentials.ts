import type { BearerChallenge } from "../../../domain/oauth/challenge.ts";
import type { AuthFault, AuthRefusal } from "../../../domain/oauth/refusal.ts";
import { planClient, type ConfiguredClient } from "../../../domain/oauth/registration.ts";
import { selectScopes } from "../../../domain/oauth/scopes.ts";
import { tokensOf } from "../../../domain/oauth/token-response.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import { failureFault, refuseAuth } from "./auth-refusals.ts";
import { askChallenge } from "./begin-sign-in.ts";
import { boundedExchange } from "./bounded-exchange.ts";
import type { SignedIn } from "./complete-sign-in.ts";
import { discoverAuthorization } from "./discover-authorization.ts";
import { credentialKeyOf, type OauthPorts, type OauthServer } from "./oauth-server.ts";
import { saveCredential } from "./save-credential.ts";
import { auditSignIn } from "./sign-in-audit.ts";

export interface ClientCredentialsOptions {
  readonly server: OauthServer;
  readonly ports: OauthPorts;
  /** With a secret, or a private key in PKCS#8 PEM (U13). Kept with the tokens, for the renewals. */
  readonly client: ConfiguredClient;
  readonly challenge?: BearerChallenge | undefined;
  /** In the place of every other list. */
  readonly scopes?: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Signs in without a person (RFC 6749 section 4.4, RFC 7523 section 2.2). Discovery is as strict as
 * with one, but for PKCE, which has no place here. Refuses with the reasons of discovery, of the token
 * endpoint, of store and lock, or `registration-unavailable`.
 */
export async function runMcpClientCredentials(
  options: ClientCredentialsOptions,
): Promise<Outcome<SignedIn, AuthRefusal>> {
  options.signal.throwIfAborted();
  const done = await signIn(options);
  const outcome = done.ok ? done : refuseAuth(options.server, done.refusal);
  await auditSignIn(options.server, outcome, options.ports);
  return outcome;
}

async function signIn(options: ClientCredentialsOptions): Promise<Outcome<SignedIn, AuthFault>> {
  const { server, ports, client: configured, signal } = options;
  const challenge = await askChallenge(options);
  if (!challenge.ok) return challenge;
  const challengeLink = challenge.value?.resourceMetadata;
  const grant = "client_credentials";
  const found = await discoverAuthorization(server, { challengeLink, ports, signal, grant });
  if (!found.ok) return found;
  const { metadata, resource, scopesSupported } = found.value;
  const plan = planClient({
    metadata,
    configured,
    clientMetadataUrl: undefined,
    stored: undefined,
    redirectUri: "",
    nowMs: ports.clock.nowMs(),
  });
  if (!plan.ok) return plan;
  if (plan.value.how !== "use" || plan.value.client.authentication === "none") {
    return refuse({ reason: "registration-unavailable", field: "client_secret" });
  }
  const client = { ...plan.value.client, redirectUris: [] };
  const scopes =
    options.scopes ??
    selectScopes({
      challenge: challenge.value?.scopes ?? [],
      configured: server.settings.scopes,
      supported: scopesSupported,
      // No refresh token comes of this grant.
      serverScopes: undefined,
      before: [],
      stepUp: [],
    });
  const { issuer, tokenEndpoint } = metadata;
  const indicator = server.omitResource === true ? undefined : resource;
  const answer = await boundedExchange(
    (inner) =>
      ports.authorizationServer.requestClientCredentials(
        { issuer, tokenEndpoint, client, resource: indicator, scopes },
        { signal: inner },
      ),
    { clock: ports.clock, signal },
  );
  if (!answer.ok) return refuse(failureFault(answer.refusal, "token"));
  const { refreshToken: _, ...given } = answer.value;
  const tokens = tokensOf(given, { nowMs: ports.clock.nowMs(), askedScopes: scopes });
  const key = credentialKeyOf(server);
  const saved = await saveCredential(
    {
      key,
      issuer,
      ...(indicator !== undefined && { resourceIndicator: indicator }),
      tokenEndpoint,
      ...(metadata.revocationEndpoint !== undefined && { revocationEndpoint: metadata.revocationEndpoint }),
      client,
      grant,
      tokens,
    },
    ports,
  );
  if (!saved.ok) return saved;
  return accept({
    serverId: server.serverId,
    issuer,
    client: client.origin,
    scopes: tokens.scopes,
    ...(tokens.expiresAtMs !== undefined && { expiresAtMs: tokens.expiresAtMs }),
    resourceOmitted: indicator === undefined,
  });
}
