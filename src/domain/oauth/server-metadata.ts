import * as v from "valibot";

import { accept, refuse, type Outcome } from "../outcome.ts";
import { mayName } from "./endpoint.ts";
import type { AuthFault } from "./refusal.ts";

const TEXT_LIMIT_CHARS = 2_048;
const LIST_LIMIT = 1_024;

const AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

/** What we use of an authorization server's metadata (RFC 8414), checked. */
export interface ServerMetadata {
  /** As the server writes it: what `iss` is compared with (RFC 9207). */
  readonly issuer: string;
  readonly authorizationEndpoint: string | undefined;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | undefined;
  readonly revocationEndpoint: string | undefined;
  /** `undefined`: not said, which means `client_secret_basic` (RFC 8414 section 2). */
  readonly authenticationMethods: readonly string[] | undefined;
  readonly scopesSupported: readonly string[] | undefined;
  /** Whether every redirect carries `iss`. */
  readonly promisesIssuer: boolean;
  /** Whether a client id may be the URL of a metadata document. */
  readonly acceptsMetadataDocument: boolean;
}

/**
 * Where the metadata of an issuer may be, in the specification's order: for an issuer with a path RFC 8414
 * inserted, OpenID inserted, OpenID appended; else RFC 8414, OpenID.
 */
export function serverMetadataLocations(issuer: string): Outcome<readonly string[], AuthFault> {
  const [, origin = "", path = ""] = /^(https?:\/\/[^/?#]+)([^?#]*)$/.exec(issuer) ?? [];
  if (origin === "") return refuse({ reason: "endpoint-insecure", field: "issuer" });
  // RFC 8414 section 3.1: a terminating slash goes before the well-known is inserted.
  const inner = path.replace(/\/$/, "");
  if (inner === "") return accept([`${origin}${AUTHORIZATION_SERVER}`, `${origin}${OPENID}`]);
  return accept([
    `${origin}${AUTHORIZATION_SERVER}${inner}`,
    `${origin}${OPENID}${inner}`,
    `${origin}${inner}${OPENID}`,
  ]);
}

/** Character for character, but for an empty path, which may have its slash or not, both ways (U5, RFC 3986 section 6.2.3). */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutEmptyPath(one) === withoutEmptyPath(other);
}

function withoutEmptyPath(issuer: string): string {
  return /^https?:\/\/[^/?#]+\/$/.test(issuer) ? issuer.slice(0, -1) : issuer;
}

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(TEXT_LIMIT_CHARS));
const list = v.pipe(v.array(v.pipe(v.string(), v.maxLength(TEXT_LIMIT_CHARS))), v.maxLength(LIST_LIMIT));
const document = v.object({
  issuer: text,
  authorization_endpoint: v.optional(text),
  token_endpoint: text,
  registration_endpoint: v.optional(text),
  revocation_endpoint: v.optional(text),
  code_challenge_methods_supported: v.optional(list),
  token_endpoint_auth_methods_supported: v.optional(list),
  scopes_supported: v.optional(list),
  authorization_response_iss_parameter_supported: v.optional(v.boolean()),
  client_id_metadata_document_supported: v.optional(v.boolean()),
});

const ENDPOINTS = [
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "revocation_endpoint",
] as const;

/**
 * Checks a document that was looked up for `issuer` (U5). Refuses with `server-metadata-invalid`,
 * `issuer-mismatch`, `endpoint-insecure` or, where a person is to sign in, `pkce-unsupported`.
 */
export function checkServerMetadata(
  value: unknown,
  { issuer, grant }: { readonly issuer: string; readonly grant: "authorization_code" | "client_credentials" },
): Outcome<ServerMetadata, AuthFault> {
  const read = v.safeParse(document, value);
  if (!read.success) {
    const key = read.issues[0].path?.[0].key;
    const known = typeof key === "string" && key in document.entries;
    return refuse({ reason: "server-metadata-invalid", ...(known && { field: key }) });
  }
  const found = read.output;
  if (!isSameIssuer(found.issuer, issuer)) return refuse({ reason: "issuer-mismatch" });
  for (const field of ENDPOINTS) {
    const url = found[field];
    if (url !== undefined && !mayName(issuer, url)) return refuse({ reason: "endpoint-insecure", field });
  }
  if (grant === "authorization_code") {
    if (found.authorization_endpoint === undefined) {
      return refuse({ reason: "server-metadata-invalid", field: "authorization_endpoint" });
    }
    // Not advertised is not supported: a server that ignores the challenge would redeem a stolen code.
    if (found.code_challenge_methods_supported?.includes("S256") !== true) {
      return refuse({ reason: "pkce-unsupported" });
    }
  }
  return accept({
    issuer: found.issuer,
    authorizationEndpoint: found.authorization_endpoint,
    tokenEndpoint: found.token_endpoint,
    registrationEndpoint: found.registration_endpoint,
    revocationEndpoint: found.revocation_endpoint,
    authenticationMethods: found.token_endpoint_auth_methods_supported,
    scopesSupported: found.scopes_supported,
    promisesIssuer: found.authorization_response_iss_parameter_supported === true,
    acceptsMetadataDocument: found.client_id_metadata_document_supported === true,
  });
}
