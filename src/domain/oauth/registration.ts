import { accept, refuse, type Outcome } from "../outcome.ts";
import type { Secret } from "../secret.ts";
import { chooseAuthentication, chooseRegisteredAuthentication } from "./client-authentication.ts";
import type { Credential, OauthClient } from "./credential.ts";
import type { AuthFault } from "./refusal.ts";
import type { ServerMetadata } from "./server-metadata.ts";
import type { RegistrationRequest } from "./registration-answer.ts";

const CLIENT_NAME = "Sallyport";

/** A client that somebody registered by hand. */
export interface ConfiguredClient {
  readonly clientId: string;
  readonly clientSecret?: Secret;
  readonly privateKey?: Secret;
  readonly signingAlgorithm?: OauthClient["signingAlgorithm"];
}

export interface ClientChoice {
  readonly metadata: ServerMetadata;
  readonly configured: ConfiguredClient | undefined;
  readonly clientMetadataUrl: string | undefined;
  /** What the store holds for this server: its client is good for its own issuer alone. */
  readonly stored: Credential | undefined;
  readonly redirectUri: string;
  readonly nowMs: number;
}

export type ClientPlan =
  | { readonly how: "use"; readonly client: OauthClient; readonly reused: boolean }
  | { readonly how: "register"; readonly request: RegistrationRequest };

/**
 * Chooses the client of a sign-in (U6): pre-registered, else a metadata document, else a dynamic registration,
 * a kept one first; else `registration-unavailable`.
 */
export function planClient(choice: ClientChoice): Outcome<ClientPlan, AuthFault> {
  const { metadata, configured, clientMetadataUrl } = choice;
  if (configured !== undefined) return useConfigured(configured, choice);
  if (metadata.acceptsMetadataDocument && clientMetadataUrl !== undefined) {
    if (!isClientMetadataUrl(clientMetadataUrl)) {
      return refuse({ reason: "registration-unavailable", field: "clientMetadataUrl" });
    }
    return accept({
      how: "use",
      reused: false,
      client: {
        clientId: clientMetadataUrl,
        origin: "metadata-document",
        authentication: "none",
        redirectUris: [choice.redirectUri],
      },
    });
  }
  const kept = keptRegistration(choice);
  if (kept !== undefined) return accept({ how: "use", client: kept, reused: true });
  return planRegistration(choice);
}

function useConfigured(configured: ConfiguredClient, choice: ClientChoice): Outcome<ClientPlan, AuthFault> {
  const known = storedClient(choice);
  const same = known?.origin === "pre-registered" && known.clientId === configured.clientId;
  const clientSecret = configured.clientSecret ?? (same ? known.clientSecret : undefined);
  const privateKey = configured.privateKey ?? (same ? known.privateKey : undefined);
  const authentication = chooseAuthentication(choice.metadata.authenticationMethods, {
    secret: clientSecret !== undefined,
    privateKey: privateKey !== undefined,
  });
  if (authentication === undefined) {
    return refuse({ reason: "registration-unavailable", field: "token_endpoint_auth_methods_supported" });
  }
  const signingAlgorithm = configured.signingAlgorithm ?? (same ? known.signingAlgorithm : undefined);
  const client: OauthClient = {
    clientId: configured.clientId,
    origin: "pre-registered",
    authentication,
    ...(authentication !== "none" && clientSecret !== undefined && { clientSecret }),
    ...(authentication === "private_key_jwt" && privateKey !== undefined && { privateKey }),
    ...(signingAlgorithm !== undefined && { signingAlgorithm }),
    redirectUris: [choice.redirectUri],
  };
  return accept({ how: "use", client, reused: false });
}

/** The client that was stored for this very issuer: no other server ever hears of it. */
function storedClient({ stored, metadata }: ClientChoice): OauthClient | undefined {
  return stored?.issuer === metadata.issuer ? stored.client : undefined;
}

function keptRegistration(choice: ClientChoice): OauthClient | undefined {
  const known = storedClient(choice);
  if (known?.origin !== "dynamic" || !known.redirectUris.includes(choice.redirectUri)) return undefined;
  const ended = known.secretExpiresAtMs !== undefined && choice.nowMs >= known.secretExpiresAtMs;
  return ended ? undefined : known;
}

function planRegistration({ metadata, redirectUri }: ClientChoice): Outcome<ClientPlan, AuthFault> {
  const { registrationEndpoint } = metadata;
  if (registrationEndpoint === undefined) return refuse({ reason: "registration-unavailable" });
  const authentication = chooseRegisteredAuthentication(metadata.authenticationMethods);
  if (authentication === undefined) {
    return refuse({ reason: "registration-unavailable", field: "token_endpoint_auth_methods_supported" });
  }
  return accept({
    how: "register",
    request: {
      registrationEndpoint,
      metadata: {
        client_name: CLIENT_NAME,
        application_type: "native",
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: authentication,
      },
    },
  });
}

/** A URL that may be a client id: https, with a path, nothing that two readers could read differently. */
export function isClientMetadataUrl(url: string): boolean {
  if (!/^https:\/\/[^/?#@\\\s]+\/[^?#\\\s]+$/.test(url) || !URL.canParse(url)) return false;
  // What the parser would rewrite (dot segments, host in capitals) is another client id for one of the two.
  return new URL(url).href === url;
}
