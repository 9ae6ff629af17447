import { canonicalResource } from "../oauth/canonical-url.ts";
import { isScope, SCOPES_LIMIT } from "../oauth/scopes.ts";
import { accept, refuse, type Outcome } from "../outcome.ts";
import type { Authority } from "./authority.ts";
import { writeChallenge } from "./challenge.ts";
import { metadataPath, resourceMetadata } from "./metadata.ts";

/** What cannot be served: an authorization that is missing a part, or could be read in two ways. */
export type RemotePlaceProblem = "public-url" | "issuer" | "scopes";

/** All that a remote host compares with and answers, made once out of its configuration. */
export interface RemotePlace {
  readonly authority: Authority;
  readonly path: string;
  readonly metadataPath: string;
  /** The document, as it is sent. */
  readonly metadata: string;
  readonly scopes: readonly string[];
  readonly challenges: {
    readonly noToken: string;
    readonly invalidToken: string;
    readonly insufficientScope: string;
  };
}

/** Longer than any server takes in a request line. */
const LONGEST_URL_CHARS = 2_048;

/**
 * Checks what the world is told about a remote host (R5). `publicUrl` and `issuer` are https, without userinfo, query
 * and fragment, and written as the URL parser writes them: both are compared character for character by others.
 */
export function remotePlace({
  publicUrl,
  issuer,
  scopes,
}: {
  readonly publicUrl: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}): Outcome<RemotePlace, RemotePlaceProblem> {
  const url = plainHttps(publicUrl);
  const resource = canonicalResource(publicUrl);
  if (url === undefined || resource === undefined) return refuse("public-url");
  if (plainHttps(issuer) === undefined) return refuse("issuer");
  if (scopes.length === 0 || scopes.length > SCOPES_LIMIT || !scopes.every((scope) => isScope(scope))) {
    return refuse("scopes");
  }
  const needed = [...scopes];
  const place = metadataPath(url.pathname);
  const metadataUrl = `${url.origin}${place}`;
  const told = { metadataUrl, scopes: needed };
  return accept({
    authority: {
      // RFC 9110 section 4.2.3: with and without the default port is the same authority. An origin has one spelling.
      hosts: url.port === "" ? [url.host, `${url.host}:443`] : [url.host],
      origins: [url.origin],
    },
    path: url.pathname,
    metadataPath: place,
    metadata: JSON.stringify(resourceMetadata({ resource, issuer, scopes: needed })),
    scopes: needed,
    challenges: {
      noToken: writeChallenge(told),
      invalidToken: writeChallenge({ ...told, error: "invalid_token" }),
      insufficientScope: writeChallenge({ ...told, error: "insufficient_scope" }),
    },
  });
}

function plainHttps(text: string): URL | undefined {
  if (text.length > LONGEST_URL_CHARS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const written = url.href === text || (url.pathname === "/" && url.href === `${text}/`);
  const plain = url.username === "" && url.password === "" && !/[?#]/.test(text);
  return url.protocol === "https:" && written && plain ? url : undefined;
}
