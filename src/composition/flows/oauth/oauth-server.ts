import type { OauthSettings } from "../../../domain/definition/definition.ts";
import { canonicalResource } from "../../../domain/oauth/canonical-url.ts";
import type { CredentialKey } from "../../../domain/oauth/credential.ts";
import type { AuditSink } from "../../../ports/audit-sink.ts";
import type { AuthorizationServer } from "../../../ports/authorization-server.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { CredentialStore } from "../../../ports/credential-store.ts";
import type { Random } from "../../../ports/random.ts";
import type { RefreshLock } from "../../../ports/refresh-lock.ts";

/** The MCP server that a credential is for, after its admission. */
export interface OauthServer {
  readonly serverId: string;
  readonly securityIdentity: string;
  /** Its URL, admitted by the egress policy. */
  readonly url: string;
  /** The `oauth` object of its definition; `{}` where the host signs in without one. */
  readonly settings: OauthSettings;
  /** The host's own client-id metadata document (U6); the definition's comes first. */
  readonly clientMetadataUrl?: string;
  /**
   * The exact issuer, pinned by the user and never by a project: another one that the server names is refused
   * (`issuer-not-pinned`), and where the server publishes nothing it is the way in (U5).
   */
  readonly expectedIssuer?: string;
  /** The host's explicit opt-out, for identity providers that reject `resource`. Audited at every sign-in. */
  readonly omitResource?: boolean;
}

/** What every OAuth flow asks of the world. */
export interface OauthPorts {
  readonly authorizationServer: AuthorizationServer;
  readonly store: CredentialStore;
  readonly lock: RefreshLock;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditSink;
}

/** Under which key the store has this server's record (U9). Throws a `TypeError` (`invalid-url`) for no URL. */
export function credentialKeyOf(
  server: Pick<OauthServer, "serverId" | "securityIdentity" | "url">,
): CredentialKey {
  const resource = canonicalResource(server.url);
  if (resource === undefined) {
    throw Object.assign(new TypeError("an OAuth server has an http or https URL"), { code: "invalid-url" });
  }
  return { serverId: server.serverId, securityIdentity: server.securityIdentity, resource };
}
