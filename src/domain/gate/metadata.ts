/** RFC 9728 section 3: stands between the host and the path of the resource. */
const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Where the metadata of a resource is. `path` as in the URL parser; the root has no path of its own there. */
export function metadataPath(path: string): string {
  return path === "/" ? WELL_KNOWN : `${WELL_KNOWN}${path}`;
}

/** Protected resource metadata (RFC 9728 section 2). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly ["header"];
}

export function resourceMetadata({
  resource,
  issuer,
  scopes,
}: {
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}): ResourceMetadata {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
  };
}
