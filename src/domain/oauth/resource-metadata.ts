import * as v from "valibot";

import { accept, refuse, type Outcome } from "../outcome.ts";
import { canonicalResource, isParentResource } from "./canonical-url.ts";
import { mayName } from "./endpoint.ts";
import type { AuthFault } from "./refusal.ts";
import { isScope, SCOPES_LIMIT } from "./scopes.ts";

/** RFC 9728 section 3.1. */
const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const TEXT_LIMIT_CHARS = 2_048;
const SERVERS_LIMIT = 16;
const LISTED_SCOPES_LIMIT = 1_024;

/** One place to look for the metadata of a protected resource. */
export interface ResourceMetadataLocation {
  readonly url: string;
  /** What the document's `resource` has to be; `any-parent`: this server or what holds it (U5). */
  readonly identifier: { readonly exactly: string } | "any-parent";
  /** Whether nothing there ends discovery: the server itself named the place. */
  readonly last: boolean;
}

export interface ResourceMetadata {
  /** As it was written: sent verbatim as `resource` (RFC 8707). */
  readonly resource: string;
  /** Issuers, as they were written. At least one. */
  readonly authorizationServers: readonly string[];
  readonly scopesSupported: readonly string[] | undefined;
}

/**
 * Where the metadata of a server's URL may be, in the order to look (U5): the challenge's link alone, where
 * there is one, and only on the server's own origin; else the path-specific well-known, then the origin's.
 */
export function resourceMetadataLocations(
  serverUrl: string,
  challengeLink: string | undefined,
): Outcome<readonly ResourceMetadataLocation[], AuthFault> {
  const { origin, pathname, search } = new URL(serverUrl);
  if (challengeLink !== undefined) {
    const own = URL.canParse(challengeLink) && new URL(challengeLink).origin === origin;
    return own
      ? accept([{ url: challengeLink, identifier: "any-parent", last: true }])
      : refuse({ reason: "resource-metadata-origin" });
  }
  const path = `${pathname === "/" ? "" : pathname}${search}`;
  const root = { url: `${origin}${WELL_KNOWN}`, identifier: { exactly: origin }, last: true };
  if (path === "") return accept([root]);
  const specific = {
    url: `${origin}${WELL_KNOWN}${path}`,
    identifier: { exactly: `${origin}${path}` },
    last: false,
  };
  return accept([specific, root]);
}

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(TEXT_LIMIT_CHARS));
const document = v.object({
  resource: text,
  authorization_servers: v.optional(v.pipe(v.array(text), v.maxLength(SERVERS_LIMIT))),
  scopes_supported: v.optional(v.pipe(v.array(v.string()), v.maxLength(LISTED_SCOPES_LIMIT))),
});

/** Checks a document against the place it was read at (U5). Answers `resource-mismatch` rather than guess. */
export function checkResourceMetadata(
  value: unknown,
  { location, serverUrl }: { readonly location: ResourceMetadataLocation; readonly serverUrl: string },
): Outcome<ResourceMetadata, AuthFault> {
  const read = v.safeParse(document, value);
  if (!read.success) return refuse({ reason: "resource-metadata-invalid", ...fieldOf(read.issues[0]) });
  const { resource, authorization_servers: servers = [], scopes_supported: scopes } = read.output;
  if (!isThisResource(resource, location, serverUrl)) return refuse({ reason: "resource-mismatch" });
  if (servers.length === 0) return refuse({ reason: "authorization-server-missing" });
  if (!servers.every((issuer) => mayName(serverUrl, issuer))) {
    return refuse({ reason: "endpoint-insecure", field: "authorization_servers" });
  }
  return accept({
    resource,
    authorizationServers: servers,
    scopesSupported: scopes?.filter((scope) => isScope(scope)).slice(0, SCOPES_LIMIT),
  });
}

function isThisResource(
  resource: string,
  { identifier }: ResourceMetadataLocation,
  serverUrl: string,
): boolean {
  // RFC 9728 section 1.2: a resource identifier has no fragment.
  if (resource.includes("#")) return false;
  const canonical = canonicalResource(resource);
  if (canonical === undefined) return false;
  const own = canonicalResource(serverUrl);
  if (identifier !== "any-parent") {
    const expected = canonicalResource(identifier.exactly);
    return canonical === expected && (canonical === own || isParentResource(resource, serverUrl));
  }
  return canonical === own || isParentResource(resource, serverUrl);
}

/** The name of the member at fault, out of our own schema. */
function fieldOf(issue: { readonly path?: readonly { readonly key: unknown }[] | undefined }): {
  field?: string;
} {
  const key = issue.path?.[0]?.key;
  return typeof key === "string" && key in document.entries ? { field: key } : {};
}
