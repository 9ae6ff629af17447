import { canonicalResource } from "../../../domain/oauth/canonical-url.ts";
import type { AuthFault } from "../../../domain/oauth/refusal.ts";
import {
  checkResourceMetadata,
  resourceMetadataLocations,
  type ResourceMetadata,
} from "../../../domain/oauth/resource-metadata.ts";
import {
  checkServerMetadata,
  isSameIssuer,
  serverMetadataLocations,
  type ServerMetadata,
} from "../../../domain/oauth/server-metadata.ts";
import { accept, refuse, type Outcome } from "../../../domain/outcome.ts";
import { failureFault } from "./auth-refusals.ts";
import { boundedExchange } from "./bounded-exchange.ts";
import type { OauthPorts, OauthServer } from "./oauth-server.ts";

export type DiscoveryPorts = Pick<OauthPorts, "authorizationServer" | "clock">;

export interface DiscoveryOptions {
  /** `resource_metadata` of the challenge, where there was one. */
  readonly challengeLink: string | undefined;
  readonly ports: DiscoveryPorts;
  readonly signal: AbortSignal;
}

/** Who may issue tokens for a server, checked (U5). */
export interface Discovery {
  /** Sent verbatim as `resource`. */
  readonly resource: string;
  readonly metadata: ServerMetadata;
  readonly scopesSupported: readonly string[] | undefined;
}

/** Discovers the authorization server of an MCP server. A missing link ends it; nothing is guessed (U5). */
export async function discoverAuthorization(
  server: OauthServer,
  options: DiscoveryOptions & { readonly grant: "authorization_code" | "client_credentials" },
): Promise<Outcome<Discovery, AuthFault>> {
  const found = await readResourceMetadata(server, options);
  const described = found.ok ? found : withoutWord(server, found.refusal);
  if (!described.ok) return described;
  const issuer = chooseIssuer(described.value.authorizationServers, server.expectedIssuer);
  if (issuer === undefined) return refuse({ reason: "issuer-not-pinned" });
  const metadata = await readServerMetadata(server, issuer, options);
  if (!metadata.ok) return metadata;
  const { resource, scopesSupported } = described.value;
  return accept({ resource, metadata: metadata.value, scopesSupported });
}

/** Reads the resource's metadata at the places of U5, in their order; the first one that is there counts. */
export async function readResourceMetadata(
  server: OauthServer,
  { challengeLink, ports, signal }: DiscoveryOptions,
): Promise<Outcome<ResourceMetadata, AuthFault>> {
  const locations = resourceMetadataLocations(server.url, challengeLink);
  if (!locations.ok) return locations;
  for (const location of locations.value) {
    const document = await boundedExchange(
      (inner) => ports.authorizationServer.fetchDocument(location.url, { signal: inner }),
      { clock: ports.clock, signal },
    );
    if (document.ok) return checkResourceMetadata(document.value, { location, serverUrl: server.url });
    if (document.refusal.reason !== "absent") {
      return refuse(failureFault(document.refusal, "resource-metadata"));
    }
  }
  return refuse({ reason: "resource-metadata-missing" });
}

/** A server that publishes nothing has no say; the user's pin then stands for it (U5). */
function withoutWord(server: OauthServer, fault: AuthFault): Outcome<ResourceMetadata, AuthFault> {
  // Without its query, which may hold what only the server itself should see.
  const resource = canonicalResource(server.url)?.replace(/\?.*$/, "");
  const silent =
    fault.reason === "resource-metadata-missing" || fault.reason === "authorization-server-missing";
  if (!silent || server.expectedIssuer === undefined || resource === undefined) return refuse(fault);
  return accept({ resource, authorizationServers: [server.expectedIssuer], scopesSupported: undefined });
}

function chooseIssuer(listed: readonly string[], pinned: string | undefined): string | undefined {
  return pinned === undefined ? listed[0] : listed.find((issuer) => isSameIssuer(issuer, pinned));
}

async function readServerMetadata(
  server: OauthServer,
  issuer: string,
  options: DiscoveryOptions & { readonly grant: "authorization_code" | "client_credentials" },
): Promise<Outcome<ServerMetadata, AuthFault>> {
  const { ports, signal, grant } = options;
  const locations = metadataLocations(server, issuer);
  if (!locations.ok) return locations;
  for (const url of locations.value) {
    const document = await boundedExchange(
      (inner) => ports.authorizationServer.fetchDocument(url, { signal: inner }),
      { clock: ports.clock, signal },
    );
    if (document.ok) return checkServerMetadata(document.value, { issuer, grant });
    if (document.refusal.reason !== "absent") {
      return refuse(failureFault(document.refusal, "server-metadata"));
    }
  }
  return refuse({ reason: "server-metadata-missing" });
}

/** The configured place counts only on the issuer's own origin: elsewhere anybody could speak in its name. */
function metadataLocations(server: OauthServer, issuer: string): Outcome<readonly string[], AuthFault> {
  const configured = server.settings.authServerMetadataUrl;
  if (configured === undefined) return serverMetadataLocations(issuer);
  const own = URL.canParse(issuer) && new URL(configured).origin === new URL(issuer).origin;
  return own ? accept([configured]) : refuse({ reason: "issuer-mismatch", field: "authServerMetadataUrl" });
}
